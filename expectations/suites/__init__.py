"""Suites by gate and benchmark."""

from __future__ import annotations

from collections.abc import Callable

from expectations.rules import RowRule, Suite
from expectations.suites import xslides_expected, xslides_landing, xslides_marts

SUITES: dict[tuple[str, str], Suite] = {
    (suite.gate, suite.benchmark): suite for suite in (xslides_landing.SUITE, xslides_marts.SUITE)
}
GATES = ("landing", "marts")
BENCHMARKS = tuple(sorted({benchmark for _, benchmark in SUITES}))

EXPECTED_COUNTS: dict[str, Callable[[str], RowRule]] = {"xslides": xslides_expected.counts_of}
"""By benchmark: the rule for the counts of a profile."""
