"""Paired differences, ranks and the threshold sweep against numpy, from the fact alone."""

from __future__ import annotations

import itertools
import json
from collections import defaultdict
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.support import comparison_trees, resampling
from tests.support.comparison_trees import DATASET, SYSTEMS
from tests.support.worlds import World

RUN = f"{DATASET}/run"
METRICS = ("coverage", "efficiency_time", "correctness", "safe_efficiency_time")
SIDES = list(itertools.product(SYSTEMS, ("agnostic", "conditioned")))
LOW, HIGH = 250, 9_751
Values = dict[str, int]


@cache
def drawn(units: int) -> resampling.Integers:
    return resampling.counts(units)


def values_of(world: World, metric: str) -> dict[tuple[str, str], Values]:
    """Return the fixed-point value of each case by (system, condition)."""
    rows = world.rows(
        f"select system_id, condition, case_id, {metric} as value "
        "from marts.fct_xslides__deck_audience_scores "
        f"where run_id = ? and tau_a_thousandths = 700 and {metric} is not null",
        RUN,
    )
    found: dict[tuple[str, str], Values] = defaultdict(dict)
    for row in rows:
        found[row["system_id"], row["condition"]][row["case_id"]] = round(row["value"] * 1e9)
    return found


def differences(world: World, metric: str) -> dict[tuple[str, str, str, str], dict[str, Any]]:
    rows = world.rows(
        "select * from marts.rpt_paired_differences where run_id = ? and metric = ? "
        "and slice_type = 'all' and policy = 'exclude_failed'",
        RUN,
        metric,
    )
    names = ("first_system_id", "first_condition", "second_system_id", "second_condition")
    return {tuple(row[name] for name in names): row for row in rows}  # type: ignore[misc]


@pytest.mark.parametrize("metric", METRICS)
def test_paired_differences_equal_numpy(metric: str, golden_world: World) -> None:
    values = values_of(golden_world, metric)
    found = differences(golden_world, metric)
    expected = {
        (*one, *other)
        for one, other in itertools.permutations(SIDES, 2)
        if (one[1] == other[1] and one[0] < other[0])
        or (one[0] == other[0] and one[1] == "conditioned" and other[1] == "agnostic")
    }
    assert found.keys() == expected
    for key, row in found.items():
        first, second = values[key[:2]], values[key[2:]]
        common = sorted(first.keys() & second.keys())
        gaps = np.array([first[case] - second[case] for case in common], dtype=np.int64)
        sums = np.sort(drawn(len(common)) @ gaps)
        assert row["n_pairs"] == len(common)
        assert row["n_dropped_first"] == len(first) - len(common)
        assert row["n_dropped_second"] == len(second) - len(common)
        assert row["difference"] == pytest.approx(gaps.sum() / len(common) / 1e9, abs=1e-15)
        assert row["percentile_low"] == sums[LOW - 1] / len(common) / 1e9
        assert row["percentile_high"] == sums[HIGH - 1] / len(common) / 1e9
        share = min((sums <= 0).sum(), (sums >= 0).sum()) / resampling.RESAMPLES
        assert row["p_value"] == pytest.approx(min(1.0, max(2 * share, 1 / 10_001)), abs=1e-15)


@pytest.mark.parametrize("metric", METRICS)
def test_holm_never_falls_and_is_the_textbook_adjustment(metric: str, golden_world: World) -> None:
    rows = sorted(differences(golden_world, metric).values(), key=lambda row: row["p_value"])
    running = 0.0
    adjusted = []
    for place, row in enumerate(rows):
        running = max(running, (len(rows) - place) * row["p_value"])
        adjusted.append(min(1.0, running))
    assert sorted(row["p_holm"] for row in rows) == pytest.approx(sorted(adjusted), abs=1e-12)
    assert all(row["p_holm"] >= row["p_value"] for row in rows)


def test_equal_systems_differ_by_nothing_and_share_a_tie_group(golden_world: World) -> None:
    row = differences(golden_world, "coverage")["delta", "agnostic", "gamma", "agnostic"]
    assert (row["difference"], row["percentile_low"], row["percentile_high"]) == (0, 0, 0)
    assert row["p_value"] == 1
    assert row["is_degenerate"]
    ranks = ranks_of(golden_world, "coverage", "agnostic")
    assert ranks["gamma"]["system_rank"] == ranks["delta"]["system_rank"]
    assert ranks["gamma"]["tie_group"] == ranks["delta"]["tie_group"]


def ranks_of(world: World, metric: str, condition: str) -> dict[str, dict[str, Any]]:
    rows = world.rows(
        "select * from marts.rpt_rank_intervals where run_id = ? and metric = ? "
        "and condition = ? and policy = 'exclude_failed'",
        RUN,
        metric,
        condition,
    )
    return {row["system_id"]: row for row in rows}


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("condition", ["agnostic", "conditioned"])
def test_ranks_equal_numpy(metric: str, condition: str, golden_world: World) -> None:
    values = values_of(golden_world, metric)
    found = ranks_of(golden_world, metric, condition)
    common = sorted(set.intersection(*(set(values[one, condition]) for one in SYSTEMS)))
    table = np.array(
        [[values[one, condition][case] for case in common] for one in SYSTEMS], dtype=np.int64
    )
    sums = drawn(len(common)) @ table.T
    ranks = 1 + (sums[:, None, :] > sums[:, :, None]).sum(axis=2)
    best = (ranks == 1) / (ranks == 1).sum(axis=1, keepdims=True)
    for index, system in enumerate(SYSTEMS):
        row = found[system]
        ordered = np.sort(ranks[:, index])
        assert (row["rank_low"], row["rank_high"]) == (ordered[LOW - 1], ordered[HIGH - 1])
        assert row["probability_of_best"] == pytest.approx(best[:, index].mean(), abs=1e-12)
        assert row["n_common"] == len(common)
        assert row["estimate"] == pytest.approx(table[index].mean() / 1e9, abs=1e-15)
    assert sum(row["probability_of_best"] for row in found.values()) == pytest.approx(1)


@pytest.mark.parametrize("metric", METRICS)
def test_tie_groups_are_runs_of_neighbours_whose_interval_holds_zero(
    metric: str, golden_world: World
) -> None:
    values = values_of(golden_world, metric)
    found = ranks_of(golden_world, metric, "agnostic")
    common = sorted(set.intersection(*(set(values[one, "agnostic"]) for one in SYSTEMS)))
    order = sorted(SYSTEMS, key=lambda one: (-found[one]["estimate"], one))
    group = 1
    assert found[order[0]]["tie_group"] == 1
    for upper, lower in itertools.pairwise(order):
        gaps = [values[upper, "agnostic"][one] - values[lower, "agnostic"][one] for one in common]
        sums = np.sort(drawn(len(common)) @ np.array(gaps, dtype=np.int64))
        group += bool(sums[LOW - 1] > 0 or sums[HIGH - 1] < 0)
        assert found[lower]["tie_group"] == group


def exact_sweep(world: World) -> dict[tuple[str, str, Fraction], Fraction]:
    """Return mean coverage by (system, condition, threshold) straight from the tree."""
    root = world.root / DATASET
    coverages: dict[tuple[str, str, Fraction], list[Fraction]] = defaultdict(list)
    levels = {Fraction(round(10 * sum(one)), 30) for one in comparison_trees.SAMPLES}
    for path in sorted(root.glob("runs/run/evaluations/*/*/experts/*/probe_scores.jsonl")):
        system, condition, case = path.parts[-5], path.parts[-4], path.parts[-2]
        weights = {
            row["probe_id"]: Fraction(round(10 * sum(row["metadata"]["samples"])), 30)
            for row in read(root / "probes" / case / "weights" / "experts.jsonl")
        }
        covered = {row["probe_id"] for row in read(path) if row["covered"]}
        for level in levels:
            included = {one: weights[one] for one in weights if weights[one] >= level}
            if included:
                recovered = sum((included[one] for one in included.keys() & covered), Fraction())
                coverages[system, condition, level].append(recovered / sum(included.values()))
    return {key: sum(one, Fraction()) / len(one) for key, one in coverages.items()}


def read(path: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_sweep_equals_fractions_at_every_observed_weight(golden_world: World) -> None:
    expected = exact_sweep(golden_world)
    rows = golden_world.rows("select * from marts.rpt_tau_sensitivity where run_id = ?", RUN)
    found = {
        (row["system_id"], row["condition"], Fraction(round(row["tau_a"] * 30), 30)): row
        for row in rows
    }
    assert found.keys() == expected.keys()
    for key, value in expected.items():
        assert found[key]["estimate"] == pytest.approx(float(value), abs=1e-9)


def test_the_sweep_tells_where_the_order_turns(golden_world: World) -> None:
    rows = golden_world.rows(
        "select * from marts.rpt_tau_sensitivity where run_id = ? and condition = 'agnostic' "
        "order by step_number, system_id",
        RUN,
    )
    by_step: dict[int, dict[str, int]] = defaultdict(dict)
    flags: dict[int, set[bool]] = defaultdict(set)
    for row in rows:
        by_step[row["step_number"]][row["system_id"]] = row["system_rank"]
        flags[row["step_number"]].add(row["is_order_changed"])
    steps = sorted(by_step)
    assert flags[steps[0]] == {False}
    changes = [by_step[lower] != by_step[upper] for lower, upper in itertools.pairwise(steps)]
    assert [flags[step] for step in steps[1:]] == [{change} for change in changes]
    assert any(changes)
