"""Suites by gate and benchmark."""

from __future__ import annotations

from expectations.rules import Suite
from expectations.suites import xslides_landing, xslides_marts

SUITES: dict[tuple[str, str], Suite] = {
    (suite.gate, suite.benchmark): suite for suite in (xslides_landing.SUITE, xslides_marts.SUITE)
}
GATES = ("landing", "marts")
BENCHMARKS = tuple(sorted({benchmark for _, benchmark in SUITES}))
