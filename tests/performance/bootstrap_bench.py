"""The bootstrap models against scipy, on values with undefined cases among them."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
from scipy import stats

from tests.performance.compiled import CompiledProject, run
from tests.performance.measure import Comparison

UNITS, RESAMPLES = 113, 10_000
SCALE = 1e9

Values = np.ndarray[Any, np.dtype[np.float64]]


def comparisons(
    project: CompiledProject, *, cells: int = 432, pairs: int = 2_376, their_share: float = 0.1
) -> list[Comparison]:
    """Return the comparisons for single means and for paired differences.

    Args:
        project: gives the models' own SQL.
        cells: number of intervals of a mean.
        pairs: number of intervals of a difference.
        their_share: part of the intervals that scipy works out.
    """
    single, double = values(cells, seed=3), values(pairs, seed=4) - values(pairs, seed=5)
    note = f"scipy on {their_share:.0%} of them" if their_share < 1 else "all by scipy"
    some_cells, some_pairs = round(cells * their_share), round(pairs * their_share)
    return [
        Comparison(
            f"{cells} bootstrap intervals in SQL, n = {UNITS}, B = {RESAMPLES:,}, every sixth "
            f"with one or two undefined cases; {note}",
            "scipy.stats.bootstrap, percentile",
            lambda: intervals_in_sql(project, "int_metric_intervals_bootstrapped", single),
            lambda: intervals_in_scipy(single[:some_cells]),
            at_least=4,
            their_share=some_cells / cells,
        ),
        Comparison(
            f"{pairs:,} paired intervals in SQL, the same sizes; {note}",
            "scipy.stats.bootstrap, paired",
            lambda: intervals_in_sql(project, "int_metric_pairs_bootstrapped", double),
            lambda: paired_in_scipy(double[:some_pairs]),
            at_least=15,
            their_share=some_pairs / pairs,
        ),
    ]


def values(cells: int, *, seed: int) -> Values:
    """Return (cells, 113) values in [0, 1]; every sixth row has one or two NaN."""
    drawn = np.random.default_rng(seed).beta(5, 4, size=(cells, UNITS))
    for row in range(0, cells, 6):
        drawn[row, : 1 + row // 6 % 2] = np.nan
    return drawn


def intervals_in_sql(project: CompiledProject, model: str, rows: Values) -> list[tuple[Any, ...]]:
    """Return (number, percentile low, percentile high) by the models, draws included."""
    connection = project.connect()
    number = "cell_number" if "intervals" in model else "pair_number"
    inputs = {
        "int_metric_units_listed": "cell_number",
        "int_metric_pairs_listed": "pair_number",
        "int_metric_rank_units_listed": "cell_number",
    }
    for name, key in inputs.items():
        _input(connection, project, name, key, rows if key == number else rows[:0])
    wanted = ("int_bootstrap_counts_drawn", model)
    chosen = [one for one in project.models if one.name in wanted]
    run(connection, chosen)
    found = connection.execute(
        f"select {number}, percentile_low, percentile_high from {chosen[-1].relation} order by 1"
    ).fetchall()
    connection.close()
    return found


def _input(
    connection: duckdb.DuckDBPyConnection,
    project: CompiledProject,
    name: str,
    key: str,
    rows: Values,
) -> None:
    relation = next(one.relation for one in project.models if one.name == name)
    kept = [row[~np.isnan(row)] for row in rows]
    given = pa.table(
        {
            key: pa.array(range(1, len(kept) + 1), pa.int64()),
            "unit_count": pa.array([len(one) for one in kept], pa.int64()),
            "unit_values": pa.array(
                [np.round(one * SCALE) for one in kept], pa.list_(pa.float64())
            ),
        }
    )
    connection.register("given", given)
    connection.execute(f"create table {relation} as select * from given")
    connection.unregister("given")


def intervals_in_scipy(rows: Values) -> list[tuple[float, float]]:
    """Return the percentile interval of the mean of every row, NaN left out."""
    found = []
    for row in rows:
        interval = stats.bootstrap(
            (row[~np.isnan(row)],), np.mean, n_resamples=RESAMPLES, method="percentile", rng=1
        ).confidence_interval
        found.append((float(interval.low), float(interval.high)))
    return found


def paired_in_scipy(differences: Values) -> list[tuple[float, float]]:
    """Return the interval of a mean difference of two paired samples, as its users write it."""

    def mean_difference(left: Values, right: Values, axis: int = -1) -> Any:
        return np.mean(left, axis=axis) - np.mean(right, axis=axis)

    found = []
    for row in differences:
        kept = row[~np.isnan(row)]
        interval = stats.bootstrap(
            (kept, np.zeros_like(kept)),
            mean_difference,
            paired=True,
            vectorized=True,
            n_resamples=RESAMPLES,
            method="percentile",
            rng=1,
        ).confidence_interval
        found.append((float(interval.low), float(interval.high)))
    return found
