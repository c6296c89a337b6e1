"""Tables that a gate looks at, to be spoiled one by one, and what its rules then find.

Rules are queries: here they run without Great Expectations, which takes a second a gate.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import duckdb
import pyarrow as pa

from expectations.rules import Suite

Row = dict[str, Any]


@dataclass
class Tables:
    """Tables by `<schema>.<name>`, each a list of rows; empty ones keep their types."""

    rows: dict[str, list[Row]]
    types: dict[str, pa.Schema] = field(default_factory=dict)

    def copy(self) -> Tables:
        return Tables(copy.deepcopy(self.rows), self.types)

    def create(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Make the tables in a database."""
        for name, rows in self.rows.items():
            connection.execute(f"create schema if not exists {name.split('.')[0]}")
            connection.register("given", pa.Table.from_pylist(rows, schema=self.types[name]))
            connection.execute(f"create table {name} as select * from given")
            connection.unregister("given")

    def findings(self, suite: Suite) -> dict[str, list[str]]:
        """Return by rule what it finds: `<file>:<line> <subject>: <message>`."""
        found: dict[str, list[str]] = {}
        with duckdb.connect() as connection:
            self.create(connection)
            for rule in suite.rules:
                rows_found = connection.execute(rule.statement).fetchall()
                if rows_found:
                    found[rule.name] = [
                        f"{file}:{line} {subject}: {message}"
                        for subject, message, file, line in rows_found
                    ]
        return found


Spoil = Callable[[Tables], None]


def read_tables(connection: duckdb.DuckDBPyConnection, names: Iterable[str]) -> Tables:
    """Return tables of a database as they stand."""
    rows, types = {}, {}
    for name in names:
        table: pa.Table = connection.sql(f"select * from {name}").to_arrow_table()
        rows[name], types[name] = table.to_pylist(), table.schema
    return Tables(rows, types)


def edit(table: str, where: Row, **changes: Any) -> Spoil:
    """Return what changes all rows with given values; a callable gets the row."""

    def spoil(tables: Tables) -> None:
        hit = _matching(tables.rows[table], where)
        for row in hit:
            for name, value in changes.items():
                row[name] = value(row) if callable(value) else value

    return spoil


def drop(table: str, **where: Any) -> Spoil:
    """Return what takes all rows with given values away."""

    def spoil(tables: Tables) -> None:
        hit = _matching(tables.rows[table], where)
        tables.rows[table] = [row for row in tables.rows[table] if row not in hit]
        _recount(tables, table)

    return spoil


def repeat(table: str, where: Row, **changes: Any) -> Spoil:
    """Return what adds changed copies of all rows with given values."""

    def spoil(tables: Tables) -> None:
        hit = _matching(tables.rows[table], where)
        tables.rows[table] += [{**copy.deepcopy(row), **changes} for row in hit]
        _recount(tables, table)

    return spoil


def both(*spoils: Spoil) -> Spoil:
    def spoil(tables: Tables) -> None:
        for one in spoils:
            one(tables)

    return spoil


def _recount(tables: Tables, table: str) -> None:
    """Let the manifest of a table say how many rows it has now."""
    for row in tables.rows.get("core.landed_files", []):
        if row["landing_table"] == table.replace(".", "/"):
            row["row_count"] = len(tables.rows[table])


def _matching(rows: Iterable[Row], where: Row) -> list[Row]:
    hit = [row for row in rows if all(row[name] == value for name, value in where.items())]
    assert hit, f"nothing to spoil: {where}"
    return hit
