"""A weight that equals tau_a is included, whatever order its samples came in."""

from __future__ import annotations

import itertools
import json

import pytest

from tests.support.golden_trees import RUBRIC, TAUS, TIE_SIZES, tied_orders
from tests.support.worlds import World

STEPS = """
    select weights.metadata, weights.utility_weight, thresholded.tau_step
    from intermediate.int_xslides__weights_thresholded as thresholded
    inner join staging.stg_xslides__weights as weights using (weight_key)
    where weights.source_file = ?
    order by weights.source_line
"""


@pytest.mark.parametrize("k", TIE_SIZES)
def test_every_order_of_tied_samples_is_included(golden_world: World, k: int) -> None:
    rows = golden_world.rows(STEPS, f"probes/sampled_k{k:02d}/weights/specialists.jsonl")
    planted = [(step, *one) for step, tau in enumerate(TAUS, 1) for one in tied_orders(k, tau)]
    assert len(rows) == len(planted)
    for row, (step, order, mean) in zip(rows, planted, strict=True):
        assert json.loads(row["metadata"])["samples"] == order
        assert row["utility_weight"] == mean
        assert row["tau_step"] == step, (order, mean)


@pytest.mark.parametrize("k", TIE_SIZES)
def test_a_tied_mean_without_samples_is_included(golden_world: World, k: int) -> None:
    rows = golden_world.rows(STEPS, f"probes/stated_k{k:02d}/weights/specialists.jsonl")
    assert rows
    for row in rows:
        assert row["metadata"] is None
        nearest = min(TAUS, key=lambda tau: abs(tau / 1000 - row["utility_weight"]))
        assert row["tau_step"] == TAUS.index(nearest) + 1, row


def test_the_slack_on_stated_weights_is_a_billionth(golden_world: World) -> None:
    rows = golden_world.rows(STEPS, "probes/near/weights/specialists.jsonl")
    steps = [row["tau_step"] for row in rows]
    assert steps == [step for index in range(1, len(TAUS)) for step in (index, index - 1, index)]


@pytest.mark.parametrize("kind", ["sampled", "stated"])
@pytest.mark.parametrize("k", TIE_SIZES)
def test_included_counts_of_the_fact(golden_world: World, kind: str, k: int) -> None:
    ties = [(tau, mean) for tau in TAUS for _, mean in tied_orders(k, tau)]
    planted = ties if kind == "sampled" else sorted({(tau, mean) for tau, mean in ties})
    rows = golden_world.rows(
        "select tau_a_thousandths, included_probe_count, coverage "
        "from marts.fct_xslides__deck_audience_scores "
        "where dataset_id = 'tau_ties' and case_id = ?",
        f"{kind}_k{k:02d}",
    )
    assert {row["tau_a_thousandths"]: row["included_probe_count"] for row in rows} == {
        tau: sum(tied >= tau for tied, _ in planted) for tau in TAUS
    }
    assert {row["coverage"] for row in rows} == {1.0}


@pytest.mark.parametrize("k", [4, 5, 6])
def test_the_planted_orders_stand_for_all_orders(k: int) -> None:
    for tau in TAUS:
        means = set()
        for order in itertools.product(RUBRIC, repeat=k):
            if 100 * sum(round(10 * one) for one in order) == k * tau:
                means.add((tuple(sorted(order)), sum(order) / k))
        assert means == {(tuple(sorted(order)), mean) for order, mean in tied_orders(k, tau)}


def test_float_means_would_have_lost_some() -> None:
    lost = {
        (k, tau)
        for k in TIE_SIZES
        for tau in TAUS
        if any(mean < tau / 1000 for _, mean in tied_orders(k, tau))
    }
    assert {(6, 700), (7, 600), (10, 700)} <= lost
