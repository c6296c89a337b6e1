"""Which published cell a question means: one row of `rpt_metric_summaries`, or an error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from warehouse import diff, states
from warehouse.errors import UsageError

Row = dict[str, Any]

IMPORTED = "imported"
# What makes two cells differ when the question has not settled it, and the option that does.
_OPTIONS = {
    "run_id": "--run",
    "condition": "--condition",
    "judge_id": "--judge",
    "variant": "--variant",
    "weight_scope": "--weight-scope",
    "evaluation_config_id": "--config",
}


@dataclass(frozen=True)
class Question:
    """Which cell is asked for; None leaves a column open.

    Attributes:
        tau_a_thousandths: threshold in thousandths, 0 to 1,000.
    """

    metric: str
    system_id: str
    audience: str
    condition: str | None = None
    run_id: str | None = None
    slice_type: str = "all"
    slice: str = "all"
    tau_a_thousandths: int = 700
    policy: str = "exclude_failed"
    judge_id: str | None = None
    variant: str | None = None
    weight_scope: str | None = None
    evaluation_config_id: str | None = None
    benchmark: str = "xslides"


@contextmanager
def opened(folder: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a connection that sees the marts of a state as `published.main`."""
    database = str(folder / states.DATABASE_FILE).replace("'", "''")
    with duckdb.connect() as connection:
        connection.execute(f"attach '{database}' as published (read_only)")
        yield connection


def rows_of(connection: duckdb.DuckDBPyConnection, query: str, *parameters: Any) -> list[Row]:
    """Return the rows of a query as mappings."""
    cursor = connection.execute(query, list(parameters))
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, values, strict=True)) for values in cursor.fetchall()]


def has_mart(connection: duckdb.DuckDBPyConnection, mart: str) -> bool:
    """Return whether a state holds a mart; those of older builds lack newer ones."""
    query = "select 1 from duckdb_tables() where database_name = 'published' and table_name = ?"
    return bool(rows_of(connection, query, mart))


def find_cell(connection: duckdb.DuckDBPyConnection, question: Question) -> Row:
    """Return the one row of `rpt_metric_summaries` that a question names.

    Imported values answer only when their judge is asked for: beside a computed figure they
    are another's.
    """
    asked = {name: value for name, value in vars(question).items() if value is not None}
    where = " and ".join(f'"{name}" = ?' for name in asked)
    if question.judge_id is None:
        where += f" and judge_kind <> '{IMPORTED}'"
    found = rows_of(
        connection,
        f"select * from published.main.{diff.SUMMARIES} where {where} order by all",
        *asked.values(),
    )
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(
            "no published cell answers to this",
            expected=nearest(connection, diff.SUMMARIES, asked)
            or "a computed cell; imported ones need --judge imported",
            got=", ".join(f"{name} = {value}" for name, value in asked.items()),
        )
    open_columns = {
        name: sorted({str(row[name]) for row in found})
        for name in diff.KEY
        if len({row[name] for row in found}) > 1
    }
    raise UsageError(
        f"{len(found)} published cells answer to this",
        expected="one of " + "; ".join(f"{k}: {', '.join(v)}" for k, v in open_columns.items()),
        fix="add " + " and ".join(_OPTIONS.get(name, f"a {name}") for name in open_columns),
    )


def nearest(connection: duckdb.DuckDBPyConnection, mart: str, asked: Row) -> str | None:
    """Return what there is of the first part of a question that nothing answers to.

    Args:
        connection: sees the marts as `published.main`.
        mart: mart that the question is about.
        asked: value by column, the widest first.

    Returns:
        `column: value, value`, or None when every part has an answer.
    """
    kept: list[str] = []
    table = f'published.main."{mart}"'
    for position, name in enumerate(asked):
        kept.append(f'"{name}" = ?')
        values = list(asked.values())[: position + 1]
        where = " and ".join(kept)
        if rows_of(connection, f"select 1 from {table} where {where} limit 1", *values):
            continue
        before = " and ".join(kept[:-1]) or "true"
        there = rows_of(
            connection,
            f'select distinct "{name}" as value from {table} where {before} order by 1 limit 20',
            *values[:-1],
        )
        return f"{name}: {', '.join(str(row['value']) for row in there) or 'nothing published'}"
    return None
