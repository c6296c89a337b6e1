"""What a person sees: results on stdout, all else on stderr, progress only on a terminal."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from expectations.verdict import Verdict
from warehouse import jsonl
from warehouse.exports import leaderboards
from warehouse.exports.leaderboards import LeaderboardRow
from warehouse.findings import Outcome

_COLORS = {
    Outcome.PASSED: "green",
    Outcome.ACCEPTED: "green",
    Outcome.WARNED: "yellow",
    Outcome.INCOMPLETE: "yellow",
    Outcome.INCONCLUSIVE: "yellow",
    Outcome.NOTHING_SELECTED: "red",
    Outcome.FAILED: "red",
    Outcome.BROKEN: "red",
}
_SHORT = {
    "efficiency_time": "eff/min",
    "efficiency_slide": "eff/slide",
    "efficiency_word": "eff/word",
    "correctness": "correct",
    "safe_efficiency_time": "safe/min",
}
PIPED_WIDTH = 240
NARROW = 120


def output() -> Console:
    """Return the console of results; it keeps wide tables whole when piped."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else PIPED_WIDTH)


def notes() -> Console:
    """Return the console of everything that is no result."""
    return Console(stderr=True, highlight=False, soft_wrap=True)


def say(message: str) -> None:
    """Tell a person something that is no result."""
    notes().print(Text(message))


def print_json(value: Any) -> None:
    """Print a result as JSON."""
    sys.stdout.write(jsonl.dumps(value, indent=2) + "\n")


def print_verdict(verdict: Verdict) -> None:
    """Print a verdict: findings by check, then the sum."""
    console = notes()
    color = _COLORS[verdict.outcome]
    *lines, last = verdict.lines()
    for line in lines:
        console.print(Text(line))
    console.print(Text(last, style=f"bold {color}"))


def print_rows(columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> None:
    """Print a query result as a table."""
    table = Table(show_header=True, header_style="bold", box=None, pad_edge=False)
    for name in columns:
        table.add_column(Text(name), overflow="fold")
    for row in rows:
        table.add_row(*(Text("NULL" if value is None else str(value)) for value in row))
    output().print(table)


def print_leaderboard(rows: list[LeaderboardRow]) -> None:
    """Print the headline leaderboard, one table per run and audience."""
    console = output()
    if leaderboards.is_heuristic(rows):
        console.print(Text(leaderboards.HEURISTIC_BANNER, style="bold yellow"))
    groups: dict[tuple[Any, ...], list[LeaderboardRow]] = {}
    for row in rows:
        groups.setdefault((row.key["run_id"], row.key["audience"], row.tau_a), []).append(row)
    for (run_id, audience, tau_a), members in groups.items():
        console.print()
        console.print(Text(f"{audience}   tau_a {tau_a:g}   run {run_id}", style="bold"))
        console.print(_leaderboard_table(members, is_narrow=console.width < NARROW))
    if rows:
        console.print(
            Text("coverage with 95 % expanded percentile intervals over cases; n: values / cases")
        )


def _leaderboard_table(rows: list[LeaderboardRow], *, is_narrow: bool) -> Table:
    """Return one table; a narrow terminal gets fewer columns, never cut figures."""
    hidden = {"efficiency_slide", "efficiency_word"} if is_narrow else set()
    shown = [metric for metric in leaderboards.METRICS[1:] if metric not in hidden]
    table = Table(show_header=True, header_style="bold", box=None, pad_edge=False)
    for name in ("system", "condition"):
        table.add_column(name, overflow="fold")
    for name in ("coverage", *(_SHORT[metric] for metric in shown), "n"):
        table.add_column(name, justify="right", no_wrap=True)
    for name in ("judge", "flags"):
        table.add_column(name, overflow="fold")
    for row in rows:
        system, condition, coverage, *_ = leaderboards.table_cells(row)
        figures = [_figure(row, metric) for metric in shown]
        counts = row.cells["coverage"]
        count = f"{counts.n_included}/{counts.n_total}"
        cells = [system, condition, coverage, *figures, count, row.key["judge_kind"], row.flags]
        table.add_row(*(Text(cell) for cell in cells))
    return table


def _figure(row: LeaderboardRow, metric: str) -> str:
    cell = row.cells.get(metric)
    if cell is None or cell.estimate is None:
        return "-"
    return f"{cell.estimate:.{4 if metric == 'efficiency_word' else 2}f}"


class StageProgress:
    """Shows how far each stage is, on a terminal only and only after two seconds.

    Stages may take turns, and several threads may tell.
    """

    def __init__(self) -> None:
        self._console = notes()
        self._started = time.monotonic()
        self._bar: Progress | None = None
        self._tasks: dict[str, TaskID] = {}
        self._guard = threading.Lock()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Tell that `done` of `total` units of a stage are finished."""
        if not self._console.is_terminal:
            return
        with self._guard:
            self._show(stage, done, total)

    def _show(self, stage: str, done: int, total: int) -> None:
        if self._bar is None:
            if time.monotonic() - self._started <= 2 or done >= total:
                return
            self._bar = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                console=self._console,
                transient=True,
            )
            self._bar.start()
        if stage not in self._tasks:
            self._tasks[stage] = self._bar.add_task(stage, total=total)
        # More units than were known before the banks were made are no reason to pass 100 %.
        self._bar.update(self._tasks[stage], completed=done, total=max(done, total))

    def close(self) -> None:
        """Take the bars away."""
        with self._guard:
            if self._bar is not None:
                self._bar.stop()
            self._bar = None
            self._tasks.clear()


@contextmanager
def progress() -> Iterator[StageProgress]:
    """Yield a progress display and take it away at the end, also after an error."""
    display = StageProgress()
    try:
        yield display
    finally:
        display.close()
