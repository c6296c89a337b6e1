"""Reading what is published: SQL over the current state, read-only."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from warehouse import releases, states
from warehouse.errors import InputError, UsageError
from warehouse.paths import WarehousePaths


@dataclass(frozen=True)
class Result:
    """Column names and rows of a query."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]

    def records(self) -> list[dict[str, Any]]:
        """Return the rows as mappings."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def database(paths: WarehousePaths, release_id: str | None = None) -> Path:
    """Return the database of the current state, or of one state or release.

    Args:
        paths: the warehouse.
        release_id: id or folder name of a state or release, `current` or `latest`.

    Raises:
        InputError: when nothing is published or the release is unknown.
    """
    if release_id is None:
        state = states.current(paths)
        if state is None:
            raise InputError(
                f"nothing is published in `{paths.root}`",
                fix="podium build, or podium xslides run CASES --decks DECKS",
            )
        return state.folder / states.DATABASE_FILE
    return releases.resolve(paths, release_id) / states.DATABASE_FILE


def query(
    paths: WarehousePaths,
    sql: str,
    parameters: list[Any] | None = None,
    release_id: str | None = None,
) -> Result:
    """Run one read-only query over published marts.

    Raises:
        InputError: when nothing is published.
        UsageError: when DuckDB refuses the SQL.
    """
    with duckdb.connect(str(database(paths, release_id)), read_only=True) as connection:
        try:
            connection.execute("set threads = 2")
            # It would print into the output of a slow query.
            connection.execute("set enable_progress_bar = false")
            cursor = connection.execute(sql, parameters or [])
            columns = tuple(one[0] for one in cursor.description or ())
            return Result(columns, cursor.fetchall())
        except duckdb.Error as error:
            raise UsageError(
                "the query cannot be run",
                got=str(error),
                fix="podium tables lists tables and columns",
            ) from error


def tables(paths: WarehousePaths, release_id: str | None = None) -> Result:
    """Return name, rows and comment of every published mart."""
    return query(
        paths,
        "select table_name as name, estimated_size as row_count, comment "
        "from duckdb_tables() order by table_name",
        release_id=release_id,
    )


def columns(paths: WarehousePaths, table: str, release_id: str | None = None) -> Result:
    """Return name, type and comment of every column of one mart."""
    return query(
        paths,
        "select column_name as name, data_type as type, comment from duckdb_columns() "
        "where table_name = ? order by column_index",
        [table],
        release_id=release_id,
    )
