"""Landing relations: which files make up which table, decided once per build or gate.

Both dbt (by an on-run-start macro) and the landing gate read the same list, so that what
is checked is what is built.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from warehouse import jsonl, landing, manifests, statistics, storage
from warehouse.contracts import ALL
from warehouse.contracts.core import LANDED_FILES
from warehouse.errors import InputError
from warehouse.paths import WarehousePaths


@dataclass(frozen=True)
class Relation:
    """One landing table: schema, name, and the absolute paths of its Parquet files."""

    schema: str
    name: str
    files: tuple[str, ...]


@dataclass(frozen=True)
class LandingState:
    """What is landed: an id that does not depend on the machine, and its relations."""

    state_id: str
    relations: tuple[Relation, ...]


def current_state(paths: WarehousePaths) -> LandingState:
    """Return the landing state that the manifests name.

    Raises:
        InputError: when a manifest names a file that is not there.
    """
    found = manifests.read_all(paths)
    files: dict[str, list[str]] = {table: [landing.empty_file(paths, table)] for table in ALL}
    for manifest in found:
        for landed in manifest.files:
            files.setdefault(landed.table, []).append(landed.file)
    files[LANDED_FILES.table].append(_landed_files(paths, found))
    relations = [_relation(paths, table, names) for table, names in sorted(files.items())]
    state_id = manifests.state_id(found)
    relations.append(_state_relation(paths, state_id))
    return LandingState(state_id, (*relations, *_statistics_relations(paths)))


def write_relations(paths: WarehousePaths, state: LandingState) -> None:
    """Write the list that the on-run-start macro reads."""
    jsonl.write_jsonl(
        paths.relations_file,
        [
            {
                "schema_name": one.schema,
                "relation_name": one.name,
                "files": list(one.files),
                "landing_state_id": state.state_id,
            }
            for one in state.relations
        ],
    )


def register(connection: duckdb.DuckDBPyConnection, state: LandingState) -> None:
    """Create one view per landing relation in a DuckDB connection."""
    for relation in state.relations:
        connection.execute(f'create schema if not exists "{relation.schema}"')
        names = ", ".join("'" + name.replace("'", "''") + "'" for name in relation.files)
        connection.execute(
            f'create or replace view "{relation.schema}"."{relation.name}" as '
            f"select * from read_parquet([{names}], union_by_name = true)"
        )


def _relation(paths: WarehousePaths, table: str, names: list[str]) -> Relation:
    schema, _, noun = table.partition("/")
    unique = sorted(set(names))
    for name in unique:
        if not (paths.landing / name).is_file():
            raise InputError(
                f"landed file `{name}` is gone",
                expected="every file that a manifest names",
                fix="land that unit again with --replace",
            )
    return Relation(schema, noun, tuple(str((paths.landing / one).resolve()) for one in unique))


def _landed_files(paths: WarehousePaths, found: list[manifests.Manifest]) -> str:
    rows = [
        {
            "benchmark": manifest.benchmark,
            "unit": manifest.unit,
            "shard": manifest.shard,
            "landing_table": landed.table,
            "landed_file": landed.file,
            "row_count": landed.rows,
            "file_sha256": landed.sha256,
            "contract_version": landed.contract_version,
            "input_sha256": manifest.input_sha256,
            "input_count": len(manifest.inputs),
            "source_root": manifest.source_root,
            "code_version": manifest.code_version,
        }
        for manifest in found
        if not manifest.unit.startswith("gates/")
        for landed in manifest.files
    ]
    return landing.write_table(paths, LANDED_FILES, rows).file


def _state_relation(paths: WarehousePaths, state_id: str) -> Relation:
    path = paths.build / "states" / f"{state_id}.parquet"
    if not path.exists():
        with storage.temporary_sibling(path) as temporary:
            pq.write_table(pa.table({"landing_state_id": [state_id]}), temporary)
    return Relation("core", "landing_state", (str(path.resolve()),))


def _statistics_relations(paths: WarehousePaths) -> tuple[Relation, ...]:
    files: dict[str, Path] = statistics.write_tables(paths.build / "statistics")
    return tuple(
        Relation("statistics", name, (str(path.resolve()),)) for name, path in sorted(files.items())
    )
