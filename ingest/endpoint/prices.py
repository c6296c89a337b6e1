"""The user's price table: dated rows, exact decimals, and NULL for what is not in it."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path

from ingest.endpoint.reply import Usage
from warehouse.errors import InputError, UsageError

COLUMNS = (
    "model",
    "input_usd_per_million",
    "output_usd_per_million",
    "cached_input_usd_per_million",
    "valid_from",
)
_MILLION = Decimal(1_000_000)


@dataclass(frozen=True)
class Price:
    """US dollars for a million tokens of one model, from a day on."""

    model: str
    input_usd: Decimal
    output_usd: Decimal
    cached_input_usd: Decimal
    valid_from: date

    def cost(self, usage: Usage) -> Decimal | None:
        """Return the exact cost in US dollars; None when tokens are unknown."""
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        cached = min(usage.cached_input_tokens or 0, usage.input_tokens)
        fresh = usage.input_tokens - cached
        total = fresh * self.input_usd + cached * self.cached_input_usd
        return (total + usage.output_tokens * self.output_usd) / _MILLION

    def worst_cost(self, input_tokens: int, output_tokens: int) -> Decimal:
        """Return the cost in US dollars if nothing is cached and the output is used up."""
        dearest = max(self.input_usd, self.cached_input_usd)
        return (input_tokens * dearest + output_tokens * self.output_usd) / _MILLION


@dataclass(frozen=True)
class PriceTable:
    """All rows of a table; an empty one knows no price."""

    rows: tuple[Price, ...] = ()

    def at(self, model: str, day: date) -> Price | None:
        """Return the newest price of a model that is valid on a day."""
        valid = [row for row in self.rows if row.model == model and row.valid_from <= day]
        return max(valid, key=lambda row: row.valid_from, default=None)

    def require(self, models: Iterable[str], day: date) -> None:
        """Check that each model has a price.

        Raises:
            UsageError: naming the models that have none.
        """
        missing = sorted({model for model in models if self.at(model, day) is None})
        if missing:
            raise UsageError(
                "a budget in US dollars cannot be kept without prices",
                expected=f"a row of the price table that is valid on {day.isoformat()}",
                got=f"none for {', '.join(f'`{model}`' for model in missing)}",
                fix=f"add a row to the price table ({','.join(COLUMNS)}), or set a number of "
                "requests with --max-requests",
            )


def read_prices(path: Path) -> PriceTable:
    """Read a price table.

    The cached price may be blank: it is then that of fresh input tokens.

    Raises:
        InputError: when the file is no such table; the message names the line.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            if tuple(reader.fieldnames or ()) != COLUMNS:
                raise InputError(
                    f"`{path}` is no price table",
                    expected=",".join(COLUMNS),
                    got=",".join(reader.fieldnames or ()) or "an empty file",
                )
            rows = tuple(_price(path, reader.line_num, row) for row in reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"`{path}` cannot be read", got=str(error)) from None
    keys = [(row.model, row.valid_from) for row in rows]
    twice = [key for key in keys if keys.count(key) > 1]
    if twice:
        model, day = twice[0]
        raise InputError(f"`{path}` has two prices of `{model}` from {day.isoformat()} on")
    return PriceTable(rows)


def _price(path: Path, line: int, row: dict[str, str | None]) -> Price:
    cells = {name: (row.get(name) or "").strip() for name in COLUMNS}
    try:
        if not cells["model"] or None in row:
            raise ValueError("model is blank or a cell is surplus")
        fresh = _usd(cells["input_usd_per_million"])
        cached = cells["cached_input_usd_per_million"]
        return Price(
            cells["model"],
            fresh,
            _usd(cells["output_usd_per_million"]),
            _usd(cached) if cached else fresh,
            date.fromisoformat(cells["valid_from"]),
        )
    except (ValueError, InvalidOperation) as error:
        raise InputError(
            f"`{path}` has a bad price in line {line}",
            expected="model, US dollars of 0 or more, a day as YYYY-MM-DD",
            got=str(error) or ",".join(cells.values()),
        ) from None


def _usd(text: str) -> Decimal:
    value = Decimal(text)
    if not value.is_finite() or value < 0:
        raise ValueError(f"`{text}` is no price")
    return value
