"""The landing writer: rows in, one immutable and typed Parquet file out.

A file is written whole: validated against its contract, sorted by the key, written under
a temporary name, flushed, checked, renamed to a name made of its content. Two identical
imports therefore give one file, and no file is ever changed. Its footer names the table and
the version of the contract (decision 0014).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from warehouse import footers, storage
from warehouse.contracts import ALL
from warehouse.contracts.base import Contract
from warehouse.contracts.core import REJECTS
from warehouse.errors import InputError
from warehouse.manifests import LandedFile
from warehouse.paths import WarehousePaths

Row = dict[str, Any]
Chunk = tuple[Contract, list[Row], pa.Table | None]
"""Rows of one table on their way to one file, and further rows that are parsed already."""


@dataclass(frozen=True)
class Reject:
    """A row or a file that cannot be landed (columns: contract `core/rejects`)."""

    landing_table: str
    reason: str
    subject: str
    message: str
    source_file: str
    source_line: int | None = None
    raw: str | None = None


@dataclass
class RejectLog:
    """Collects the rejects of one import; nothing is dropped without an entry here."""

    benchmark: str
    dataset_id: str
    unit: str
    rejects: list[Reject] = field(default_factory=list)

    def add(self, reject: Reject) -> None:
        """Keep one reject."""
        self.rejects.append(reject)

    def rows(self) -> list[Row]:
        """Return the rejects as rows of `core/rejects`."""
        return [
            {
                "benchmark": self.benchmark,
                "dataset_id": self.dataset_id,
                "unit": self.unit,
                **vars(one),
            }
            for one in self.rejects
        ]


def write_table(
    paths: WarehousePaths,
    contract: Contract,
    rows: Iterable[Row],
    parsed: pa.Table | None = None,
) -> LandedFile:
    """Land rows of one table as one file.

    Args:
        paths: the warehouse.
        contract: types, key and order; every row must hold exactly its columns.
        rows: mappings of column name to value, in any order.
        parsed: further rows that are an Arrow table of the contract's schema already.

    Returns:
        The record for the manifest. No rows give a typed, empty file.

    Raises:
        InputError: when a row breaks the contract. Landing code turns bad input into
            rejects before it comes here, so this is a fault of the code that calls.
    """
    table = sorted_table(contract, list(rows))
    if parsed is not None and parsed.num_rows:
        table = _merged(contract, table, parsed)
    target = paths.landing / contract.table
    target.mkdir(parents=True, exist_ok=True)
    scratch = target / f"{storage.TEMPORARY_PREFIX}{id(table):x}-{contract.noun}"
    try:
        stamped = table.replace_schema_metadata(contract.schema.metadata)
        pq.write_table(stamped, scratch, compression="zstd", use_dictionary=True)
        storage.sync_file(scratch)
        footer = pq.read_metadata(scratch)
        if footer.num_rows != table.num_rows or not footers.are_of(footer.metadata, contract):
            raise InputError(f"`{contract.table}` was not written whole", fix="land it again")
        digest = storage.sha256_file(scratch)
        final = target / f"{digest[:24]}.parquet"
        scratch.replace(final)
        storage.sync_folder(target)
    finally:
        scratch.unlink(missing_ok=True)
    name = final.relative_to(paths.landing).as_posix()
    return LandedFile(contract.table, name, table.num_rows, digest, contract.version)


def sorted_table(contract: Contract, rows: list[Row]) -> pa.Table:
    """Return rows as an Arrow table of the contract's schema, sorted by its key.

    Raises:
        InputError: on a missing or surplus column, a NULL where none may be, a value out
            of a closed set, a non-finite number, a wrong type or a duplicate key.
    """
    for row in rows:
        if row.keys() != set(contract.names):
            odd = sorted(row.keys() ^ set(contract.names))
            raise InputError(f"row of `{contract.table}` has other columns", got=f"{odd}")
    columns = {}
    for column in contract.columns:
        values = [row[column.name] for row in rows]
        _check_values(contract, column.name, values)
        try:
            columns[column.name] = pa.array(values, type=column.type)
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as error:
            raise InputError(
                f"column `{column.name}` of `{contract.table}` has a value of another type",
                expected=str(column.type),
                got=str(error),
            ) from error
    _check_key(contract, rows)
    table = pa.table(columns, schema=contract.schema)
    order = [(name, "ascending") for name in contract.key]
    return table.sort_by(order) if table.num_rows > 1 else table


def _merged(contract: Contract, table: pa.Table, parsed: pa.Table) -> pa.Table:
    """Return both tables as one, sorted, after the checks that rows of Python objects get."""
    if not parsed.schema.equals(contract.schema):
        raise InputError(f"parsed rows of `{contract.table}` have another schema")
    for column in contract.columns:
        if not column.nullable and parsed[column.name].null_count:
            raise InputError(f"column `{column.name}` of `{contract.table}` holds a NULL")
    both = pa.concat_tables([table, parsed]) if table.num_rows else parsed
    if repeated(both, contract.key).num_rows:
        raise InputError(f"`{contract.table}` has a duplicate key")
    if _is_ascending(both, contract.key):
        return both
    return both.sort_by([(name, "ascending") for name in contract.key])


def repeated(table: pa.Table, key: Sequence[str]) -> pa.Table:
    """Return the keys that stand on more than one row, one row each."""
    if _is_ascending(table, key):
        return table.select(list(key)).slice(0, 0)
    counted = table.select(list(key)).group_by(list(key)).aggregate([([], "count_all")])
    return counted.filter(pc.greater(counted["count_all"], 1))


def _is_ascending(table: pa.Table, key: Sequence[str]) -> bool:
    """Return whether each row's key is above the one before: far cheaper than to sort."""
    if table.num_rows < 2:
        return True
    above = pa.scalar(False)
    for name in reversed(key):
        column = table[name].combine_chunks()
        before, after = column.slice(0, len(column) - 1), column.slice(1)
        above = pc.or_(pc.greater(after, before), pc.and_(pc.equal(after, before), above))
    return pc.all(above, skip_nulls=False).as_py() is True


def keep_unique(
    contract: Contract, rows: list[Row], log: RejectLog, *, subject: str = "key"
) -> list[Row]:
    """Return the rows whose key stands once; every copy of a repeated key is a reject.

    No copy wins silently: which of two contradicting rows is right cannot be known here.
    """
    keys = [tuple(row[name] for name in contract.key) for row in rows]
    counts = Counter(keys)
    kept = []
    for key, row in zip(keys, rows, strict=True):
        if counts[key] == 1:
            kept.append(row)
            continue
        log.add(
            Reject(
                landing_table=contract.table,
                reason="duplicate_row",
                subject=str(row.get(subject, key[-1])),
                message=f"{counts[key]} rows share this key; all of them are set aside",
                source_file=row["source_file"],
                source_line=row["source_line"],
                raw=str({name: row[name] for name in contract.key}),
            )
        )
    return kept


def write_rejects(paths: WarehousePaths, log: RejectLog) -> LandedFile:
    """Land the rejects of an import; identical entries are written once."""
    unique = {tuple(str(row[name]) for name in REJECTS.key): row for row in log.rows()}
    return write_table(paths, REJECTS, unique.values())


def empty_file(paths: WarehousePaths, table: str) -> str:
    """Make sure that a typed, empty file of a table exists; return its landing name.

    It stands behind every relation, so that a benchmark without rows never breaks a build.
    """
    return write_table(paths, ALL[table], []).file


def _check_values(contract: Contract, name: str, values: list[Any]) -> None:
    column = next(one for one in contract.columns if one.name == name)
    if not column.nullable and any(value is None for value in values):
        raise InputError(f"column `{name}` of `{contract.table}` holds a NULL")
    if column.values is not None:
        odd = sorted({str(one) for one in values if one is not None} - set(column.values))
        if odd:
            raise InputError(
                f"column `{name}` of `{contract.table}` has a value out of its closed set",
                expected=", ".join(column.values),
                got=", ".join(odd),
            )
    if any(isinstance(value, float) and not math.isfinite(value) for value in values):
        raise InputError(f"column `{name}` of `{contract.table}` has a non-finite number")


def _check_key(contract: Contract, rows: list[Mapping[str, Any]] | list[Row]) -> None:
    counts = Counter(tuple(row[name] for name in contract.key) for row in rows)
    twice = [key for key, count in counts.items() if count > 1]
    if twice:
        raise InputError(
            f"`{contract.table}` has a duplicate key",
            expected=f"unique ({', '.join(contract.key)})",
            got=str(twice[0]),
        )
