"""Promotion: a complete green build becomes a state that readers see, all at once.

A state is a folder named by its content: Parquet per mart and a read-only `podium.duckdb`
that holds the marts alone. `current` is a link that is replaced in one rename, so a reader
holds either the old state or the new one, and an open old one stays readable.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from warehouse import jsonl, storage
from warehouse.errors import InputError
from warehouse.exports import leaderboards
from warehouse.identity import content_id
from warehouse.paths import WarehousePaths

# The oldest storage format that the current DuckDB writes with all types in use here.
STORAGE_VERSION = "v1.5.0"
STATE_FILE = "state.json"
DATABASE_FILE = "podium.duckdb"


@dataclass(frozen=True)
class Mart:
    """One mart of a build: its key, its columns with their words, those never hashed."""

    name: str
    doc: str
    key: tuple[str, ...]
    columns: dict[str, str]
    volatile: frozenset[str]


@dataclass(frozen=True)
class State:
    """One promoted state.

    Attributes:
        release_id: hash of all mart contents without volatile columns.
        marts: rows and content hash by mart.
    """

    release_id: str
    marts: dict[str, dict[str, Any]]
    folder: Path


def promote(paths: WarehousePaths, landing_state_id: str) -> State:
    """Promote the build file to `current`. The caller holds the build lock.

    The folder carries the landing state beside the release: equal numbers out of other
    files are the same release, and still another state to trace.

    Raises:
        InputError: when the build file has no marts.
    """
    paths.states.mkdir(parents=True, exist_ok=True)
    for leftover in paths.states.glob(f"{storage.TEMPORARY_PREFIX}*"):
        shutil.rmtree(leftover)
    scratch = paths.states / f"{storage.TEMPORARY_PREFIX}state"
    marts = read_marts(paths)
    with duckdb.connect() as connection:
        # The build is read through a connection of its own: one that is read-only as a
        # whole could not attach the file that is written.
        connection.execute(f"attach {_literal(str(paths.build_file))} as built (read_only)")
        contents = {mart.name: _content(connection, mart) for mart in marts}
        release_id = content_id("release", contents)
        final = paths.states / f"{release_id}-{landing_state_id[-8:]}"
        if not (final / STATE_FILE).exists():
            (scratch / "marts").mkdir(parents=True)
            _export(connection, marts, scratch)
            leaderboards.write(scratch / DATABASE_FILE, scratch / "exports")
            state = {
                "release_id": release_id,
                "duckdb_version": duckdb.__version__,
                "marts": contents,
            }
            jsonl.write_json(scratch / STATE_FILE, state)
            for file in scratch.rglob("*"):
                if file.is_file():
                    storage.sync_file(file)
            scratch.rename(final)
            storage.sync_folder(paths.states)
    storage.replace_link(paths.current, final)
    return read_state(final)


def read_marts(paths: WarehousePaths) -> list[Mart]:
    """Return the marts of the last whole build, from dbt's manifest."""
    manifest_file = paths.build / "target" / "manifest.json"
    if not manifest_file.exists():
        raise InputError("nothing is built yet", fix="podium build")
    marts = []
    for node in jsonl.parse(manifest_file.read_bytes())["nodes"].values():
        if node["resource_type"] == "model" and node["schema"] == "marts":
            columns = node["columns"]
            volatile = {
                name
                for name, column in columns.items()
                if column.get("config", {}).get("meta", {}).get("is_volatile")
            }
            key = tuple(node["config"]["meta"]["key"])
            docs = {name: column["description"] for name, column in columns.items()}
            marts.append(Mart(node["name"], node["description"], key, docs, frozenset(volatile)))
    return sorted(marts, key=lambda mart: mart.name)


def read_state(folder: Path) -> State:
    """Return the record of one promoted state."""
    record = jsonl.read_json(folder / STATE_FILE)
    return State(record["release_id"], record["marts"], folder)


def current(paths: WarehousePaths) -> State | None:
    """Return the state that readers see, or None when nothing was promoted."""
    folder = paths.current.resolve()
    return read_state(folder) if (folder / STATE_FILE).is_file() else None


def _content(connection: duckdb.DuckDBPyConnection, mart: Mart) -> dict[str, Any]:
    """Return row count and a hash that does not depend on the order of rows."""
    kept = ", ".join(f'"{name}"' for name in mart.columns if name not in mart.volatile)
    rows, digest = connection.execute(
        "select count(*), sha256(coalesce(string_agg(row_hash, '' order by row_hash), '')) "
        "from (select sha256(cast(to_json(kept) as varchar)) as row_hash "
        f'from (select {kept} from built.marts."{mart.name}") as kept)'
    ).fetchall()[0]
    return {"rows": rows, "sha256": digest}


def _export(connection: duckdb.DuckDBPyConnection, marts: list[Mart], folder: Path) -> None:
    database = _literal(str(folder / DATABASE_FILE))
    connection.execute(f"attach {database} as published (storage_version '{STORAGE_VERSION}')")
    for mart in marts:
        order = ", ".join(f'"{name}" nulls first' for name in mart.key)
        rows = f'select * from built.marts."{mart.name}" order by {order}'
        connection.execute(f'create table published.main."{mart.name}" as {rows}')
        target = _literal(str(folder / "marts" / f"{mart.name}.parquet"))
        connection.execute(f"copy ({rows}) to {target} (format parquet, compression zstd)")
        _comment(connection, mart)
    connection.execute("detach published")


def _comment(connection: duckdb.DuckDBPyConnection, mart: Mart) -> None:
    """Write a mart's words into the published database.

    dbt could do it while it builds, at the price of one more statement a column.
    """
    table = f'published.main."{mart.name}"'
    connection.execute(f"comment on table {table} is {_literal(mart.doc)}")
    for column, doc in mart.columns.items():
        connection.execute(f'comment on column {table}."{column}" is {_literal(doc)}')


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
