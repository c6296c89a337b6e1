"""Suites by gate and benchmark."""

from __future__ import annotations

from collections.abc import Callable

from expectations.rules import RowRule, Suite
from expectations.suites import (
    rageval_landing,
    rageval_marts,
    searchgen_expected,
    searchgen_landing,
    searchgen_marts,
    slideagent_landing,
    slideagent_marts,
    xslides_expected,
    xslides_landing,
    xslides_marts,
)
from warehouse.errors import UsageError

SUITES: dict[tuple[str, str], Suite] = {
    (suite.gate, suite.benchmark): suite
    for suite in (
        rageval_landing.SUITE,
        rageval_marts.SUITE,
        searchgen_landing.SUITE,
        searchgen_marts.SUITE,
        slideagent_landing.SUITE,
        slideagent_marts.SUITE,
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
    known = tuple(one for one in benchmarks if profile in profiles_of(one))
    return known or tuple(one for one in benchmarks if one in _PROFILES) or benchmarks


def profiles_of(benchmark: str) -> list[str]:
    """Return the profiles of expected counts of a benchmark; not every one has any."""
    return _PROFILES[benchmark]() if benchmark in _PROFILES else []


def expected_counts(benchmark: str, profile: str) -> RowRule:
    """Return the rule for the counts of a profile.

    Raises:
        UsageError: when the benchmark has no such profile.
    """
    if benchmark not in EXPECTED_COUNTS:
        raise UsageError(
            f"there is no profile `{profile}` of {benchmark}",
            expected=f"a profile of {', '.join(sorted(EXPECTED_COUNTS))}",
        )
    return EXPECTED_COUNTS[benchmark](profile)
