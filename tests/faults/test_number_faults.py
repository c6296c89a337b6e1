"""Published numbers and the gates before them (catalogue L, S, D02, G)."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest

from expectations import gate
from expectations.verdict import Verdict
from tests.support import golden_trees
from tests.support.golden_trees import SLIDELESS
from tests.support.landed import findings_of, land_tree
from tests.support.project import mart_files, models
from tests.support.worlds import World
from warehouse import states
from warehouse.findings import Outcome
from warehouse.paths import WarehousePaths

FACT = "marts.fct_xslides__deck_audience_scores"
SUMMARIES = "marts.rpt_metric_summaries"
# A mart spoiled in one place, and the rule of the mart gate that says so.
SPOILS = {
    "coverages_lie_between_0_and_1": (
        f"update {FACT} set coverage = 1.5, coverage_high = 1.5 "
        "where dataset_id = 'seed_row' and tau_a_thousandths = 700"
    ),
    "utilities_stay_within_their_bounds": (
        f"update {FACT} set recovered_utility = available_utility + 1 "
        "where dataset_id = 'agnostic_deck' and tau_a_thousandths = 700"
    ),
    "efficiencies_are_finite": (
        f"update {FACT} set efficiency_time = 'nan'::double "
        "where dataset_id = 'seed_row' and tau_a_thousandths = 600"
    ),
    "safe_efficiency_never_exceeds_efficiency": (
        f"update {FACT} set safe_efficiency_time = efficiency_time * 2 "
        "where dataset_id = 'comparisons' and tau_a_thousandths = 700"
    ),
    "domains_add_up_to_the_total": (
        "delete from marts.fct_xslides__domain_recoveries where run_id = 'seed_row/run'"
    ),
    "the_whole_grid_is_published": (
        f"delete from {FACT} where dataset_id = 'mixed_judges' and tau_a_thousandths = 700"
    ),
    "counts_of_a_cell_add_up": (
        f"update {SUMMARIES} set n_included = n_total + 1 where run_id = 'statuses/run'"
    ),
    "intervals_hold_their_order": (
        f"update {SUMMARIES} set percentile_low = percentile_high + 1 "
        "where run_id = 'units/run' and percentile_low is not null"
    ),
    "judge_agreements_stay_within_their_bounds": (
        "update marts.rpt_judge_agreements set cohens_kappa = 1.5 where system_id = 'hand'"
    ),
    "judge_has_not_drifted": (
        "insert into marts.rpt_judge_drift (set_name, task, judge_kind, judge_id, drift_status, "
        "is_latest, is_alarm) values ('items', 'answerability', 'llm', 'judge-a', "
        "'agreement_low', true, true)"
    ),
}


@contextmanager
def copied(world: World, folder: Path) -> Iterator[WarehousePaths]:
    """Yield a copy of a built warehouse that may be spoiled."""
    target = folder / "warehouse"
    shutil.copytree(world.paths.root, target)
    yield WarehousePaths(target)
    shutil.rmtree(target)


def marts_verdict(paths: WarehousePaths) -> Verdict:
    return gate.check_marts(paths, "xslides").verdict


def test_the_mart_gate_names_every_spoiled_mart(golden_world: World, tmp_path: Path) -> None:
    with copied(golden_world, tmp_path) as paths:
        clean = {one.check for one in marts_verdict(paths).findings}
        assert clean.isdisjoint(SPOILS)
        with duckdb.connect(str(paths.build_file)) as connection:
            for statement in SPOILS.values():
                changed = connection.execute(statement).fetchall()[0][0]
                assert changed, statement
        verdict = marts_verdict(paths)
    assert set(SPOILS) <= {one.check for one in verdict.findings}
    assert verdict.exit_code == 1


def test_an_empty_mart_fails_the_gate_by_its_count(golden_world: World, tmp_path: Path) -> None:
    with copied(golden_world, tmp_path) as paths:
        with duckdb.connect(str(paths.build_file)) as connection:
            connection.execute(f"delete from {SUMMARIES}")
        found = {one.check: one.outcome for one in marts_verdict(paths).findings}
    assert found["summaries_are_published"] is Outcome.NOTHING_SELECTED


def test_an_empty_mart_is_a_file_without_a_ghost_row(golden_world: World, tmp_path: Path) -> None:
    with copied(golden_world, tmp_path) as paths:
        state = states.promote(paths, "state_00000001")
        empty = [name for name, content in state.marts.items() if content["rows"] == 0]
        assert empty
        for name in empty:
            table = pq.read_table(state.folder / "marts" / f"{name}.parquet")
            assert table.num_rows == 0
            documented = [column["name"] for column in models()[name]["columns"]]
            assert sorted(table.column_names) == sorted(documented)


def test_a_deck_without_slides_costs_as_much_as_one(golden_world: World) -> None:
    rows = golden_world.rows(
        f"select system_id, time_cost_minutes, efficiency_slide, efficiency_time, efficiency_word "
        f"from {FACT} where dataset_id = 'no_slides' and tau_a_thousandths = 700"
    )
    found = {row.pop("system_id"): tuple(row.values()) for row in rows}
    assert found["bare"] == (0.0, 1.0, None, None)
    assert found["worded"] == (1.0, 1.0, 1.0, pytest.approx(1 / 130))
    assert found["one_slide"] == (1.25, 1.0, 0.8, pytest.approx(1 / 130))


def test_a_deck_without_slides_is_told_and_fails_nothing(tmp_path: Path) -> None:
    paths = land_tree(tmp_path / "warehouse", golden_trees.no_slides(tmp_path))
    found = findings_of(paths)
    assert [(one.check, one.outcome) for one in found] == [
        ("every_deck_has_slides", Outcome.WARNED)
    ] * 2
    assert {one.subject.split("/")[0] for one in found} == {
        system for system, (slides, _) in SLIDELESS.items() if slides == 0
    }


def test_no_published_number_is_infinite_or_not_a_number(golden_world: World) -> None:
    checked = 0
    for name in mart_files():
        for row in golden_world.rows(f"select * from marts.{name}"):
            numbers = [value for value in row.values() if isinstance(value, float)]
            checked += len(numbers)
            assert all(map(math.isfinite, numbers)), (name, row)
    assert checked > 10_000


def test_every_figure_says_how_many_of_how_many(golden_world: World) -> None:
    rows = golden_world.rows(
        f"select * from {SUMMARIES} where run_id = 'comparisons/run' and metric = 'coverage' "
        "and slice_type = 'all' and tau_a_thousandths = 700 and policy = 'exclude_failed' "
        "and condition = 'agnostic'"
    )
    counts = {row["system_id"]: (row["n_included"], row["n_total"]) for row in rows}
    assert counts == {"alpha": (14, 14), "beta": (12, 12), "gamma": (14, 14), "delta": (14, 14)}


def test_systems_are_ranked_and_paired_on_the_cases_that_both_have(golden_world: World) -> None:
    def counts(query: str) -> set[Any]:
        return {row["n"] for row in golden_world.rows(query)}

    ranked = "select {} as n from marts.rpt_rank_intervals where run_id = 'comparisons/run' "
    where = "and metric = 'coverage' and condition = 'agnostic' and policy = 'exclude_failed'"
    assert counts(ranked.format("n_common") + where) == {12}
    paired = (
        "select n_pairs as n from marts.rpt_paired_differences "
        "where run_id = 'comparisons/run' and metric = 'coverage' and slice_type = 'all' "
        "and policy = 'exclude_failed' and first_condition = 'agnostic' "
        "and second_condition = 'agnostic' and {} in (first_system_id, second_system_id)"
    )
    assert counts(paired.format("'beta'")) == {12}


def test_a_multiplied_row_never_raises_coverage(golden_world: World) -> None:
    rows = golden_world.rows(f"select coverage, coverage_high from {FACT}")
    assert len(rows) > 100
    values = [value for row in rows for value in row.values() if value is not None]
    assert max(values) <= 1 + 1e-12
    grains = golden_world.rows(
        f"select count(*) as total, count(distinct (evaluation_id, tau_a_thousandths)) as apart "
        f"from {FACT}"
    )
    assert grains[0]["total"] == grains[0]["apart"]
