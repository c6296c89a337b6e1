"""How an estimate is shown to a person and to a program."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from rich.table import Table
from rich.text import Text

from podium import console
from podium.estimating import TaskEstimate

NOBODY = "the offline judge does this: no request is sent, nothing is to pay"
_NOTE = (
    "exact: inputs are there. later: behind replies that are missing, fewest to most; ~ as the\n"
    "offline judge's would be. Tokens by rule (docs/endpoints.md); retries are not counted."
)


def show(estimates: Sequence[TaskEstimate] | None, as_json: bool) -> None:
    """Print an estimate; None is the offline judge's."""
    if as_json:
        console.print_json(as_record(estimates))
    elif estimates is None:
        console.say(NOBODY)
    else:
        console.output().print(_table(estimates))
        console.say(_NOTE)
        if any(one.low_usd is None for one in estimates):
            console.say("cost is unknown without a price of every model: --prices FILE")


def as_record(estimates: Sequence[TaskEstimate] | None) -> dict[str, Any]:
    """Return an estimate as JSON-serialisable fields; dollars are decimal texts."""
    tasks = estimates or ()
    low, high = _sum([one.low_usd for one in tasks]), _sum([one.high_usd for one in tasks])
    return {
        "judge_kind": "heuristic" if estimates is None else "llm",
        "tasks": [one.as_record() for one in tasks],
        "low_usd": None if low is None else str(low),
        "high_usd": None if high is None else str(high),
    }


def _table(estimates: Sequence[TaskEstimate]) -> Table:
    table = Table(show_header=True, header_style="bold", box=None, pad_edge=False)
    for name in ("task", "model"):
        table.add_column(name, overflow="fold")
    for name in ("kept", "requests", "later", "input tokens", "later", "USD"):
        table.add_column(name, justify="right", no_wrap=True)
    for one in estimates:
        table.add_row(
            *(Text(cell) for cell in (one.task, one.model)),
            f"{one.kept_count:,}",
            f"{one.exact.request_count:,}",
            _range(*(v.request_count for v in (one.fewest, one.likely, one.most))),
            f"{one.exact.input_tokens:,}",
            _range(*(v.input_tokens for v in (one.fewest, one.likely, one.most))),
            _usd(one.low_usd, one.high_usd),
        )
    total = (_sum([one.low_usd for one in estimates]), _sum([one.high_usd for one in estimates]))
    table.add_row(
        *("all", "", f"{sum(one.kept_count for one in estimates):,}"),
        f"{sum(one.exact.request_count for one in estimates):,}",
        "",
        f"{sum(one.exact.input_tokens for one in estimates):,}",
        "",
        _usd(*total),
    )
    return table


def _range(fewest: int, likely: int, most: int) -> str:
    return "-" if not most else f"{fewest:,} to {most:,} (~{likely:,})"


def _usd(low: Decimal | None, high: Decimal | None) -> str:
    return "unknown" if low is None or high is None else f"{low:.4f} to {high:.4f}"


def _sum(amounts: Sequence[Decimal | None]) -> Decimal | None:
    """Return a sum, None when any part is unknown: half a sum would look like the whole."""
    known = [amount for amount in amounts if amount is not None]
    return sum(known, Decimal(0)) if len(known) == len(amounts) else None
