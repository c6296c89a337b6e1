"""Two ways to do one job, run in turn in one process, and the bar on their ratio."""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

ROUNDS = 5


@dataclass(frozen=True)
class Comparison:
    """One row of the page: ours against a competitor.

    Attributes:
        name: what is done, and on how much.
        competitor: what it is compared with.
        ours: does the job once.
        theirs: does it once the other way.
        at_least: smallest speed-up over the competitor that is asked for, or
        at_most: largest multiple of the competitor's time that is allowed, or
        neither, for a figure that has no bar.
        their_share: share of the job that `theirs` does, where the whole takes too long; its
            time is divided by it, and the name says so.
        rounds: how often each is run; the median counts.
    """

    name: str
    competitor: str
    ours: Callable[[], object]
    theirs: Callable[[], object]
    at_least: float | None = None
    at_most: float | None = None
    their_share: float = 1.0
    rounds: int = ROUNDS


@dataclass(frozen=True)
class Timing:
    """Seconds of one run: of processor time, children included, and of the clock."""

    cpu: float
    wall: float


@dataclass(frozen=True)
class Figure:
    """Median timings of one comparison."""

    comparison: Comparison
    ours: Timing
    theirs: Timing

    @property
    def ratio(self) -> float:
        """CPU: how many times faster than the competitor, or how many times its time."""
        return self._ratio(self.ours.cpu, self.theirs.cpu)

    @property
    def wall_ratio(self) -> float:
        """The same by the clock."""
        return self._ratio(self.ours.wall, self.theirs.wall)

    def meets(self, slack: float = 1.0) -> bool:
        """Return whether the CPU ratio meets the bar, made `slack` times easier."""
        one = self.comparison
        if one.at_least is not None:
            return self.ratio >= one.at_least / slack
        return one.at_most is None or self.ratio <= one.at_most * slack

    def line(self) -> str:
        """Return the row of the page."""
        one = self.comparison
        bar, met = "none", ""
        if one.at_least is not None:
            bar, met = f"≥ {one.at_least:g}x faster", "yes" if self.meets() else "no"
        elif one.at_most is not None:
            bar, met = f"≤ {one.at_most:g}x its time", "yes" if self.meets() else "no"
        return (
            f"| {one.name} | {one.competitor} | {self.ours.cpu:.3f} | {self.theirs.cpu:.3f} "
            f"| {self.ratio:.3g} | {self.wall_ratio:.3g} | {bar} | {met} |"
        )

    def _ratio(self, ours: float, theirs: float) -> float:
        return ours / theirs if self.comparison.at_most is not None else theirs / ours


def measure(comparison: Comparison) -> Figure:
    """Run ours and theirs in turn, after one warm-up of each where rounds are many."""
    if comparison.rounds > 1:
        comparison.ours()
        comparison.theirs()
    ours, theirs = [], []
    for _ in range(comparison.rounds):
        ours.append(timed(comparison.ours))
        theirs.append(timed(comparison.theirs))
    share = comparison.their_share
    full = [Timing(one.cpu / share, one.wall / share) for one in theirs]
    return Figure(comparison, _median(ours), _median(full))


def timed(job: Callable[[], object]) -> Timing:
    """Return the timing of one run."""
    cpu, wall = _processor_seconds(), time.perf_counter()
    job()
    return Timing(_processor_seconds() - cpu, time.perf_counter() - wall)


def _processor_seconds() -> float:
    """Return what this process and its ended children have used."""
    used = [resource.getrusage(one) for one in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _median(timings: list[Timing]) -> Timing:
    return Timing(
        statistics.median(one.cpu for one in timings),
        statistics.median(one.wall for one in timings),
    )
