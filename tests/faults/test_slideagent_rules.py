"""Gates of slideagent: each fault alone, planted in clean rows, is told by name."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from expectations import gate
from expectations.suites import SUITES
from tests.support.spoiled_tables import Spoil, Tables, drop, edit, read_tables, repeat
from tests.support.worlds import World
from warehouse import relations
from warehouse.paths import WarehousePaths

MARTS = (
    "marts.fct_slideagent__answer_scores",
    "marts.rpt_slideagent__scores",
    "marts.rpt_metric_summaries",
    "staging.stg_slideagent__answers",
    "staging.stg_slideagent__questions",
)
SCORES, REPORT = MARTS[:2]
CRANES = {"question_id": "cranes", "system_id": "one", "setting": "oracle"}
REGION = {"question_id": "region", "system_id": "one", "setting": "oracle"}

LANDING_FAULTS: dict[str, tuple[Spoil, str, str]] = {
    "a question is gone": (
        drop("slideagent.questions", question_id="cranes"),
        "answers_are_to_landed_questions",
        "by_hand/run/alpha/cranes/one/oracle: no such question is landed",
    ),
    "a question has no gold answer": (
        edit("slideagent.questions", {"question_id": "open"}, gold_answers=[]),
        "questions_have_gold_answers",
        "by_hand/run/alpha/open: no gold answer",
    ),
    "a numeric question has a gold answer without a number": (
        edit("slideagent.questions", {"question_id": "open"}, is_numeric=True),
        "numeric_questions_have_numbers",
        "by_hand/run/alpha/open: it is scored by numbers (rule)",
    ),
    "an answer is not compared": (
        drop("slideagent.comparisons", **REGION),
        "every_answer_is_compared",
        "by_hand/run/alpha/region/one/oracle: no gold answer was held against it",
    ),
    "an answer is read by another policy": (
        edit("slideagent.comparisons", CRANES, number_policy="other"),
        "numbers_are_compared_by_one_policy",
        "by_hand/run/alpha/cranes/one/oracle: compared by other, decided by",
    ),
    "words of a numeric question are no numbers": (
        edit("slideagent.comparisons", CRANES, num=None),
        "numbers_are_compared_by_one_policy",
        "by_hand/run/alpha/cranes/one/oracle",
    ),
}
WHOLE = {
    "run_id": "by_hand/run",
    "system_id": "one",
    "setting": "end_to_end",
    "slice_type": "all",
    "policy": "missing_as_zero",
}
MART_FAULTS: dict[str, tuple[Spoil, str, str]] = {
    "an answer is not published": (
        drop(SCORES, **CRANES),
        "every_answer_is_published",
        "by_hand/run/alpha/cranes/one/oracle: it is landed and no mart has it",
    ),
    "a missing answer left the grid": (
        drop(SCORES, system_id="two", question_id="open"),
        "systems_are_held_to_the_same_questions",
        "by_hand/run/alpha/two/end_to_end: 4 rows, 5 questions",
    ),
    "an F1 above one": (
        edit(SCORES, REGION, f1=1.5, score=1.5),
        "scores_are_shares",
        "f1 is 1.5",
    ),
    "a question is decided twice": (
        edit(SCORES, CRANES, is_numeric=False, score=0.0),
        "a_question_is_decided_once",
        "by_hand/run/alpha/cranes: scored by numbers for some systems",
    ),
    "a numeric question is scored by its words": (
        edit(SCORES, CRANES, score=0.5),
        "a_score_is_one_of_both",
        "by_hand/run/alpha/cranes/one/oracle: score 0.5, num 1",
    ),
    "a missing answer has a score": (
        edit(SCORES, {"question_id": "yard", "setting": "end_to_end"}, score=0.0, f1=0.0),
        "a_score_is_one_of_both",
        "missing",
    ),
    "a wider variant is narrower": (
        edit(SCORES, CRANES, num_rounded=0.0),
        "wider_variants_hold_where_num_does",
        "by_hand/run/alpha/cranes/one/oracle: num is 1",
    ),
    "the whole lies outside its parts": (
        edit(REPORT, WHOLE, overall_item=0.99),
        "overall_lies_between_num_and_f1",
        "overall 0.99",
    ),
    "a question is counted in neither part": (
        edit(REPORT, WHOLE, n_lex=3),
        "overall_lies_between_num_and_f1",
        "by_hand/run/one/end_to_end/all/all/missing_as_zero",
    ),
}


@pytest.fixture(scope="module")
def landed(scores_world: World) -> Tables:
    state = relations.current_state(scores_world.paths)
    with duckdb.connect() as connection:
        relations.register(connection, state)
        nouns = tuple(
            f"slideagent.{one.name}" for one in state.relations if one.schema == "slideagent"
        )
        return read_tables(connection, (*nouns, "core.rejects", "core.landed_files"))


@pytest.fixture(scope="module")
def marts(scores_world: World) -> Tables:
    return read_tables(scores_world.connection, MARTS)


def test_clean_rows_pass_both_gates(scores_world: World, landed: Tables, marts: Tables) -> None:
    assert landed.findings(SUITES["landing", "slideagent"]) == {}
    assert marts.findings(SUITES["marts", "slideagent"]) == {}
    assert gate.check_landing(scores_world.paths, "slideagent").verdict.exit_code == 0


@pytest.mark.parametrize("name", LANDING_FAULTS)
def test_a_landing_fault_is_told_by_name(landed: Tables, name: str) -> None:
    spoil, rule, message = LANDING_FAULTS[name]
    tables = landed.copy()
    spoil(tables)
    found = tables.findings(SUITES["landing", "slideagent"])
    assert any(message in one for one in found.get(rule, ())), found


@pytest.mark.parametrize("name", MART_FAULTS)
def test_a_mart_fault_is_told_by_name(marts: Tables, name: str) -> None:
    spoil, rule, message = MART_FAULTS[name]
    tables = marts.copy()
    spoil(tables)
    found = tables.findings(SUITES["marts", "slideagent"])
    assert any(message in one for one in found.get(rule, ())), found


def test_a_landed_row_too_many_is_told(landed: Tables) -> None:
    tables = landed.copy()
    repeat("slideagent.numbers", {"question_id": "open", "side": "gold"})(tables)
    tables.rows["core.landed_files"] = [
        {**row, "row_count": row["row_count"] + 1} for row in tables.rows["core.landed_files"]
    ]
    assert "landed_rows_match_manifests" in tables.findings(SUITES["landing", "slideagent"])


def test_every_rule_of_its_own_has_a_fault() -> None:
    shared = {
        "something_is_landed",
        "nothing_is_rejected",
        "landed_rows_match_manifests",
        "summaries_are_published",
        "counts_of_a_cell_add_up",
        "intervals_hold_their_order",
    }
    told = {rule for _, rule, _ in (*LANDING_FAULTS.values(), *MART_FAULTS.values())}
    rules = {
        rule.name for place in ("landing", "marts") for rule in SUITES[place, "slideagent"].rules
    }
    assert rules - shared == told


def test_an_empty_warehouse_never_passes(tmp_path: Path) -> None:
    verdict = gate.check_landing(WarehousePaths(tmp_path), "slideagent").verdict
    assert [one.check for one in verdict.findings] == ["something_is_landed"]
    assert verdict.exit_code == 5
