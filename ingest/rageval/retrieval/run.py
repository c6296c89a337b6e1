"""Retrieval for all questions of a dataset, landed: the run, its queries, every stage's hits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ingest.landing_units import LandReport
from ingest.names import check_name
from ingest.rageval.derived_units import derived_lander
from ingest.rageval.landed_rows import rows_of
from ingest.rageval.retrieval.corpus import FoundChunk, indexed, read_corpus
from ingest.rageval.retrieval.embedder import Embedder
from ingest.rageval.retrieval.keyword_index import KEYWORD_RULE
from ingest.rageval.retrieval.search import Depths, Hits, Searcher
from ingest.rageval.retrieval.variants import Variant
from ingest.rageval.retrieval.vectors import read_vectors
from ingest.row_fields import provenance_of
from warehouse import identity, jsonl
from warehouse.contracts.rageval import QUESTIONS
from warehouse.contracts.rageval_runs import HITS, REWRITES, RUNS
from warehouse.errors import InputError
from warehouse.landing import Chunk, RejectLog, Row
from warehouse.paths import WarehousePaths

LANDER = 1
"""Raised when the same questions give other rows."""
ORIGIN = "podium rageval retrieve"
"""What stands for a source file: these rows come out of no file."""
GENERATOR, GENERATOR_KIND = "extractive-1", "heuristic"


@dataclass(frozen=True)
class RetrievalRequest:
    """What is to be found, and how.

    Attributes:
        dataset_id: data set of chunks and questions.
        run: name of the run.
        variant: what is indexed.
        depths: how many hits each stage keeps.
        today: today's date as queries may use it; never read from the clock.
        code_version: version that manifests record.
    """

    dataset_id: str
    run: str
    variant: Variant
    depths: Depths = field(default_factory=Depths)
    today: str | None = None
    code_version: str = "unknown"

    @property
    def run_id(self) -> str:
        """Return `<dataset_id>/<run>`."""
        return f"{self.dataset_id}/{self.run}"

    def system_id(self, embedder: Embedder | None) -> str:
        """Return the system: the variant, and `-bm25` where nothing is embedded."""
        return self.variant.name if embedder is not None else f"{self.variant.name}-bm25"


def retrieve(
    paths: WarehousePaths, request: RetrievalRequest, embedder: Embedder | None
) -> LandReport:
    """Find chunks for every question and land each stage's hits as one unit.

    Args:
        paths: the warehouse.
        request: see RetrievalRequest.
        embedder: of queries; chunks have its vectors landed. None searches by words alone.

    Raises:
        InputError: when there are no questions, no chunks that the variant indexes, or no
            vectors.
    """
    check_name("run", request.run)
    questions = questions_of(paths, request.dataset_id)
    chunks = indexed(read_corpus(paths, request.dataset_id), request.variant)
    if not chunks:
        raise InputError(
            f"`{request.dataset_id}` has no chunks that {request.variant.name} indexes"
        )
    vectors = None
    if embedder is not None:
        vectors = read_vectors(paths, request.dataset_id, chunks, embedder.embedder_id)
    searcher = Searcher(chunks, embedder, vectors, request.depths)
    # Offline a query is the question: rewriting needs a model, and says that it was skipped.
    queries = [one["question"] for one in questions]
    found = searcher.find(queries)
    rows = _Rows(request, request.system_id(embedder), embedder, len(questions))
    runs = [rows.run()]
    rewrites = [rows.rewrite(one) for one in questions]
    hits = [
        row
        for question, one in zip(questions, found, strict=True)
        for row in rows.hits(question["question_id"], one, chunks)
    ]

    def landed(log: RejectLog) -> Iterator[Chunk]:
        yield RUNS, runs, None
        yield REWRITES, rewrites, None
        yield HITS, hits, None

    report = LandReport(request.dataset_id)
    lander = derived_lander(paths, report, request.code_version)
    unit = f"{request.dataset_id}/runs/{request.run}/{rows.system_id}/retrieval"
    content = identity.content_id("hits", runs, rewrites, hits)
    lander.land(unit, (), landed, {"lander": LANDER, "content": content})
    return report


def questions_of(paths: WarehousePaths, dataset_id: str) -> list[Row]:
    """Return the landed questions of a dataset, each once, by id.

    Raises:
        InputError: when there is none.
    """
    found: dict[str, Row] = {}
    for row in rows_of(paths, QUESTIONS, dataset_id):
        found.setdefault(row["question_id"], row)
    if not found:
        raise InputError(
            f"dataset `{dataset_id}` has no questions",
            fix=f"podium land rageval --questions FILE --dataset {dataset_id}",
        )
    return list(found.values())


@dataclass(frozen=True)
class _Rows:
    """The rows of one system of one run."""

    request: RetrievalRequest
    system_id: str
    embedder: Embedder | None
    question_count: int

    @property
    def _ids(self) -> Row:
        return {
            "run_id": self.request.run_id,
            "dataset_id": self.request.dataset_id,
            "system_id": self.system_id,
            **provenance_of(ORIGIN),
        }

    def run(self) -> Row:
        embedder_id = None if self.embedder is None else self.embedder.embedder_id
        configuration: dict[str, Any] = {
            "variant": self.request.variant.name,
            "keyword_rule": KEYWORD_RULE,
            "embedder_id": embedder_id,
            "depths": self.request.depths.as_record(),
            "generator_id": GENERATOR,
            "today": self.request.today,
        }
        return {
            **self._ids,
            "variant": self.request.variant.name,
            "embedder_id": embedder_id,
            "is_surrogate": self.request.variant.needs_images,
            "generator_id": GENERATOR,
            "generator_kind": GENERATOR_KIND,
            "configuration": jsonl.canonical(configuration),
            "configuration_id": identity.content_id("configuration", configuration),
            "question_count": self.question_count,
        }

    def rewrite(self, question: Row) -> Row:
        has_more = bool(question["background"] or question["history"])
        return {
            **self._ids,
            "question_id": question["question_id"],
            "query": question["question"],
            "is_rewritten": False,
            "rewrite_status": "skipped" if has_more else "unchanged",
            "rerank_status": "skipped",
            "rerank_omitted_count": 0,
            "rerank_repeated_count": 0,
            "rerank_invented_count": 0,
        }

    def hits(self, question_id: str, found: Hits, chunks: list[FoundChunk]) -> Iterator[Row]:
        for stage, ranked in found.by_stage.items():
            for rank, one in enumerate(ranked, start=1):
                yield {
                    **self._ids,
                    "question_id": question_id,
                    "stage": stage,
                    "rank": rank,
                    "chunk_id": chunks[one.position].chunk_id,
                    "score": one.score,
                }
