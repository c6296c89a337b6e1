"""Gates of rageval: each fault alone, planted in clean rows, is told by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from expectations import gate
from expectations.suites import SUITES
from tests.faults.test_rageval_document_rules import DOCUMENT_FAULTS
from tests.faults.test_rageval_retrieval_rules import RETRIEVAL_FAULTS, RETRIEVAL_MART_FAULTS
from tests.support.spoiled_tables import Spoil, Tables, drop, edit, read_tables, repeat
from tests.support.worlds import World
from warehouse import relations
from warehouse.paths import WarehousePaths

LANDED = ("judgments", "statements", "verdicts", "answers", "questions", "preferences")
MARTS = (
    "marts.fct_rageval__judgment_scores",
    "marts.rpt_rageval__ragchecker_reconciliations",
    "marts.rpt_rageval__answer_metrics",
    "marts.rpt_rageval__metric_agreements",
    "marts.rpt_metric_summaries",
    "marts.fct_rageval__retrieval_scores",
    "staging.stg_rageval__judgments",
    "staging.stg_rageval__rewrites",
    "staging.stg_rageval__hits",
)
SCORES = MARTS[0]
HARBOUR = {"question_id": "harbour"}
FIRST = {"side": "response", "statement_number": 2, "premise": "reference"}

LANDING_FAULTS: dict[str, tuple[Spoil, str, str]] = {
    "an answer is gone": (
        drop("rageval.answers", question_id="harbour"),
        "judgments_are_of_landed_answers",
        "by_hand/imported/one/harbour/ragchecker: no such answer",
    ),
    "a judgment is invalid": (
        edit("rageval.judgments", HARBOUR, judgment_status="invalid", status_reason="label_count"),
        "judgments_can_be_read",
        "the judgment is invalid: label_count",
    ),
    "a statement is gone": (
        drop("rageval.statements", dataset_id="by_hand", side="response", statement_number=2),
        "statements_are_numbered_without_holes",
        "response: 5 statements are stated, 4 are there, the last is number 5",
    ),
    "a label is gone": (
        drop("rageval.verdicts", dataset_id="by_hand", **FIRST),
        "every_statement_has_one_label",
        "by_hand/imported/one/harbour/ragchecker/response/2: 0 labels against the reference",
    ),
    "a label stands twice": (
        repeat("rageval.verdicts", {"dataset_id": "by_hand", **FIRST}, label="Neutral"),
        "every_statement_has_one_label",
        "2 labels against the reference",
    ),
    "a verdict is of no statement": (
        repeat("rageval.verdicts", {"dataset_id": "by_hand", **FIRST}, statement_number=99),
        "every_verdict_is_of_a_statement",
        "/response/99/reference/0: no such statement",
    ),
    "a passage is not judged": (
        drop(
            "rageval.verdicts",
            dataset_id="by_hand",
            premise="passage",
            side="response",
            passage_number=3,
        ),
        "every_passage_is_judged",
        "19 labels against passages, 24 expected",
    ),
    "two files word a question in two ways": (
        repeat("rageval.questions", HARBOUR, question_set="other", question="Another?"),
        "files_agree_on_a_question",
        "by_hand/harbour: 2 wordings",
    ),
    "a preference is of no pair": (
        repeat("rageval.preferences", {"dataset_id": "drawn", "pair_id": "0"}, pair_id="unknown"),
        "preferences_are_of_scored_pairs",
        "drawn/drawn/unknown/a1/overall: no metric scores this pair",
    ),
}


def plus(name: str, by: float) -> Any:
    return lambda row: row[name] + by


MART_FAULTS: dict[str, tuple[Spoil, str, str]] = {
    "a judgment is not published": (
        drop(SCORES, question_id="harbour"),
        "every_judgment_is_published",
        "by_hand/imported/one/harbour/ragchecker: this judgment is landed",
    ),
    "an answer is not judged": (
        edit(SCORES, {"question_id": "mill"}, judgment_id=None),
        "every_answer_is_judged",
        "by_hand/imported/one/mill/ragchecker",
    ),
    "an F1 above one": (
        edit(SCORES, HARBOUR, answer_f1=1.5),
        "figures_are_shares",
        "answer_f1 is 1.5",
    ),
    "labels do not sum to one": (
        edit(SCORES, HARBOUR, unsupported_rate=plus("unsupported_rate", 0.1)),
        "labels_of_a_response_sum_to_one",
        "1.1 is not 1",
    ),
    "the first identity is broken": (
        edit(SCORES, HARBOUR, self_knowledge=plus("self_knowledge", 0.1)),
        "responses_are_faithful_known_or_hallucinated",
        "is not 1",
    ),
    "the second identity is broken": (
        edit(
            SCORES,
            HARBOUR,
            noise_sensitivity_in_irrelevant=plus("noise_sensitivity_in_irrelevant", 1e-9),
        ),
        "wrong_claims_are_noise_or_hallucinated",
        "by_hand/imported/one/harbour",
    ),
    "a figure is not that of the file": (
        edit(MARTS[1], {"question_id": "harbour", "metric": "f1"}, is_equal=False),
        "figures_agree_with_ragcheckers",
        "by_hand/imported/one/harbour/f1: the file says 0.36",
    ),
    "a mean of more than there is": (
        edit(
            MARTS[2],
            {"run_id": "by_hand/imported", "metric": "ragchecker_f1", "policy": "zero_fill"},
            n_included=3,
        ),
        "means_keep_their_counts",
        "by_hand/imported/one/ragchecker_f1/zero_fill",
    ),
    "a coefficient above one": (
        edit(MARTS[3], {"dataset_id": "drawn", "rater": "f1"}, kendall=1.25),
        "coefficients_are_coefficients",
        "kendall 1.25",
    ),
}


@pytest.fixture(scope="module")
def landed(answers_world: World) -> Tables:
    state = relations.current_state(answers_world.paths)
    with duckdb.connect() as connection:
        relations.register(connection, state)
        names = tuple(f"rageval.{one.name}" for one in state.relations if one.schema == "rageval")
        return read_tables(connection, (*names, "core.rejects", "core.landed_files"))


@pytest.fixture(scope="module")
def marts(answers_world: World) -> Tables:
    return read_tables(answers_world.connection, MARTS)


def test_clean_rows_pass_both_gates(answers_world: World, landed: Tables, marts: Tables) -> None:
    assert landed.findings(SUITES["landing", "rageval"]) == {}
    assert marts.findings(SUITES["marts", "rageval"]) == {}
    assert gate.check_landing(answers_world.paths, "rageval").verdict.exit_code == 0
    assert {one.split(".")[1] for one in landed.rows} >= set(LANDED)


@pytest.mark.parametrize("name", LANDING_FAULTS)
def test_a_landing_fault_is_told_by_name(landed: Tables, name: str) -> None:
    spoil, rule, message = LANDING_FAULTS[name]
    tables = landed.copy()
    spoil(tables)
    found = tables.findings(SUITES["landing", "rageval"])
    assert any(message in one for one in found.get(rule, ())), found


@pytest.mark.parametrize("name", MART_FAULTS)
def test_a_mart_fault_is_told_by_name(marts: Tables, name: str) -> None:
    spoil, rule, message = MART_FAULTS[name]
    tables = marts.copy()
    spoil(tables)
    found = tables.findings(SUITES["marts", "rageval"])
    assert any(message in one for one in found.get(rule, ())), found


def test_every_rule_of_its_own_has_a_fault() -> None:
    shared = {
        "something_is_landed",
        "nothing_is_rejected",
        "landed_rows_match_manifests",
        "summaries_are_published",
        "counts_of_a_cell_add_up",
        "intervals_hold_their_order",
    }
    every = (
        LANDING_FAULTS,
        DOCUMENT_FAULTS,
        RETRIEVAL_FAULTS,
        MART_FAULTS,
        RETRIEVAL_MART_FAULTS,
    )
    told = {rule for faults in every for _, rule, _ in faults.values()}
    rules = {rule.name for place in ("landing", "marts") for rule in SUITES[place, "rageval"].rules}
    assert rules - shared == told


def test_an_empty_warehouse_never_passes(tmp_path: Path) -> None:
    verdict = gate.check_landing(WarehousePaths(tmp_path), "rageval").verdict
    assert [one.check for one in verdict.findings] == ["something_is_landed"]
    assert verdict.exit_code == 5
