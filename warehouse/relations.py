"""Landing relations: which files make up which table, decided once per build or gate.

Both dbt (by an on-run-start macro) and the landing gate read the same list, so that what
is checked is what is built. Files that were landed under an older contract are checked
before: only columns that may be NULL can be absent in them (decision 0014).
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from warehouse import footers, jsonl, landing, manifests, statistics, storage
from warehouse.contracts import ALL
from warehouse.contracts.base import Contract
from warehouse.contracts.core import LANDED_FILES
from warehouse.errors import InputError
from warehouse.footers import Named
from warehouse.manifests import Manifest
from warehouse.paths import WarehousePaths

_PARQUET_MAGIC = b"PAR1"


@dataclass(frozen=True)
class Relation:
    """One landing table.

    Attributes:
        schema: slug of the benchmark.
        name: plural noun.
        files: absolute paths of its Parquet files. The first one is typed, empty and of the
            present contract: columns and types of the relation are its columns and types.
        has_older_files: whether a file lacks columns that are to be filled with NULL.
    """

    schema: str
    name: str
    files: tuple[str, ...]
    has_older_files: bool = False


@dataclass(frozen=True)
class LandingState:
    """What is landed: an id that does not depend on the machine, and its relations."""

    state_id: str
    relations: tuple[Relation, ...]


def current_state(paths: WarehousePaths) -> LandingState:
    """Return the landing state that the manifests name.

    Raises:
        InputError: when a manifest names a file that is not there, that is torn, or that
            cannot be read under the present contract.
    """
    found = manifests.read_all(paths)
    files: dict[str, list[Named]] = {table: [] for table in ALL}
    for manifest in found:
        for landed in manifest.files:
            # A table that this Podium does not know is one that it does not read.
            if landed.table in files:
                files[landed.table].append((manifest, landed))
    computed = {LANDED_FILES.table: _landed_files(paths, found)}
    relations = [
        _relation(paths, ALL[table], named, computed.get(table))
        for table, named in sorted(files.items())
    ]
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
                "has_older_files": one.has_older_files,
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
            f"select * from read_parquet([{names}], hive_partitioning = false, "
            f"union_by_name = {relation.has_older_files})"
        )


def _relation(
    paths: WarehousePaths, contract: Contract, named: list[Named], computed: str | None
) -> Relation:
    names = {landed.file for _, landed in named} | ({computed} if computed else set())
    for name in sorted(names):
        if not (paths.landing / name).is_file():
            raise InputError(
                f"landed file `{name}` is gone",
                expected="every file that a manifest names",
                fix="land that unit again with --replace",
            )
        if not _is_whole(paths.landing / name):
            raise InputError(
                f"landed file `{name}` is torn",
                expected="a Parquet file with its footer",
                fix="remove that file, then land its data root again: podium land xslides DIR",
            )
    has_older_files = footers.check(paths, contract, named)
    typed = landing.empty_file(paths, contract.table)
    absolute = tuple(
        str((paths.landing / name).resolve()) for name in (typed, *sorted(names - {typed}))
    )
    return Relation(contract.benchmark, contract.noun, absolute, has_older_files)


def _is_whole(path: Path) -> bool:
    """Whether a Parquet file ends as it must; one torn file would fail a whole relation."""
    with path.open("rb") as handle:
        if handle.seek(0, os.SEEK_END) < len(_PARQUET_MAGIC) * 3:
            return False
        handle.seek(-len(_PARQUET_MAGIC), os.SEEK_END)
        return handle.read() == _PARQUET_MAGIC


def _landed_files(paths: WarehousePaths, found: list[Manifest]) -> str:
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
