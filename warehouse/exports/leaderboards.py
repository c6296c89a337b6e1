"""Leaderboards: the headline summaries as rows, as CSV and as Markdown.

Nothing is computed here; every figure is a cell of `rpt_metric_summaries`. Rounding
happens here and nowhere else.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from warehouse import storage

METRICS = (
    "coverage",
    "efficiency_time",
    "efficiency_slide",
    "efficiency_word",
    "correctness",
    "safe_efficiency_time",
)
HEURISTIC_BANNER = (
    "HEURISTIC JUDGE: these scores come from rules, not from a language model. "
    "Do not compare them with scores of an LLM judge."
)
_KEY = (
    "run_id",
    "audience",
    "system_id",
    "condition",
    "judge_id",
    "judge_kind",
    "evaluation_config_id",
    "weight_scope",
    "variant",
)
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class Cell:
    """One published figure with its interval (expanded percentile) and counts."""

    estimate: float | None
    low: float | None
    high: float | None
    n_included: int
    n_undefined: int
    n_scored: int
    n_total: int

    def text(self, digits: int = 3) -> str:
        """Return the figure for a table: `0.612 [0.540, 0.681]`, or a dash when undefined."""
        if self.estimate is None:
            return "-"
        figure = f"{self.estimate:.{digits}f}"
        if self.low is None or self.high is None:
            return figure
        return f"{figure} [{self.low:.{digits}f}, {self.high:.{digits}f}]"


@dataclass(frozen=True)
class LeaderboardRow:
    """One system under one condition for one audience; cells by metric.

    `n_with_orders` counts its decks that hold phrases that speak to a judge, seen or unseen.
    """

    key: dict[str, Any]
    tau_a: float
    cells: dict[str, Cell]
    n_with_orders: int = 0

    @property
    def flags(self) -> str:
        """Return what a reader must know about the row."""
        coverage = self.cells["coverage"]
        notes = []
        if coverage.n_scored < coverage.n_total:
            notes.append(f"{coverage.n_total - coverage.n_scored} missing")
        if coverage.n_undefined:
            notes.append(f"{coverage.n_undefined} undefined")
        if coverage.n_included < 10:
            notes.append("small n")
        if self.n_with_orders:
            notes.append(f"{self.n_with_orders} with orders to judges")
        return ", ".join(notes)


def read_rows(connection: duckdb.DuckDBPyConnection) -> list[LeaderboardRow]:
    """Return the headline leaderboard of a published database.

    The policy is exclude_failed, the threshold the headline one, the slice all. Rows are
    ordered by run and audience, then by coverage from the highest; undefined comes last.
    """
    tau_a_thousandths = headline_tau(connection)
    with_orders = _decks_with_orders(connection, tau_a_thousandths)
    cursor = connection.execute(
        f"select {', '.join(_KEY)}, tau_a, metric, estimate, expanded_low, expanded_high, "
        "n_included, n_undefined, n_scored, n_total "
        "from rpt_metric_summaries "
        "where benchmark = 'xslides' and slice_type = 'all' "
        "and policy = 'exclude_failed' and tau_a_thousandths = ? "
        "order by all",
        [tau_a_thousandths],
    )
    rows: dict[tuple[Any, ...], LeaderboardRow] = {}
    for record in cursor.fetchall():
        key, (tau_a, metric, *figures) = record[: len(_KEY)], record[len(_KEY) :]
        row = rows.setdefault(
            key,
            LeaderboardRow(
                dict(zip(_KEY, key, strict=True)),
                tau_a,
                cells={},
                n_with_orders=with_orders.get(key, 0),
            ),
        )
        row.cells[metric] = Cell(*figures)
    return sorted(rows.values(), key=_order)


def headline_tau(connection: duckdb.DuckDBPyConnection) -> int:
    """Return the threshold of the leaderboard: 700 thousandths, else the highest one there."""
    found = connection.execute(
        "select distinct tau_a_thousandths from rpt_metric_summaries "
        "where tau_a_thousandths is not null order by 1"
    ).fetchall()
    values = [value for (value,) in found]
    return 700 if 700 in values or not values else int(values[-1])


def _decks_with_orders(
    connection: duckdb.DuckDBPyConnection, tau_a_thousandths: int
) -> dict[tuple[Any, ...], int]:
    """Return by key how many decks speak to a judge; none in a state from before the count."""
    mart = "fct_xslides__deck_audience_scores"
    is_counted = connection.execute(
        "select count(*) > 0 from information_schema.columns "
        "where table_name = ? and column_name = 'injection_suspected_count'",
        [mart],
    ).fetchone()
    if is_counted != (True,):
        return {}
    cursor = connection.execute(
        f"select {', '.join(_KEY)}, count(*) from {mart} "
        "where tau_a_thousandths = ? and injection_suspected_count > 0 group by all",
        [tau_a_thousandths],
    )
    return {tuple(record[:-1]): record[-1] for record in cursor.fetchall()}


def is_heuristic(rows: list[LeaderboardRow]) -> bool:
    """Return whether any row was judged by rules."""
    return any(row.key["judge_kind"] == "heuristic" for row in rows)


def write(database: Path, folder: Path) -> None:
    """Write `xslides_leaderboard.csv` and `.md` from a published database into a folder."""
    with duckdb.connect(str(database), read_only=True) as connection:
        rows = read_rows(connection)
    storage.write_text(folder / "xslides_leaderboard.csv", as_csv(rows))
    storage.write_text(folder / "xslides_leaderboard.md", as_markdown(rows))


def as_csv(rows: list[LeaderboardRow]) -> str:
    """Return one line per figure, unrounded, with formulas in text cells neutralised."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    counts = ("n_included", "n_undefined", "n_scored", "n_total")
    figures = ("estimate", "expanded_low", "expanded_high", *counts)
    writer.writerow([*_KEY, "tau_a", "metric", *figures])
    for row in rows:
        for metric in METRICS:
            cell = row.cells.get(metric)
            if cell is not None:
                key = [neutralize(value) for value in row.key.values()]
                writer.writerow([*key, row.tau_a, metric, *vars(cell).values()])
    return buffer.getvalue()


def as_markdown(rows: list[LeaderboardRow]) -> str:
    """Return the leaderboard as one Markdown table per run and audience."""
    lines = ["# X+Slides leaderboard", ""]
    if is_heuristic(rows):
        lines += [f"> **{HEURISTIC_BANNER}**", ""]
    header = ["system", "condition", *METRICS, "n", "judge", "flags"]
    group = None
    for row in rows:
        here = (row.key["run_id"], row.key["audience"], row.tau_a)
        if here != group:
            group = here
            run_id, audience, tau_a = here
            lines += ["", f"## {_escape(audience)}, tau_a {tau_a:g}, run {_escape(run_id)}", ""]
            lines += [_line(header), _line(["---"] * len(header))]
        lines.append(_line([*table_cells(row), row.flags]))
    lines += ["", "Intervals are 95 % expanded percentile bootstrap intervals over cases.", ""]
    return "\n".join(lines)


def table_cells(row: LeaderboardRow) -> list[str]:
    """Return the cells of one row for a table: system, condition, figures, n, judge."""
    coverage = row.cells["coverage"]
    variant = f" @{row.key['variant']}" if row.key["variant"] else ""
    return [
        f"{row.key['system_id']}{variant}",
        row.key["condition"],
        *(row.cells[metric].text() if metric in row.cells else "-" for metric in METRICS),
        f"{coverage.n_included}/{coverage.n_total}",
        f"{row.key['judge_id']} ({row.key['judge_kind']})",
    ]


def neutralize(value: Any) -> Any:
    """Return a text that no spreadsheet takes for a formula; other values as they are."""
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return f"'{value}"
    return value


def _order(row: LeaderboardRow) -> tuple[Any, ...]:
    estimate = row.cells["coverage"].estimate
    return (
        row.key["run_id"],
        row.key["audience"],
        estimate is None,
        -(estimate or 0.0),
        tuple(str(value) for value in row.key.values()),
    )


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(_escape(cell) for cell in cells) + " |"


def _escape(text: str) -> str:
    cleaned = " ".join(text.split())
    for sign in ("\\", "|", "<", "`"):
        cleaned = cleaned.replace(sign, f"\\{sign}")
    return cleaned
