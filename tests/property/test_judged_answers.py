"""Figures of random judged answers: the same as exact rationals and as scipy say."""

from __future__ import annotations

import csv
import statistics
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.support import ragchecker_files, resampling
from tests.support.golden_answers import RANDOM_FILES
from tests.support.worlds import World

# 2.5 % of 10,000 replicates.
LOW_RANK = 250
COLUMNS = {
    "precision": "answer_precision",
    "recall": "answer_recall",
    "f1": "answer_f1",
}


@pytest.mark.parametrize("seed", range(RANDOM_FILES))
def test_every_figure_is_the_exact_one(answers_world: World, seed: int) -> None:
    rows = answers_world.rows(
        "select * from marts.fct_rageval__judgment_scores where dataset_id = ?", f"drawn_{seed}"
    )
    by_question = {row["question_id"]: row for row in rows}
    drawn = ragchecker_files.draw_results(seed)
    assert len(rows) == len(drawn)
    for one in drawn:
        row = by_question[one["query_id"]]
        for name, value in ragchecker_files.figures(one).items():
            expected = None if value is None else float(value)
            assert row[COLUMNS.get(name, name)] == expected, (one["query_id"], name)


@pytest.mark.parametrize("seed", range(RANDOM_FILES))
def test_means_are_those_of_the_tool_when_nothing_counts_as_zero(
    answers_world: World, seed: int
) -> None:
    drawn = [ragchecker_files.figures(one) for one in ragchecker_files.draw_results(seed)]
    for name in drawn[0]:
        values = [one[name] for one in drawn]
        row = answers_world.one(
            "select * from marts.rpt_rageval__answer_metrics where run_id = ? and metric = ? "
            "and policy = 'zero_fill'",
            f"drawn_{seed}/imported",
            f"ragchecker_{name}",
        )
        expected = sum(value or 0 for value in values) / len(values)
        assert row["macro_estimate"] == pytest.approx(float(expected), abs=1e-15)
        assert row["n_included"] == len(values)


def read(world: World, name: str) -> list[dict[str, str]]:
    with (world.root / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def agreement(world: World, preference_set: str, kind: str) -> dict[str, Any]:
    return world.one(
        "select * from marts.rpt_rageval__metric_agreements "
        "where preference_set = ? and rater_kind = ?",
        preference_set,
        kind,
    )


def mapped(rows: list[dict[str, str]], metric: str) -> list[float]:
    """Return differences by pair: the median where one is undefined, from -2 to 2."""
    found = [
        float(row[f"m2_{metric}"]) - float(row[f"m1_{metric}"]) if row[f"m1_{metric}"] else None
        for row in rows
    ]
    middle = statistics.median(one for one in found if one is not None)
    filled = [middle if one is None else one for one in found]
    low, high = min(filled), max(filled)
    return [(one - low) / (high - low) * 4 - 2 for one in filled]


def test_coefficients_are_those_of_scipy(answers_world: World) -> None:
    rows = read(answers_world, "drawn.csv")
    ratings = np.repeat(mapped(rows, "f1"), 2)
    said = np.array([float(row[f"a{k}_overall"]) for row in rows for k in (1, 2)])
    row = agreement(answers_world, "drawn", "metric")
    for name, function in (
        ("pearson", stats.pearsonr),
        ("spearman", stats.spearmanr),
        ("kendall", stats.kendalltau),
    ):
        assert row[name] == pytest.approx(function(ratings, said)[0], abs=1e-12), name
    counts = (row["rated_row_count"], row["preference_pair_count"], row["imputed_count"])
    assert counts == (80, 40, 4)
    assert (row["phi"], row["kappa"]) == (None, None)


def test_annotators_are_held_against_each_other(answers_world: World) -> None:
    rows = read(answers_world, "drawn.csv")
    first, second = ([float(row[f"a{k}_overall"]) for row in rows] for k in (1, 2))
    row = agreement(answers_world, "drawn", "annotator")
    assert row["spearman"] == pytest.approx(stats.spearmanr(first, second)[0], abs=1e-12)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / len(rows)
    chance = sum(first.count(v) * second.count(v) for v in set(first)) / len(rows) ** 2
    assert row["kappa"] == pytest.approx((observed - chance) / (1 - chance), abs=1e-12)


def test_two_values_on_both_sides_make_all_coefficients_one(answers_world: World) -> None:
    row = agreement(answers_world, "binary", "metric")
    assert row["phi"] == row["pearson"]
    assert row["spearman"] == pytest.approx(row["pearson"], abs=1e-12)
    assert row["kendall"] == pytest.approx(row["pearson"], abs=1e-12)


def test_the_interval_of_a_correlation_is_resampled_by_pair(answers_world: World) -> None:
    rows = read(answers_world, "drawn.csv")
    order = sorted(range(len(rows)), key=lambda place: rows[place]["pair_no"])
    ratings = np.array(mapped(rows, "f1"))[order]
    said = np.array([[float(rows[p][f"a{k}_overall"]) for k in (1, 2)] for p in order])
    replicates = []
    for drawn in resampling.counts(len(rows)):
        weights = np.repeat(drawn, 2)
        x, y = np.repeat(ratings, 2), said.ravel()
        mean_x, mean_y = np.average(x, weights=weights), np.average(y, weights=weights)
        shared = np.sum(weights * (x - mean_x) * (y - mean_y))
        spread = np.sum(weights * (x - mean_x) ** 2) * np.sum(weights * (y - mean_y) ** 2)
        replicates.append(shared / np.sqrt(spread))
    row = agreement(answers_world, "drawn", "metric")
    replicates.sort()
    assert row["pearson_low"] == pytest.approx(replicates[LOW_RANK - 1], abs=1e-9)
    assert row["pearson_high"] == pytest.approx(replicates[-LOW_RANK], abs=1e-9)
