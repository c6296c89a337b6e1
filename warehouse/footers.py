"""Footers: whether a landed file can be read under the present contract of its table.

A file of the present version is read as it is. An older one is opened: columns that it lacks
and that may be NULL are filled on read, and anything else asks to land the unit again. A file
is never read as something that it was not landed as. Decision:
docs/decisions/0014-contracts-that-grow.md.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from warehouse.contracts.base import TABLE_ENTRY, VERSION_ENTRY, Contract
from warehouse.errors import InputError
from warehouse.manifests import LandedFile, Manifest, manifest_path
from warehouse.paths import WarehousePaths

FIX_SEPARATOR = "\n            "

Named = tuple[Manifest, LandedFile]
"""A landed file and the manifest that names it."""


@dataclass(frozen=True)
class Misfit:
    """What keeps a file from being read: what the contract expects and what the file has."""

    expected: str
    got: str


def are_of(entries: Mapping[bytes, bytes] | None, contract: Contract) -> bool:
    """Return whether the entries of a footer name this table and this version."""
    wanted = contract.schema.metadata.items()
    return all((entries or {}).get(name) == value for name, value in wanted)


def check(paths: WarehousePaths, contract: Contract, files: Iterable[Named]) -> bool:
    """Hold all files of one table against its contract.

    Files that are all of the present version are not opened: their manifests say it, and
    landing has read each footer back. With an older file among them every footer is read,
    since the engine then unites columns by name.

    Returns:
        Whether an older file is among them, so that columns have to be filled.

    Raises:
        InputError: when a file cannot be read under the contract; the message names the
            commands that land all such files again.
    """
    named = list(files)
    is_mixed = any(landed.contract_version != contract.version for _, landed in named)
    if not is_mixed:
        return False
    found = [(one, misfit) for one in named if (misfit := _misfit(paths, contract, one[1]))]
    if found:
        raise _error(paths, contract, found)
    return True


def _misfit(paths: WarehousePaths, contract: Contract, landed: LandedFile) -> Misfit | None:
    """Return what keeps one file from being read, or None."""
    version = landed.contract_version
    if version > contract.version:
        return Misfit("the newest that this Podium knows", "landed by a newer one")
    if version < contract.readable_from:
        oldest = contract.readable_from
        return Misfit(f"or at least version {oldest}", "whose rows meant something else")
    try:
        schema = pq.read_schema(paths.landing / landed.file)
    except (OSError, pa.ArrowException) as error:
        return Misfit("a Parquet file", f"unreadable: {' '.join(str(error).split())}")
    stated = {TABLE_ENTRY: contract.table, VERSION_ENTRY: str(version)}
    for entry, value in stated.items():
        text = (schema.metadata or {}).get(entry, b"nothing").decode(errors="replace")
        if text != value:
            name = entry.decode()
            return Misfit(f"`{name}` {value} in its footer, as its manifest says", f"{name} {text}")
    return next(_column_misfits(contract, schema), None)


def _column_misfits(contract: Contract, schema: pa.Schema) -> Iterator[Misfit]:
    """Yield what columns forbid; an absent column that may be NULL is none."""
    for column in contract.columns:
        wanted = f"column `{column.name}` as {_described(column.type, column.nullable)}"
        if column.name not in schema.names:
            if not column.nullable:
                yield Misfit(wanted, f"no column `{column.name}`")
            continue
        field = schema.field(column.name)
        if (field.type, field.nullable) != (column.type, column.nullable):
            found = _described(field.type, field.nullable)
            yield Misfit(wanted, f"column `{column.name}` as {found}")
    for name in schema.names:
        if name not in contract.names:
            yield Misfit(f"no column `{name}`", f"column `{name}` as {schema.field(name).type}")


def _described(kind: pa.DataType, is_nullable: bool) -> str:
    return f"{kind}, {'which may be NULL' if is_nullable else 'never NULL'}"


def _error(
    paths: WarehousePaths, contract: Contract, found: list[tuple[Named, Misfit]]
) -> InputError:
    (_, landed), first = found[0]
    others = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    fixes = dict.fromkeys(_fix(paths, contract, *named) for named, _ in found)
    return InputError(
        f"landed file `{landed.file}`{others} does not fit the contract of `{contract.table}`",
        expected=f"version {contract.version}, {first.expected}",
        got=f"version {landed.contract_version}, {first.got}",
        fix=FIX_SEPARATOR.join(fixes),
    )


def _fix(paths: WarehousePaths, contract: Contract, manifest: Manifest, landed: LandedFile) -> str:
    """Return the command that mends one file."""
    if manifest.unit.startswith("gates/"):
        # What a gate found once cannot be found again; the verdict that stands is kept elsewhere.
        record = manifest_path(paths, manifest.benchmark, manifest.unit, manifest.shard)
        return shlex.join(["rm", str(record)])
    command = ["podium", "land", manifest.benchmark, manifest.source_root]
    command += ["--dataset", manifest.dataset_id, "--warehouse", str(paths.root)]
    if landed.contract_version == contract.version:
        # Landing leaves a unit of the present version alone while its files are there.
        return f"{shlex.join(['rm', str(paths.landing / landed.file)])} && {shlex.join(command)}"
    return shlex.join(command)
