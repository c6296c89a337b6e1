"""The shipped library with its questions, from documents to marts."""

from __future__ import annotations

from pathlib import Path

import duckdb

from ingest.rageval.answering.run import answer_run
from ingest.rageval.documents.land import IngestOptions, ingest
from ingest.rageval.imports import ImportOptions
from ingest.rageval.question_sets import land_questions
from ingest.rageval.retrieval.corpus import read_corpus
from ingest.rageval.retrieval.embedder import OfflineEmbedder
from ingest.rageval.retrieval.run import RetrievalRequest, retrieve
from ingest.rageval.retrieval.variants import VARIANTS
from ingest.rageval.retrieval.vectors import land_vectors
from ingest.sample.make_questions_sample import SAMPLE, library
from tests.support.worlds import World
from warehouse import build
from warehouse.paths import WarehousePaths

DATASET = "library"


def build_sample_library(root: Path) -> World:
    """Ingest, index, retrieve by every variant, answer and build."""
    paths = WarehousePaths(root / "warehouse")
    ingest(paths, library(), IngestOptions(DATASET), lambda done, of: None)
    asked = SAMPLE / "questions.jsonl"
    assert land_questions(paths, asked, ImportOptions(dataset_id=DATASET)).rejects == []
    embedder = OfflineEmbedder()
    chunks = read_corpus(paths, DATASET)
    land_vectors(paths, DATASET, chunks, embedder, "test", lambda done, of: None)
    for variant in VARIANTS.values():
        retrieve(paths, RetrievalRequest(DATASET, "run", variant), embedder)
    answer_run(paths, DATASET, "run")
    built = build.run_build(paths, with_unit_tests=False)
    assert built.is_complete, [(one.subject, one.message) for one in built.findings]
    connection = duckdb.connect(str(paths.build_file), read_only=True)
    return World(root, paths, {}, built, connection)
