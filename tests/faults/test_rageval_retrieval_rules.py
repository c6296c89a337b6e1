"""Gates of retrieval: each fault alone, planted in clean rows, is told by name."""

from __future__ import annotations

import duckdb
import pytest

from expectations.suites import SUITES
from tests.support.spoiled_tables import Spoil, Tables, drop, edit, read_tables, repeat
from tests.support.worlds import World
from warehouse import relations

SYSTEM = {"system_id": "TCTE-bm25", "question_id": "oil"}
FIRST = {**SYSTEM, "stage": "bm25", "rank": 1}
VECTOR = {
    "dataset_id": "library", "embedder_id": "e", "chunk_id": "c", "text_sha256": "0",
    "dimension": 2, "vector": [0.6, 0.8], "source_file": "x", "source_line": None,
}  # fmt: skip
SCORES = "marts.fct_rageval__retrieval_scores"
MARTS = (
    SCORES,
    "marts.fct_rageval__judgment_scores",
    "marts.rpt_rageval__ragchecker_reconciliations",
    "marts.rpt_rageval__answer_metrics",
    "marts.rpt_rageval__metric_agreements",
    "marts.rpt_metric_summaries",
    "staging.stg_rageval__judgments",
    "staging.stg_rageval__rewrites",
    "staging.stg_rageval__hits",
)


def plus(name: str, by: float) -> object:
    return lambda row: row[name] + by


def add_vector(**changes: object) -> Spoil:
    def spoil(tables: Tables) -> None:
        tables.rows["rageval.vectors"] += [{**VECTOR, **changes}]

    return spoil


RETRIEVAL_FAULTS: dict[str, tuple[Spoil, str, str]] = {
    "a hit is no chunk": (
        edit("rageval.hits", FIRST, chunk_id="chunk_0"),
        "every_hit_is_a_chunk",
        "library/run/TCTE-bm25/oil/bm25/1: no such chunk: chunk_0",
    ),
    "a rank is missing": (
        drop("rageval.hits", **FIRST),
        "ranks_have_no_holes",
        "library/run/TCTE-bm25/oil/bm25: 1 hits, 1 chunks, the last rank is 2",
    ),
    "a worse hit comes first": (
        edit("rageval.hits", FIRST, score=0.0),
        "better_hits_come_first",
        "library/run/TCTE-bm25/oil/bm25/1: its score is 0.0",
    ),
    "a fused hit was found by nobody": (
        drop("rageval.hits", **FIRST),
        "later_stages_choose_from_earlier",
        "library/run/TCTE-bm25/oil/fused/1: the stage before it did not find this chunk",
    ),
    "hits are of a question that was not asked": (
        drop("rageval.rewrites", **SYSTEM),
        "hits_are_of_asked_questions",
        "library/run/TCTE-bm25/oil: no such question was asked",
    ),
    "a question was not asked": (
        drop("rageval.rewrites", **SYSTEM),
        "every_question_was_asked",
        "library/run/TCTE-bm25: 6 questions, 5 queries",
    ),
    "a gold page is not there": (
        edit("rageval.gold_pages", {"question_id": "lantern"}, page_number=9),
        "gold_pages_are_landed",
        "library/lantern: no such page: lanterns.md#9",
    ),
    "a passage is of no chunk": (
        edit("rageval.contexts", {**SYSTEM, "passage_number": 1}, chunk_id="chunk_0"),
        "contexts_are_made_of_chunks",
        "library/run/TCTE-bm25/oil/1: no such chunk",
    ),
    "an answer cites what it did not see": (
        edit("rageval.answers", SYSTEM, citations=["chunk_0"]),
        "answers_cite_what_was_seen",
        "library/run/TCTE-bm25/oil: it cites a chunk that it did not see: chunk_0",
    ),
    "a vector is too short": (
        add_vector(dimension=3),
        "vectors_have_one_length",
        "library/e/c: it has 2 numbers, 3 are stated",
    ),
    "a vector has another length": (
        add_vector(vector=[0.6, 0.9]),
        "vectors_have_one_length",
        "its length is 1.08",
    ),
}
RETRIEVAL_MART_FAULTS: dict[str, tuple[Spoil, str, str]] = {
    "a query left the grid": (
        drop(SCORES, **SYSTEM, stage="bm25"),
        "every_query_is_scored_at_every_stage",
        "library/run/TCTE-bm25: 6 queries, 2 stages, 11 rows",
    ),
    "a recall above one": (
        edit(SCORES, {**SYSTEM, "stage": "bm25"}, recall_at_20=1.5),
        "retrieval_figures_are_shares",
        "recall_at_20 is 1.5 of 2 gold pages",
    ),
    "a figure without gold pages": (
        edit(SCORES, {"system_id": "TCTE-bm25", "question_id": "loose"}, recall_at_5=0.0),
        "retrieval_figures_are_shares",
        "recall_at_5 is 0.0 of 0 gold pages",
    ),
    "a recall that falls with depth": (
        edit(SCORES, {**SYSTEM, "stage": "bm25"}, recall_at_1=1.0, recall_at_5=0.5),
        "recall_grows_with_depth",
        "library/run/TCTE-bm25/oil/bm25: recall 1.0, 0.5",
    ),
}


@pytest.fixture(scope="module")
def landed(library_world: World) -> Tables:
    state = relations.current_state(library_world.paths)
    with duckdb.connect() as connection:
        relations.register(connection, state)
        nouns = tuple(f"rageval.{one.name}" for one in state.relations if one.schema == "rageval")
        return read_tables(connection, (*nouns, "core.rejects", "core.landed_files"))


@pytest.fixture(scope="module")
def marts(library_world: World) -> Tables:
    return read_tables(library_world.connection, MARTS)


def test_a_clean_library_passes_both_gates(landed: Tables, marts: Tables) -> None:
    assert landed.findings(SUITES["landing", "rageval"]) == {}
    assert marts.findings(SUITES["marts", "rageval"]) == {}
    tables = landed.copy()
    add_vector()(tables)
    assert "vectors_have_one_length" not in tables.findings(SUITES["landing", "rageval"])


@pytest.mark.parametrize("name", RETRIEVAL_FAULTS)
def test_a_landing_fault_is_told_by_name(landed: Tables, name: str) -> None:
    spoil, rule, message = RETRIEVAL_FAULTS[name]
    tables = landed.copy()
    spoil(tables)
    found = tables.findings(SUITES["landing", "rageval"])
    assert any(message in one for one in found.get(rule, ())), found


@pytest.mark.parametrize("name", RETRIEVAL_MART_FAULTS)
def test_a_mart_fault_is_told_by_name(marts: Tables, name: str) -> None:
    spoil, rule, message = RETRIEVAL_MART_FAULTS[name]
    tables = marts.copy()
    spoil(tables)
    found = tables.findings(SUITES["marts", "rageval"])
    assert any(message in one for one in found.get(rule, ())), found


def test_a_hit_that_stands_twice_is_told(landed: Tables) -> None:
    tables = landed.copy()
    repeat("rageval.hits", FIRST, rank=3)(tables)
    assert "ranks_have_no_holes" in tables.findings(SUITES["landing", "rageval"])
