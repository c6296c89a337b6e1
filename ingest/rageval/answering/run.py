"""Answers to all questions of a run out of its landed hits, landed with what was seen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ingest.landing_units import LandReport, UnitLander
from ingest.rageval.answering.assemble import MOST_TOKENS, Passage, assemble
from ingest.rageval.answering.extractive import ANSWERER, Answer, answer
from ingest.rageval.derived_units import derived_lander
from ingest.rageval.landed_rows import rows_of
from ingest.rageval.retrieval.corpus import FoundChunk, read_corpus
from ingest.rageval.retrieval.run import questions_of
from ingest.rageval.retrieval.search import FUSED, RERANKED
from ingest.rageval.retrieval.variants import variant_of
from ingest.row_fields import provenance_of
from warehouse import identity
from warehouse.contracts.rageval import ARTIFACTS
from warehouse.contracts.rageval_runs import ANSWERS, CONTEXTS, HITS, RUNS
from warehouse.errors import InputError
from warehouse.landing import Chunk, RejectLog, Row
from warehouse.paths import WarehousePaths

LANDER = 1
"""Raised when the same hits give other rows."""
ORIGIN = "podium rageval answer"
"""What stands for a source file: these rows come out of no file."""
MOST_PASSAGES = 20


def answer_run(
    paths: WarehousePaths, dataset_id: str, run: str, code_version: str = "unknown"
) -> LandReport:
    """Answer every question of a run for each of its systems, one unit a system.

    Args:
        paths: the warehouse.
        dataset_id: data set.
        run: name of the run, as it was retrieved.
        code_version: version that manifests record.

    Raises:
        InputError: when the run has no hits.
    """
    run_id = f"{dataset_id}/{run}"
    systems = [
        row for row in rows_of(paths, RUNS, dataset_id, run_id=run_id) if row["variant"] is not None
    ]
    if not systems:
        raise InputError(
            f"run `{run_id}` has no hits",
            fix=f"podium rageval retrieve --dataset {dataset_id} --run {run}",
        )
    questions = questions_of(paths, dataset_id)
    chunks = {one.chunk_id: one for one in read_corpus(paths, dataset_id)}
    artifacts = {
        (row["document_id"], row["artifact_id"]): row
        for row in rows_of(paths, ARTIFACTS, dataset_id)
    }
    report = LandReport(dataset_id)
    lander = derived_lander(paths, report, code_version)
    for system in systems:
        ids = {
            "run_id": run_id,
            "dataset_id": dataset_id,
            "system_id": system["system_id"],
            **provenance_of(ORIGIN),
        }
        hits = _hits(paths, dataset_id, run_id, system["system_id"], chunks)
        variant = variant_of(system["variant"])
        contexts: list[Row] = []
        answers: list[Row] = []
        for question in questions:
            question_id = question["question_id"]
            passages = assemble(hits[question_id], chunks, artifacts, variant, MOST_TOKENS)
            said = answer(question["question"], passages)
            contexts += _context_rows({**ids, "question_id": question_id}, passages)
            answers.append(_answer_row({**ids, "question_id": question_id}, said))
        _land(lander, f"{dataset_id}/runs/{run}/{system['system_id']}/answers", contexts, answers)
    return report


def _land(lander: UnitLander, unit: str, contexts: list[Row], answers: list[Row]) -> None:
    def landed(log: RejectLog) -> Iterator[Chunk]:
        yield CONTEXTS, contexts, None
        yield ANSWERS, answers, None

    content = identity.content_id("answers", ANSWERER, contexts, answers)
    lander.land(unit, (), landed, {"lander": LANDER, "content": content})


def _hits(
    paths: WarehousePaths,
    dataset_id: str,
    run_id: str,
    system_id: str,
    chunks: dict[str, FoundChunk],
) -> dict[str, list[FoundChunk]]:
    """Return the hits that go on, best first, by question: re-ranked ones where there are some."""
    ranked: dict[str, dict[str, list[tuple[int, str]]]] = defaultdict(lambda: defaultdict(list))
    for row in rows_of(paths, HITS, dataset_id, run_id=run_id, system_id=system_id):
        ranked[row["question_id"]][row["stage"]].append((row["rank"], row["chunk_id"]))
    found: dict[str, list[FoundChunk]] = defaultdict(list)
    for question_id, stages in ranked.items():
        last = sorted(stages.get(RERANKED) or stages.get(FUSED, []))[:MOST_PASSAGES]
        absent = next((one for _, one in last if one not in chunks), None)
        if absent is not None:
            raise InputError(
                f"chunk `{absent}` of run `{run_id}` is no longer landed",
                fix="retrieve the run again",
            )
        found[question_id] = [chunks[one] for _, one in last]
    return found


def _context_rows(ids: Row, passages: list[Passage]) -> Iterator[Row]:
    for number, one in enumerate(passages, start=1):
        yield {
            **ids,
            "passage_number": number,
            "chunk_id": one.chunk.chunk_id,
            "document_id": one.chunk.document_id,
            "first_page": one.chunk.first_page,
            "last_page": one.chunk.last_page,
            "text": one.text,
            "image_count": 0,
            "token_count": one.token_count,
            "is_cut": one.is_cut,
        }


def _answer_row(ids: Row, said: Answer) -> Row:
    cited = [] if said.passage is None else [said.passage.chunk]
    return {
        **ids,
        "answer_status": "refused" if said.text is None else "answered",
        "answer": said.text,
        "is_refusal": said.text is None,
        "citations": [one.chunk_id for one in cited],
        "cited_pages": [
            f"{one.document_id}#{page}"
            for one in cited
            for page in range(one.first_page, one.last_page + 1)
        ],
        "invalid_reason": None,
    }
