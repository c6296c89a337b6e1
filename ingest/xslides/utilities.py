"""Utility arithmetic: snapping raw values, means and standard deviations, all exact.

Raw values are read as the decimals that they print as, so that a tie such as 0.45 is a
tie; snapped values are tenths, so that sums are integers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

LEVELS = (Decimal("0"), Decimal("0.3"), Decimal("0.6"), Decimal("1"))
HIGH_VARIANCE_STD = Fraction(1, 4)


@dataclass(frozen=True)
class UtilitySummary:
    """Mean of the snapped samples and their spread; `sample_std` is None for one sample."""

    mean: float
    population_std: float
    sample_std: float | None
    is_high_variance: bool


def snap(raw: float) -> float:
    """Return the nearest of 0, 0.3, 0.6 and 1; a tie goes down.

    Raises:
        ValueError: when the value is not a finite number from 0 to 1.
    """
    if not math.isfinite(raw) or not 0 <= raw <= 1:
        raise ValueError(f"a utility lies between 0 and 1, not at {raw}")
    value = Decimal(repr(float(raw)))
    return float(min(LEVELS, key=lambda level: (abs(level - value), level)))


def summarize(samples: Sequence[float]) -> UtilitySummary:
    """Return mean and spread of snapped samples (at least one), independent of their order.

    High variance means a population standard deviation above 0.25, compared exactly.
    """
    values = [Fraction(Decimal(repr(float(sample)))) for sample in samples]
    count = len(values)
    mean = sum(values, Fraction(0)) / count
    squares = sum(((value - mean) ** 2 for value in values), Fraction(0))
    variance = squares / count
    return UtilitySummary(
        mean=float(mean),
        population_std=math.sqrt(variance),
        sample_std=None if count == 1 else math.sqrt(squares / (count - 1)),
        is_high_variance=variance > HIGH_VARIANCE_STD**2,
    )
