"""Suites by gate and benchmark."""

from __future__ import annotations

from collections.abc import Callable

from expectations.rules import RowRule, Suite
from expectations.suites import (
    searchgen_expected,
    searchgen_landing,
    searchgen_marts,
    xslides_expected,
    xslides_landing,
    xslides_marts,
)

SUITES: dict[tuple[str, str], Suite] = {
    (suite.gate, suite.benchmark): suite
    for suite in (
        searchgen_landing.SUITE,
        searchgen_marts.SUITE,
        xslides_landing.SUITE,
        xslides_marts.SUITE,
    )
}
GATES = ("landing", "marts")
BENCHMARKS = tuple(sorted({benchmark for _, benchmark in SUITES}))

EXPECTED_COUNTS: dict[str, Callable[[str], RowRule]] = {
    "searchgen": searchgen_expected.counts_of,
    "xslides": xslides_expected.counts_of,
}
"""By benchmark: the rule for the counts of a profile."""

_PROFILES: dict[str, Callable[[], list[str]]] = {
    "searchgen": searchgen_expected.profiles,
    "xslides": xslides_expected.profiles,
}


def with_profile(benchmarks: tuple[str, ...], profile: str) -> tuple[str, ...]:
    """Return those of some benchmarks that know a profile; all where none does."""
    return tuple(one for one in benchmarks if profile in _PROFILES[one]()) or benchmarks
