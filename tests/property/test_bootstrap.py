"""Intervals in SQL against numpy: the same bits, the right ranks, the known special cases."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.support import resampling
from tests.support.golden_trees import UNIT_SYSTEMS
from tests.support.worlds import World
from warehouse import statistics

SUMMARIES = """
    select *
    from marts.rpt_metric_summaries
    where run_id = 'units/run' and slice_type = 'all' and tau_a_thousandths = 700
        and policy = 'exclude_failed'
"""
SCALE = 1e9


@cache
def drawn(units: int) -> resampling.Integers:
    return resampling.counts(units)


def fixed_values(world: World, row: dict[str, Any]) -> resampling.Integers:
    """Return the defined values behind a summary row, by case, straight from the fact."""
    values = world.rows(
        f"select {row['metric']} as value from marts.fct_xslides__deck_audience_scores "
        "where run_id = ? and system_id = ? and tau_a_thousandths = ? "
        f"and {row['metric']} is not null order by case_id",
        row["run_id"],
        row["system_id"],
        row["tau_a_thousandths"],
    )
    return np.array([round(one["value"] * SCALE) for one in values], dtype=np.int64)


def half_up(value: float) -> int:
    return math.floor(value + 0.5)


def expected_rank(method: str, units: int) -> int:
    half_alpha = 0.025
    if method == "expanded":
        t = stats.t.ppf(0.975, units - 1)
        half_alpha = stats.norm.cdf(-math.sqrt(units / (units - 1)) * t)
    return max(1, half_up(half_alpha * (resampling.RESAMPLES + 1)))


def test_replicate_sums_are_bit_equal(golden_world: World) -> None:
    columns = golden_world.connection.execute(
        """
        select
            listed.cell_number,
            listed.unit_count,
            list_dot_product(listed.unit_values, draws.draw_counts) as replicate_sum
        from intermediate.int_metric_units_listed as listed
        inner join intermediate.int_bootstrap_counts_drawn as draws using (unit_count)
        order by listed.cell_number, draws.replicate
        """
    ).fetchnumpy()
    sums = columns["replicate_sum"].reshape(-1, resampling.RESAMPLES)
    cells = golden_world.rows(
        "select unit_values from intermediate.int_metric_units_listed order by cell_number"
    )
    assert len(cells) == len(sums) > 50
    for cell, found in zip(cells, sums, strict=True):
        values = np.array(cell["unit_values"], dtype=np.int64)
        assert np.array_equal(found, (drawn(len(values)) @ values).astype(np.float64))


def test_counts_are_bit_equal_and_sum_to_n(golden_world: World) -> None:
    sizes = golden_world.rows(
        "select unit_count, count(*) as replicates, min(list_sum(draw_counts)) as low, "
        "max(list_sum(draw_counts)) as high, min(len(draw_counts)) as size "
        "from intermediate.int_bootstrap_counts_drawn group by unit_count order by unit_count"
    )
    assert {2, 3, 8, 97} <= {row["unit_count"] for row in sizes}
    for row in sizes:
        units = row["unit_count"]
        assert (row["replicates"], row["low"], row["high"], row["size"]) == (
            resampling.RESAMPLES,
            units,
            units,
            units,
        )
        lists = golden_world.connection.execute(
            "select draw_counts from intermediate.int_bootstrap_counts_drawn "
            "where unit_count = ? order by replicate",
            [units],
        ).fetchnumpy()["draw_counts"]
        assert np.array_equal(np.stack(list(lists)), drawn(units))


def test_interval_ends_are_order_statistics_of_the_sums(golden_world: World) -> None:
    rows = [row for row in golden_world.rows(SUMMARIES) if row["interval_method"] == "bootstrap"]
    assert len(rows) > 40
    for row in rows:
        values = fixed_values(golden_world, row)
        sums = np.sort(drawn(len(values)) @ values)
        for method in ("percentile", "expanded"):
            rank = expected_rank(method, len(values))
            low, high = sums[rank - 1], sums[resampling.RESAMPLES - rank]
            assert row[f"{method}_low"] == float(low) / len(values) / SCALE, row
            assert row[f"{method}_high"] == float(high) / len(values) / SCALE, row
        assert row["percentile_low"] <= row["estimate"] <= row["percentile_high"]
        assert row["expanded_low"] <= row["percentile_low"]
        assert row["expanded_high"] >= row["percentile_high"]


def test_rank_rule() -> None:
    percentile = statistics.lower_ranks("percentile", 10_000, 200)
    assert set(percentile) == {250}
    assert 10_000 + 1 - 250 == 9_751
    expanded = statistics.lower_ranks("expanded", 10_000, 200)
    assert [expected_rank("expanded", units) for units in range(2, 201)] == list(expanded)
    # Few units widen the interval; many bring the seed's ranks back.
    assert expanded[0] == 1
    assert list(expanded) == sorted(expanded)
    assert 230 <= expanded[-1] <= 250
    assert (expanded <= percentile).all()


def test_ranks_in_sql_are_those_of_the_rule(golden_world: World) -> None:
    rows = golden_world.rows(
        "select method, low_rank, high_rank, unit_count from statistics.bootstrap_ranks "
        "where unit_count <= 120 and resamples = 10000"
    )
    assert len(rows) == 2 * 119
    for row in rows:
        rank = expected_rank(row["method"], row["unit_count"])
        assert (row["low_rank"], row["high_rank"]) == (rank, 10_001 - rank)


def test_round_keys_are_those_of_the_seed(golden_world: World) -> None:
    rows = golden_world.rows(
        "select stream, round_key from statistics.bootstrap_round_keys where seed = ? "
        "order by stream, round_number",
        resampling.SEED,
    )
    for stream in range(statistics.STREAMS):
        found = [row["round_key"] for row in rows if row["stream"] == stream]
        assert found == resampling.keys(stream=stream)
    assert len({row["round_key"] for row in rows}) == len(rows) == 3 * statistics.STREAMS


def test_undefined_values_leave_before_resampling(golden_world: World) -> None:
    for row in golden_world.rows(SUMMARIES + " and metric = 'coverage'"):
        count = UNIT_SYSTEMS[row["system_id"]]
        undefined = sum(number % 7 == 3 for number in range(count))
        assert row["n_total"] == row["n_scored"] == row["unit_count"] == count
        assert row["n_undefined"] == undefined
        assert row["n_included"] == count - undefined
        values = fixed_values(golden_world, row)
        assert len(values) == count - undefined
        assert row["estimate"] == pytest.approx(values.mean() / SCALE, abs=1e-12)


def test_small_samples_are_flagged_and_one_value_has_no_interval(golden_world: World) -> None:
    rows = golden_world.rows(SUMMARIES)
    assert {row["n_included"] for row in rows if row["n_included"] < 2}
    for row in rows:
        count = row["n_included"]
        assert row["is_small_sample"] == (count < 10)
        has_interval = row["percentile_low"] is not None
        assert has_interval == (count >= 2) == (row["interval_method"] == "bootstrap")
        assert (row["standard_error"] is not None) == (count >= 2)
        assert (row["expanded_high"] is not None) == (count >= 2)
        if has_interval:
            assert (row["resamples"], row["bootstrap_seed"]) == (10_000, resampling.SEED)


def test_constant_data_has_zero_width_and_a_flag(golden_world: World) -> None:
    constant = golden_world.rows(SUMMARIES + " and system_id = 'constant' and metric = 'coverage'")
    assert len(constant) == 1
    row = constant[0]
    assert row["is_degenerate"]
    ends = {
        row[f"{method}_{side}"] for method in ("percentile", "expanded") for side in ("low", "high")
    }
    assert ends == {1.0}
    assert row["standard_error"] == 0.0
    varied = golden_world.rows(SUMMARIES + " and system_id = 'units_113'")
    assert varied
    assert not any(row["is_degenerate"] for row in varied)


def test_cells_outside_the_plan_have_the_standard_error_alone(golden_world: World) -> None:
    rows = golden_world.rows(
        "select * from marts.rpt_metric_summaries where run_id = 'units/run' "
        "and tau_a_thousandths = 500 and n_included >= 2"
    )
    assert rows
    for row in rows:
        assert row["interval_method"] == "standard_error"
        assert row["standard_error"] is not None
        assert row["percentile_low"] is None
        assert row["expanded_high"] is None


def test_standard_error_is_that_of_the_mean(golden_world: World) -> None:
    for row in golden_world.rows(SUMMARIES + " and n_included >= 2"):
        values = fixed_values(golden_world, row) / SCALE
        expected = values.std(ddof=1) / math.sqrt(len(values))
        assert row["standard_error"] == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("units", [2, 3, 8, 11, 21, 97, 113])
def test_draws_are_uniform(units: int) -> None:
    hits = drawn(units).sum(axis=0)
    assert hits.sum() == units * resampling.RESAMPLES
    assert stats.chisquare(hits).pvalue > 0.001
    variance = drawn(units).var(axis=0).mean()
    assert variance == pytest.approx(1 - 1 / units, rel=0.02)


@pytest.mark.parametrize("units", [3, 20])
def test_neighbouring_seeds_do_not_share_a_stream(units: int) -> None:
    one, other = (resampling.counts(units, 2_000, seed) for seed in (1, 2))
    for shift in range(5):
        pairs = one[shift:2_000], other[: 2_000 - shift]
        assert (pairs[0] != pairs[1]).any(axis=1).mean() > 0.5


@pytest.mark.parametrize("metric", ["coverage", "efficiency_time", "safe_efficiency_time"])
def test_scipy_gives_the_same_interval(golden_world: World, metric: str) -> None:
    row = golden_world.one(SUMMARIES + " and system_id = 'units_113' and metric = ?", metric)
    values = fixed_values(golden_world, row) / SCALE
    other = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=10_000,
        method="percentile",
        rng=np.random.default_rng(1),
    )
    # The noise of one end is about 0.027 standard errors; two ends differ by at most five
    # times the noise of their difference.
    slack = 5 * math.sqrt(2) * 0.027 * row["standard_error"]
    assert abs(row["percentile_low"] - other.confidence_interval.low) < slack
    assert abs(row["percentile_high"] - other.confidence_interval.high) < slack
    replicates = np.array(drawn(len(values)) @ values) / len(values)
    assert replicates.std() == pytest.approx(values.std() / math.sqrt(len(values)), rel=0.03)
