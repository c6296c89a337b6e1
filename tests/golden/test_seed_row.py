"""The metrics row that the benchmark's own description prints."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.support.worlds import World


@pytest.fixture
def row(golden_world: World) -> dict[str, object]:
    return golden_world.one(
        "select * from marts.fct_xslides__deck_audience_scores "
        "where dataset_id = 'seed_row' and tau_a_thousandths = 700"
    )


def test_counts_and_utilities(row: dict[str, object]) -> None:
    assert row["evaluation_status"] == "ok"
    assert row["included_probe_count"] == 42
    assert row["available_utility"] == 39.5
    assert row["recovered_utility"] == 24.0
    assert (row["slide_count"], row["visible_word_count"]) == (12, 585)
    assert (row["covered_probe_count"], row["probe_count"]) == (25, 52)


@pytest.mark.parametrize(
    ("metric", "expected", "printed"),
    [
        ("coverage", Fraction(240, 395), "0.607595"),
        ("coverage_unweighted", Fraction(25, 42), "0.595238"),
        ("coverage_low", Fraction(240, 395), "0.607595"),
        ("coverage_high", Fraction(240, 395), "0.607595"),
        ("time_cost_minutes", Fraction(15, 2), "7.500000"),
        ("efficiency_time", Fraction(16, 5), "3.200000"),
        ("efficiency_slide", Fraction(2), "2.000000"),
        ("efficiency_word", Fraction(24, 585), "0.041026"),
        ("efficiency_time_literal", Fraction(16, 5), "3.200000"),
        ("efficiency_word_literal", Fraction(24, 585), "0.041026"),
        ("correctness", Fraction(9, 10), "0.900000"),
        ("correctness_low", Fraction(18, 23), "0.782609"),
        ("correctness_high", Fraction(21, 23), "0.913043"),
        ("safe_efficiency_time", Fraction(72, 25), "2.880000"),
    ],
)
def test_metric(row: dict[str, object], metric: str, expected: Fraction, printed: str) -> None:
    value = row[metric]
    assert isinstance(value, float)
    assert abs(value - float(expected)) <= 1e-12
    assert f"{value:.6f}" == printed


def test_claims(row: dict[str, object]) -> None:
    assert (row["claim_count"], row["settled_claim_count"]) == (23, 20)
    assert (row["contradicted_claim_count"], row["unsupported_claim_count"]) == (1, 1)
    assert row["has_many_unsettled_claims"] is False


def test_lower_threshold_takes_the_others_in(golden_world: World) -> None:
    row = golden_world.one(
        "select * from marts.fct_xslides__deck_audience_scores "
        "where dataset_id = 'seed_row' and tau_a_thousandths = 600"
    )
    assert row["included_probe_count"] == 52
    assert (row["available_utility"], row["recovered_utility"]) == (45.5, 30.0)
