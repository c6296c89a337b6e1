"""What a session of a judge used, read from the records of its calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from ingest.endpoint.calls import CallContext, call_rows, calls_folder
from ingest.endpoint.segments import segments_of
from warehouse.paths import WarehousePaths

_CHARGED_BELOW = 400


@dataclass(frozen=True)
class Usage:
    """Requests, attempts, tokens and dollars of one session.

    Attributes:
        requests: different requests.
        attempts: requests sent, repeated attempts counted.
        cached: replies that were kept from before.
        input_tokens: tokens sent, as far as the server told them.
        output_tokens: tokens received, as far as the server told them.
        unpriced: attempts that may have been charged and whose cost is unknown.
        cost_usd: US dollars; None while an attempt is unpriced.
    """

    requests: int
    attempts: int
    cached: int
    input_tokens: int
    output_tokens: int
    unpriced: int
    cost_usd: Decimal | None

    def as_record(self) -> dict[str, Any]:
        """Return the usage as JSON-serialisable fields."""
        cost = None if self.cost_usd is None else float(self.cost_usd)
        return {**asdict(self), "cost_usd": cost}

    def line(self) -> str:
        """Return one line for people."""
        cost = "cost unknown" if self.cost_usd is None else f"{self.cost_usd:.4f} USD"
        return (
            f"{self.requests} requests, {self.attempts} attempts sent, {self.cached} replies kept "
            f"from before, {self.input_tokens} tokens in, {self.output_tokens} out, {cost}"
        )


def usage_since(paths: WarehousePaths, context: CallContext) -> Callable[[], Usage]:
    """Return a function that tells what the calls of a context used from now on."""
    folder = calls_folder(paths, context)
    before = set(segments_of(folder))

    def used() -> Usage:
        new = {one.relative_to(paths.root).as_posix() for one in segments_of(folder)} - {
            one.relative_to(paths.root).as_posix() for one in before
        }
        rows = [one for one in call_rows(folder, paths.root).rows if one["source_file"] in new]
        return _usage(rows)

    return used


def _usage(rows: list[dict[str, Any]]) -> Usage:
    sent = [row for row in rows if row["attempt"] > 0]
    # A server that answers with an error code charges nothing.
    charged = [row for row in sent if (row["http_status"] or 200) < _CHARGED_BELOW]
    unpriced = sum(row["cost_usd"] is None for row in charged)
    costs = [Decimal(repr(row["cost_usd"])) for row in rows if row["cost_usd"] is not None]
    return Usage(
        requests=len({row["request_key"] for row in rows}),
        attempts=len(sent),
        cached=len(rows) - len(sent),
        input_tokens=sum(row["input_token_count"] or 0 for row in sent),
        output_tokens=sum(row["output_token_count"] or 0 for row in sent),
        unpriced=unpriced,
        cost_usd=None if unpriced else sum(costs, Decimal(0)),
    )
