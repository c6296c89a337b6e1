"""Differences: which cells moved, came and went, and what a tolerance and NULL do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.project import mart_keys
from tests.support.promoted import Row, cell, promote
from warehouse import diff
from warehouse.diff import Diff
from warehouse.paths import WarehousePaths


@pytest.fixture
def paths(tmp_path: Path) -> WarehousePaths:
    return WarehousePaths(tmp_path / "warehouse")


def compare(paths: WarehousePaths, old: list[Row], new: list[Row], tolerance: float = 0.0) -> Diff:
    first, second = promote(paths, old), promote(paths, new)
    return diff.compare(paths, first.name, second.name, tolerance)


def test_the_key_is_the_key_of_the_mart() -> None:
    assert mart_keys()[diff.SUMMARIES] == diff.KEY


def test_a_moved_number_is_told_with_old_new_and_difference(paths: WarehousePaths) -> None:
    still = cell(slice_type="scene", slice="talk")
    found = compare(paths, [cell(), still], [cell(estimate=0.75), still])
    (change,) = found.changed
    assert (change.old, change.new, change.difference) == (0.5, 0.75, 0.25)
    assert change.key["slice"] == "all"
    assert (found.added, found.removed) == ((), ())


def test_null_key_columns_are_equal(paths: WarehousePaths) -> None:
    found = compare(paths, [cell(evaluation_config_id=None)], [cell(n_total=4)])
    (change,) = found.changed
    assert change.figures == {"n_total": (3, 4)}
    assert change.difference == 0


def test_a_null_and_a_value_in_the_key_are_two_cells(paths: WarehousePaths) -> None:
    found = compare(paths, [cell()], [cell(evaluation_config_id="config_1")])
    assert [len(part) for part in (found.changed, found.added, found.removed)] == [0, 1, 1]


def test_undefined_is_no_zero_and_no_tolerance_hides_it(paths: WarehousePaths) -> None:
    found = compare(paths, [cell(estimate=None)], [cell(estimate=0.0)], tolerance=1.0)
    (change,) = found.changed
    assert (change.old, change.new, change.difference) == (None, 0.0, None)


def test_a_tolerance_is_the_largest_difference_that_counts_as_none(paths: WarehousePaths) -> None:
    old, new = [cell()], [cell(estimate=0.625)]
    assert compare(paths, old, new, 0.0625).has_changes
    assert not compare(paths, old, new, 0.125).has_changes


def test_groups_count_by_metric_and_slice(paths: WarehousePaths) -> None:
    old = [cell(), cell(system_id="other"), cell(slice_type="domain", slice="method")]
    new = [cell(estimate=0.25), cell(system_id="other", estimate=0.6), cell(audience="experts")]
    groups = compare(paths, old, new).groups()
    counts = [(one.slice, one.changed_count, one.added_count, one.removed_count) for one in groups]
    assert counts == [("all", 2, 1, 0), ("method", 0, 0, 1)]
    assert groups[0].largest_difference == -0.25


def test_one_release_is_no_difference(paths: WarehousePaths) -> None:
    state = promote(paths, [cell()])
    found = diff.compare(paths, state.name, "current")
    assert not found.has_changes


def test_a_figure_that_one_side_lacks_is_left_out(paths: WarehousePaths) -> None:
    older = {name: value for name, value in cell().items() if name != "expanded_low"}
    found = compare(paths, [older], [cell(expanded_low=0.1)])
    assert not found.has_changes
