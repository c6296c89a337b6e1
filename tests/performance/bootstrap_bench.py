"""The bootstrap models against scipy, on values with undefined cases among them."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
from scipy import stats

from tests.performance.compiled import CompiledProject, Model, run
from tests.performance.measure import Comparison

UNITS, RESAMPLES = 113, 10_000
SCALE = 1e9

_PARTS = pa.list_(pa.struct({"universe_number": pa.int64(), "unit_values": pa.list_(pa.float64())}))

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
            IntervalsInSql(project, "int_metric_intervals_bootstrapped", single),
            lambda: intervals_in_scipy(single[:some_cells]),
            at_least=4,
            their_share=some_cells / cells,
        ),
        Comparison(
            f"{pairs:,} paired intervals in SQL, the same sizes; {note}",
            "scipy.stats.bootstrap, paired",
            IntervalsInSql(project, "int_metric_pairs_bootstrapped", double),
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


class IntervalsInSql:
    """The models on given values; a call draws the counts and works out all intervals."""

    def __init__(self, project: CompiledProject, name: str, rows: Values) -> None:
        """Put `rows` in the place of what the model `name` reads."""
        by_name = {one.name: one for one in project.models}
        self.draws, self.intervals = by_name["int_bootstrap_counts_drawn"], by_name[name]
        self.connection = project.connect()
        for parent in self.draws.parents:
            if parent in by_name:
                given = rows if parent in self.intervals.parents else rows[:0]
                _give(self.connection, by_name[parent], given)

    def __call__(self) -> list[tuple[Any, ...]]:
        """Return (percentile low, percentile high) of every row."""
        run(self.connection, [self.draws, self.intervals])
        return self.connection.execute(
            f"select percentile_low, percentile_high from {self.intervals.relation} order by 1"
        ).fetchall()


def _give(connection: duckdb.DuckDBPyConnection, model: Model, rows: Values) -> None:
    """Put rows, NaN left out, in the place of a model's table."""
    kept = [row[~np.isnan(row)] for row in rows]
    numbers = pa.array(range(1, len(kept) + 1), pa.int64())
    given = pa.table(
        {
            "cell_number": numbers,
            "pair_number": numbers,
            "unit_count": pa.array([len(one) for one in kept], pa.int64()),
            "unit_values": pa.array(
                [np.round(one * SCALE) for one in kept], pa.list_(pa.float64())
            ),
            "unit_parts": pa.nulls(len(kept), _PARTS),
        }
    )
    connection.register("given", given)
    connection.execute(f"create table {model.relation} as select * from given")
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
