"""A small library whose hits are known: every word that is asked for stands in one place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb

from ingest.rageval.answering.run import answer_run
from ingest.rageval.documents.land import IngestOptions, ingest
from ingest.rageval.imports import ImportOptions
from ingest.rageval.question_sets import land_questions
from ingest.rageval.retrieval.run import RetrievalRequest, retrieve
from ingest.rageval.retrieval.variants import VARIANTS
from tests.support import laid_pdfs
from tests.support.worlds import World
from warehouse import build, jsonl
from warehouse.paths import WarehousePaths

DATASET, RUN = "library", "run"
SYSTEMS = ("TCTE-bm25", "text_only-bm25", "page_only-bm25", "no_alignment-bm25")
NOTES = {
    "lanterns.md": "# Lanterns\n\nEvery lantern burns whale oil. A lantern lasts four nights.\n",
    "ropes.md": "# Ropes\n\nRopes are made of hemp. Whale oil keeps them soft.\n",
    "prices.md": "# Prices\n\nWhat things cost in the yard.\n\n"
    "| Thing | Summer price | Winter price |\n|---|---|---|\n"
    "| Anchor | 40 crowns | 55 crowns |\n| Sail | 70 crowns | 90 crowns |\n",
}
QUESTIONS: tuple[dict[str, Any], ...] = (
    {"question_id": "lantern", "question": "How many nights does a lantern last?",
     "gold_answers": ["four"], "gold_pages": ["lanterns.md#1"], "modality": "text"},
    {"question_id": "oil", "question": "What is lantern oil good for?",
     "gold_answers": ["light", "ropes"], "gold_pages": ["lanterns.md#1", "ropes.md#1"],
     "modality": "text"},
    {"question_id": "anchor", "question": "What is the winter price of an anchor?",
     "gold_answers": ["55 crowns"], "gold_pages": ["prices.md#1"], "modality": "table"},
    {"question_id": "quay", "question": "What is on the second slide of stone quays?",
     "gold_answers": ["?"], "gold_pages": ["talk.pdf#2"], "modality": "picture"},
    {"question_id": "zebra", "question": "Zebras?", "gold_answers": ["no"],
     "gold_pages": ["ropes.md#1"]},
    {"question_id": "loose", "question": "Hemp?", "gold_answers": []},
)  # fmt: skip


def plant(root: Path) -> Path:
    """Write the documents and the questions."""
    folder = root / DATASET
    folder.mkdir(parents=True)
    for name, text in NOTES.items():
        (folder / name).write_text(text, encoding="utf-8")
    laid_pdfs.slides(folder / "talk.pdf")
    jsonl.write_jsonl(root / "asked.jsonl", list(QUESTIONS))
    return folder


def land_all(root: Path) -> WarehousePaths:
    """Ingest, ask and answer, by words alone."""
    paths = WarehousePaths(root / "warehouse")
    folder = plant(root)
    labels = {"talk.pdf": "presentation", "ropes.md": "standard"}
    ingest(paths, [folder], IngestOptions(labels=labels), lambda done, of: None)
    report = land_questions(paths, root / "asked.jsonl", ImportOptions(dataset_id=DATASET))
    assert report.rejects == [], report.rejects
    for system in SYSTEMS:
        variant = VARIANTS[system.removesuffix("-bm25")]
        retrieve(paths, RetrievalRequest(DATASET, RUN, variant), None)
    answer_run(paths, DATASET, RUN)
    return paths


def build_library(root: Path) -> World:
    """Land and build all of it."""
    paths = land_all(root)
    built = build.run_build(paths, with_unit_tests=False)
    assert built.is_complete, [(one.subject, one.message) for one in built.findings]
    connection = duckdb.connect(str(paths.build_file), read_only=True)
    return World(root, paths, {}, built, connection)
