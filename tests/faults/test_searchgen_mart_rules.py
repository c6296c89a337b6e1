"""Mart gate of searchgen: each fault alone, planted in clean marts, is told by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from expectations import gate
from expectations.suites import SUITES
from tests.support.searchgen_gates import mart_tables
from tests.support.spoiled_tables import Row, Spoil, Tables, drop, edit, repeat
from warehouse.contracts.core import ACCEPTED_FINDINGS
from warehouse.contracts.searchgen_values import COMPONENTS
from warehouse.paths import WarehousePaths

SUITE = SUITES["marts", "searchgen"]
BOARDS, SCORES = "marts.rpt_searchgen__leaderboards", "marts.fct_searchgen__prompt_scores"
RECONCILIATIONS = "marts.fct_searchgen__aggregate_reconciliations"
SUMMARIES = "marts.rpt_metric_summaries"
RUNS, STAGED = "staging.stg_searchgen__runs", "staging.stg_searchgen__prompt_scores"
# A group outside the strata, in a slice that summaries do not know: no other rule reads it.
ART = {"slice": "mini", "view": "domain", "group_name": "ART"}
CELL = {**ART, "policy": "all_zero_fill", "source_id": "alpha"}
BASE = {**CELL, "policy": "published"}
VISUAL = {**CELL, "view": "stratum", "group_name": "VisualSearch"}
SUMMARY = {
    "slice": "ART",
    "policy": "published",
    "system_id": "alpha",
    "metric": "overall_9",
}
PLACE = "searchgen/test/mini/domain/ART/all_zero_fill/alpha"


def plus(name: str, by: float) -> Any:
    return lambda row: row[name] + by


def without_references(row: Row) -> float:
    return float(row["overall_9"]) - 0.1


# What is planted, the rules that tell it, and a text that must stand in what the first tells.
FAULTS: dict[str, tuple[Spoil, tuple[str, ...], str]] = {
    "a landed release has no board": (
        repeat(RUNS, {}, run_id="searchgen/other"),
        ("every_landed_release_has_boards",),
        "models.yml:None searchgen/other",
    ),
    "a result is not published": (
        drop(SCORES, sample_id="prompt_003", source_id="alpha"),
        ("every_result_is_published",),
        "searchgen/test/prompt_003/alpha/none: 0 rows, 1 landed",
    ),
    "two judges in one cell": (
        edit(SCORES, {"sample_id": "prompt_003", "source_id": "alpha"}, judge_id="another"),
        ("boards_never_pool_judges",),
        "searchgen/test/alpha: the board names ffjudge, 2 judges are behind it, among them another",
    ),
    "a board of another judge": (
        edit(BOARDS, CELL, judge_kind="human"),
        ("boards_never_pool_judges",),
        "searchgen/test/alpha",
    ),
    "a published figure that is not ours": (
        edit(RECONCILIATIONS, {}, reconciliation_status="differs", recomputed_value=31.0),
        ("published_boards_equal_ours",),
        "leaderboard_overall.json:None searchgen/test/leaderboard_overall.json/all/overall/All/"
        "alpha-1/n_total: published 30.0, recomputed 31.0",
    ),
    "a published null that is ours no null": (
        edit(RECONCILIATIONS, {}, reconciliation_status="null_mismatch", published_value=None),
        ("published_boards_equal_ours",),
        "published null, recomputed 30.0",
    ),
    "a model is not on a board": (
        drop(BOARDS, **{**CELL, "source_id": "gamma"}),
        ("every_board_lists_every_model_once",),
        "ART/all_zero_fill/gamma: 0 rows",
    ),
    "a policy is not there": (
        drop(BOARDS, **ART, policy="common_prompts"),
        ("every_group_has_every_policy",),
        "searchgen/test/mini/domain/ART/common_prompts",
    ),
    "more scored than there are prompts": (
        edit(BOARDS, CELL, n_scored=99),
        (
            "counts_of_a_board_row_add_up",
            "statuses_of_a_board_are_those_of_its_results",
            "included_counts_follow_the_declared_policy",
        ),
        f"{PLACE}: 7 prompts, 99 scored",
    ),
    "a share that is another": (
        edit(BOARDS, CELL, scored_share=plus("scored_share", -0.001)),
        ("counts_of_a_board_row_add_up",),
        PLACE,
    ),
    "parts that do not add up": (
        edit(BOARDS, VISUAL, checklist_count=plus("checklist_count", -1)),
        ("counts_of_parts_of_a_board_add_up", "denominators_follow_the_declared_policy"),
        "SearchIntensive/all_zero_fill/alpha: checklist_count is",
    ),
    "a score above 100": (
        edit(BOARDS, CELL, checklist=100.1),
        ("board_scores_lie_between_0_and_100",),
        f"{PLACE}: checklist is 100.1",
    ),
    "a null that counts": (
        edit(BOARDS, CELL, checklist=None),
        ("board_scores_are_null_where_nothing_counts",),
        f"{PLACE}: checklist is null of",
    ),
    "a zero that nothing counts for": (
        edit(
            BOARDS,
            {**CELL, "policy": "all_exclude"},
            text_rendering=0.0,
            text_rendering_count=0,
        ),
        ("board_scores_are_null_where_nothing_counts", "denominators_follow_the_declared_policy"),
        "ART/all_exclude/alpha: text_rendering is 0.0 of 0",
    ),
    "overalls that differ without a text reference": (
        edit(
            BOARDS,
            CELL,
            text_reference_evaluation=None,
            text_reference_evaluation_count=0,
            overall_10=without_references,
            overall_10_rounded=lambda row: round(row["overall_10"], 1),
        ),
        (
            "both_overalls_are_one_where_no_text_reference_counts",
            "denominators_follow_the_declared_policy",
        ),
        PLACE,
    ),
    "a figure that was rounded twice": (
        edit(BOARDS, CELL, overall_10_rounded=plus("overall_10_rounded", 0.1)),
        ("overalls_are_rounded_once",),
        f"{PLACE}: overall_10 is",
    ),
    "a rank that the score does not give": (
        edit(
            BOARDS,
            BASE | {"policy": "all_exclude"},
            model_rank=plus("model_rank", 1),
            rank_change=plus("rank_change", -1),
        ),
        ("ranks_follow_the_unrounded_score",),
        "ART/all_exclude/alpha: model_rank is",
    ),
    "a published rank of another order": (
        edit(BOARDS, CELL, rank_published=plus("rank_published", 1)),
        ("published_ranks_follow_score_and_name",),
        f"{PLACE}: rank_published is",
    ),
    "a rank change that is none": (
        edit(BOARDS, CELL, rank_change=plus("rank_change", 1)),
        ("rank_changes_are_those_from_the_published_policy",),
        f"{PLACE}: rank_change is",
    ),
    "an interval that is upside down": (
        edit(BOARDS, CELL, overall_9_low=50.0, overall_9_high=40.0),
        ("board_intervals_hold_their_order",),
        f"{PLACE}: overall_9 50.0 to 40.0",
    ),
    "low coverage without a flag": (
        edit(BOARDS, CELL, is_low_coverage=False, scored_share=lambda row: row["scored_share"]),
        ("flags_follow_the_counts",),
        PLACE,
    ),
    "a group of another size": (
        edit(
            BOARDS,
            {**ART, "source_id": "alpha"},
            n_total=plus("n_total", 1),
            n_missing_generation=plus("n_missing_generation", 1),
            scored_share=lambda row: row["n_scored"] / row["n_total"],
        ),
        (
            "boards_hold_the_prompts_of_their_group",
            "statuses_of_a_board_are_those_of_its_results",
            "included_counts_follow_the_declared_policy",
            "denominators_follow_the_declared_policy",
        ),
        "searchgen/test/mini/domain/ART: 7 prompts, n_total is 7 to 8",
    ),
    "a policy that fills what it excludes": (
        edit(
            BOARDS,
            {**BASE, "slice": "all", "source_id": "beta"},
            n_included=lambda row: row["n_total"],
        ),
        ("included_counts_follow_the_declared_policy",),
        "all/domain/ART/published/beta: n_included is",
    ),
    "a denominator that counts what does not apply": (
        edit(
            BOARDS,
            {**CELL, "policy": "applicability_aware"},
            **{f"{name}_count": lambda row: row["n_included"] for name in COMPONENTS},
        ),
        ("denominators_follow_the_declared_policy",),
        "ART/applicability_aware/alpha:",
    ),
    "a summary with more undefined than scored": (
        edit(SUMMARIES, SUMMARY, n_undefined=99),
        ("counts_of_a_cell_add_up",),
        "searchgen/test/overall_9/ART/alpha/none/all/published: total",
    ),
    "a summary with an interval upside down": (
        edit(SUMMARIES, SUMMARY, percentile_low=50.0, percentile_high=40.0),
        ("intervals_hold_their_order",),
        "searchgen/test/overall_9/ART/alpha/none/all/published: estimate",
    ),
    "a summary that says something else": (
        edit(
            SUMMARIES,
            SUMMARY,
            estimate=plus("estimate", 1e-8),
        ),
        ("summaries_agree_with_boards_on_overall_9",),
        "searchgen/test/domain/ART/published/alpha: on the board",
    ),
    "a summary that is not there": (
        drop(SUMMARIES, slice="ART", policy="published", system_id="alpha", metric="overall_10"),
        ("summaries_agree_with_boards_on_overall_10",),
        "searchgen/test/domain/ART/published/alpha",
    ),
}


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return mart_tables(tmp_path_factory.mktemp("clean"))


def test_clean_marts_have_nothing_to_tell(clean: Tables) -> None:
    assert clean.findings(SUITE) == {}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_alone_is_told_by_its_rules_alone(fault: str, clean: Tables) -> None:
    spoil, rules, text = FAULTS[fault]
    tables = clean.copy()
    spoil(tables)
    found = tables.findings(SUITE)
    assert set(found) == set(rules), found
    assert any(text in one for one in found[rules[0]]), found[rules[0]]


def test_a_record_that_is_absent_is_counted_and_told(clean: Tables) -> None:
    tables = clean.copy()
    gone = {"sample_id": "prompt_003", "source_id": "beta"}
    for table in (STAGED, SCORES):
        drop(table, **gone)(tables)
    hit = {"source_id": "beta", "view": "overall", "slice": "all"}
    edit(BOARDS, hit, n_missing_generation=0, n_missing_evaluation=0, n_invalid_evaluation=0)(
        tables
    )
    found = tables.findings(SUITE)["board_rows_count_a_record_of_every_prompt"]
    assert "searchgen/test/all/overall/All/published/beta" in found[0]


def test_published_boards_alone_need_no_boards_of_ours(clean: Tables) -> None:
    tables = clean.copy()
    for name in tables.rows:
        if name != RECONCILIATIONS:
            tables.rows[name] = []
    assert tables.findings(SUITE) == {}
    tables.rows[RECONCILIATIONS] = []
    assert set(tables.findings(SUITE)) == {"boards_are_published", "summaries_are_published"}


def test_the_gate_reads_the_build_file_and_leaves_it_as_it_was(
    clean: Tables, tmp_path: Path
) -> None:
    paths = WarehousePaths(tmp_path)
    tables = clean.copy()
    edit(BOARDS, CELL, checklist=100.1)(tables)
    tables.rows["core.accepted_findings"] = []
    tables.types["core.accepted_findings"] = ACCEPTED_FINDINGS.schema
    paths.build_file.parent.mkdir(parents=True)
    with duckdb.connect(str(paths.build_file)) as connection:
        tables.create(connection)
        before = connection.execute("show all tables").fetchall()
    verdict = gate.check_marts(paths, "searchgen").verdict
    assert [(one.check, one.subject) for one in verdict.findings] == [
        ("board_scores_lie_between_0_and_100", PLACE)
    ]
    assert verdict.exit_code == 1
    with duckdb.connect(str(paths.build_file)) as connection:
        assert connection.execute("show all tables").fetchall() == before
