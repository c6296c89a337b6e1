"""Imported metrics through the whole warehouse: cells, intervals and reconciliations, exactly."""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.support import imported_trees, resampling
from tests.support.imported_trees import QUANTITIES, File, Planted
from tests.support.random_trees import plant
from tests.support.reference import TAUS
from tests.support.reference_summaries import METRICS
from tests.support.worlds import World, build_world

TREES = 40
TOLERANCE = Fraction(5, 100_000)


@dataclass(frozen=True)
class Imported:
    world: World
    planted: Planted


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Imported:
    root = tmp_path_factory.mktemp("imported_world")
    planted = Planted()
    trees = [plant(root, 7_000 + seed) for seed in range(TREES)]
    for seed, tree in enumerate(trees):
        imported_trees.judge_elsewhere(tree, random.Random(seed), planted)
    trees += [
        imported_trees.seed_row(root),
        imported_trees.foreign(root, planted),
        imported_trees.conditions(root),
    ]
    return Imported(build_world(root, trees), planted)


def reconciliations(imported: Imported) -> Iterator[tuple[File, dict[str, Any]]]:
    for row in imported.world.rows("select * from marts.fct_xslides__metric_reconciliations"):
        names = (*File._fields[:-1], "tau_a_thousandths")
        yield File._make(row[name] for name in names), row


def test_nothing_was_set_aside(imported: Imported) -> None:
    assert imported.world.rows("select * from marts.fct_rejects") == []


def test_every_value_stands_once_as_stated(imported: Imported) -> None:
    found: dict[File, dict[str, float | None]] = defaultdict(dict)
    for file, row in reconciliations(imported):
        if row["dataset_id"] not in ("seed_row", "conditions"):
            assert row["metric"] not in found[file]
            found[file][row["metric"]] = row["imported_value"]
    assert found == imported.planted.values


def test_every_reconciliation_of_a_judged_tree(imported: Imported) -> None:
    statuses: Counter[str] = Counter()
    for file, row in reconciliations(imported):
        one = imported.planted.evaluations.get(file)
        if one is None:
            continue
        status = row["reconciliation_status"]
        statuses[status] += 1
        if file.tau not in TAUS or not one.is_scored:
            assert (status, row["recomputed_value"]) == ("not_recomputed", None)
            continue
        exact, stated = one.metrics(file.tau)[row["metric"]], row["imported_value"]
        if exact is None or stated is None:
            assert status == ("equal" if exact is stated else "differs"), (file, row)
            continue
        difference = Fraction(stated) - exact
        assert row["recomputed_value"] == pytest.approx(float(exact), rel=1e-12)
        assert row["difference"] == pytest.approx(float(difference), abs=1e-12)
        bound = _bound(row["metric"], exact)
        if status == "equal":
            assert abs(difference) < 1e-12
        else:
            expected = "within_tolerance" if abs(difference) <= bound + 1e-12 else "differs"
            assert status == expected, (file, row)
    assert min(statuses.values()) > 40, statuses
    assert set(statuses) == {"equal", "within_tolerance", "differs", "not_recomputed"}


def _bound(metric: str, exact: Fraction) -> Fraction:
    if metric == "included_probe_count":
        return Fraction(0)
    return TOLERANCE * exact if "efficiency" in metric else TOLERANCE


def expected_cells(imported: Imported) -> dict[tuple[Any, ...], dict[str, tuple[Any, ...]]]:
    """Return (value, numerator, denominator) by case for each cell."""
    cells: dict[tuple[Any, ...], dict[str, tuple[Any, ...]]] = defaultdict(dict)
    for file, values in imported.planted.values.items():
        parts = (values.get("recovered_utility"), values.get("available_utility"))
        for metric in METRICS:
            if metric in values:
                place = (file.run_id, file.system_id, file.condition, file.audience)
                has_parts = metric == "coverage" and None not in (values[metric], *parts)
                term = (values[metric], *(parts if has_parts else (None, None)))
                cells[(*place, file.variant, file.tau, metric)][file.case_id] = term
    return cells


def summaries(imported: Imported) -> list[dict[str, Any]]:
    return imported.world.rows(
        "select * from marts.rpt_metric_summaries where judge_kind = 'imported' "
        "and slice_type = 'all' and not run_id like 'seed_row/%' and not run_id like 'conditions/%'"
    )


def cell_of(row: dict[str, Any]) -> tuple[Any, ...]:
    place = (row["run_id"], row["system_id"], row["condition"], row["audience"], row["variant"])
    return (*place, row["tau_a_thousandths"], row["metric"])


def test_every_cell_stands_on_its_own_files(imported: Imported) -> None:
    expected = expected_cells(imported)
    rows = summaries(imported)
    assert len(rows) == len(expected) > 100
    assert {cell_of(row) for row in rows} == set(expected)
    for row in rows:
        terms = expected[cell_of(row)]
        values = [Fraction(one[0]) for one in terms.values() if one[0] is not None]
        counts = (len(terms), len(terms), len(values), len(terms) - len(values))
        found = (row["n_total"], row["n_scored"], row["n_included"], row["n_undefined"])
        assert found == counts, row
        mean = sum(values, Fraction(0)) / len(values) if values else None
        assert _near(row["estimate"], mean)
        below = sum(one[2] or 0 for one in terms.values())
        micro = sum(one[1] or 0 for one in terms.values()) / below if below else None
        assert _near(row["micro_estimate"], micro)
        if mean is not None and len(values) > 1:
            squares = sum(((one - mean) ** 2 for one in values), Fraction(0))
            error = math.sqrt(squares / (len(values) - 1) / len(values))
            assert row["standard_error"] == pytest.approx(error, abs=2e-9)


def _near(found: float | None, expected: Any) -> bool:
    if found is None or expected is None:
        return found is expected
    return abs(found - float(expected)) <= 1e-9 * max(1.0, abs(float(expected)))


def test_cells_say_what_they_are_and_pool_with_nothing(imported: Imported) -> None:
    rows = imported.world.rows(
        "select distinct policy, judge_id, evaluation_config_id, weight_scope "
        "from marts.rpt_metric_summaries where judge_kind = 'imported'"
    )
    assert [tuple(row.values()) for row in rows] == [
        ("exclude_failed", "imported", None, "imported")
    ]
    tau_counts = imported.world.rows(
        "select tau_a_thousandths as tau, n_total from marts.rpt_metric_summaries where run_id = "
        "'foreign/unstated' and system_id = 'b' and metric = 'coverage' order by 1"
    )
    assert [(row["tau"], row["n_total"]) for row in tau_counts] == [(500, 1), (700, 11)]


def test_intervals_are_those_of_the_resampler(imported: Imported) -> None:
    expected = expected_cells(imported)
    compared = 0
    for row in summaries(imported):
        terms = expected[cell_of(row)]
        values = [one[0] for _, one in sorted(terms.items()) if one[0] is not None]
        if row["tau_a_thousandths"] != 700 or len(values) < 2:
            assert row["percentile_low"] is None
            continue
        fixed = np.array([round(one * 1e9) for one in values], dtype=np.int64)
        sums = np.sort(resampling.replicate_sums(fixed))
        ends = (float(sums[249]) / len(fixed) / 1e9, float(sums[9750]) / len(fixed) / 1e9)
        assert (row["percentile_low"], row["percentile_high"]) == ends, row
        compared += 1
    assert compared >= 8


def test_slices_follow_the_cases_that_are_known(imported: Imported) -> None:
    rows = imported.world.rows(
        "select slice, n_total, estimate from marts.rpt_metric_summaries "
        "where run_id = 'seed_row/unstated' and metric = 'coverage' and slice_type = 'scene'"
    )
    assert [tuple(row.values()) for row in rows] == [("academic_research_talk", 1, 0.6076)]


def test_the_printed_row_agrees_with_the_recomputed_one(imported: Imported) -> None:
    found = {
        row["metric"]: (row["reconciliation_status"], row["recomputed_value"], row["tolerance"])
        for file, row in reconciliations(imported)
        if file.run_id == "seed_row/unstated"
    }
    assert set(found) == {*METRICS, *QUANTITIES} - {"coverage_unweighted", "efficiency_word"}
    assert {status for status, _, _ in found.values()} == {"equal", "within_tolerance"}
    assert found["coverage"] == ("within_tolerance", pytest.approx(24 / 39.5), 5e-5)
    assert found["efficiency_time"] == ("equal", 3.2, pytest.approx(5e-5 * 3.2))
    assert found["included_probe_count"] == ("equal", 42.0, 0.0)


def test_a_difference_is_told_apart(imported: Imported) -> None:
    found = {
        row["metric"]: row for file, row in reconciliations(imported) if file[0] == "seed_row/run"
    }
    differs = [name for name, row in found.items() if row["reconciliation_status"] == "differs"]
    assert differs == ["coverage"]
    assert found["coverage"]["difference"] == pytest.approx(0.62 - 24 / 39.5)


def test_a_file_that_could_speak_of_two_evaluations_is_not_compared(imported: Imported) -> None:
    found = {
        file.run_id: (row["candidate_count"], row["recomputed_value"], row["reconciliation_status"])
        for file, row in reconciliations(imported)
        if row["dataset_id"] == "conditions" and row["metric"] == "coverage"
    }
    assert found == {
        "conditions/unstated": (2, None, "not_recomputed"),
        "conditions/run": (1, 0.0, "equal"),
    }
