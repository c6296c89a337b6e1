"""How often the intervals hold the true mean: simulated, written to docs/interval-coverage.md.

The resampler is the product's own (same counter, keys and rank rule, in numpy), so that the
figures speak of what is published.

Usage: python -m tests.performance.interval_coverage
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.support import resampling
from warehouse import statistics, storage

PAGE = Path(__file__).resolve().parents[2] / "docs" / "interval-coverage.md"
DATA_SETS = 4_000
RESAMPLES = 2_000
SIZES = (10, 20, 50, 113)
Draw = Callable[[np.random.Generator, tuple[int, int]], Any]
SHAPES: dict[str, tuple[Draw, float]] = {
    "Beta(5, 4), nearly symmetric": (lambda draw, size: draw.beta(5, 4, size), 5 / 9),
    "Beta(9, 1), close to 1": (lambda draw, size: draw.beta(9, 1, size), 0.9),
    "LogNormal(0, 0.7), skewed": (
        lambda draw, size: draw.lognormal(0, 0.7, size),
        float(np.exp(0.245)),
    ),
}


def coverage(method: str, shape: str, units: int) -> tuple[float, float]:
    """Return the share of intervals that hold the true mean, and their mean width."""
    draw_values, truth = SHAPES[shape]
    generator = np.random.default_rng(units)
    values = draw_values(generator, (units, DATA_SETS))
    low = int(statistics.lower_ranks(method, RESAMPLES, units)[-1])
    counts = resampling.counts(units, RESAMPLES).astype(np.float64)
    held, width = 0, 0.0
    for start in range(0, DATA_SETS, 500):
        means = np.sort(counts @ values[:, start : start + 500] / units, axis=0)
        lows, highs = means[low - 1], means[RESAMPLES - low]
        held += int(((lows <= truth) & (truth <= highs)).sum())
        width += float((highs - lows).sum())
    return held / DATA_SETS, width / DATA_SETS


def main() -> int:
    """Simulate all cells, print them and write the page."""
    lines = [
        "# How often the intervals hold the truth",
        "",
        f"Simulated by `python -m tests.performance.interval_coverage`: {DATA_SETS:,} data sets a "
        f"cell, B = {RESAMPLES:,}, nominal 0.95, Monte-Carlo error 0.0034. The published intervals "
        "use B = 10,000.",
        "",
        "| data | cases | percentile | expanded | width, expanded / percentile |",
        "|---|---|---|---|---|",
    ]
    for shape in SHAPES:
        for units in SIZES:
            plain, plain_width = coverage("percentile", shape, units)
            wide, wide_width = coverage("expanded", shape, units)
            ratio = wide_width / plain_width
            lines.append(f"| {shape} | {units} | {plain:.3f} | {wide:.3f} | {ratio:.3f} |")
            sys.stdout.write(lines[-1] + "\n")
    lines += [
        "",
        "The percentile interval is too narrow for few cases; the expanded one holds its level on "
        "nearly symmetric data and comes closer on skewed data. Boards show the expanded one.",
    ]
    storage.write_text(PAGE, "\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
