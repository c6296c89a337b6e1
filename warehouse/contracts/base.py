"""What a landing table is: columns, types, key, order, closed value sets, words about each.

A contract is the single source of types. dbt sources, expectations and the data
dictionary are checked against it by tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import pyarrow as pa

TEXT = pa.string()
INTEGER = pa.int64()
NUMBER = pa.float64()
BOOLEAN = pa.bool_()
TEXT_LIST = pa.list_(pa.string())

# What the footer of every landed Parquet file says beside its columns.
TABLE_ENTRY = b"podium.table"
VERSION_ENTRY = b"podium.contract_version"


@dataclass(frozen=True)
class Column:
    """One column of a landing table.

    Attributes:
        name: snake_case; suffixes are promises (`_count` integer, `_share` 0 to 1, ...).
        type: Arrow type that every file declares, also when all values are NULL.
        doc: one sentence for the data dictionary.
        nullable: False means that landing refuses a NULL.
        values: closed value set, or None for an open one.
        is_volatile: True for what may differ between identical runs; never hashed.
    """

    name: str
    type: pa.DataType
    doc: str
    nullable: bool = True
    values: tuple[str, ...] | None = None
    is_volatile: bool = False


@dataclass(frozen=True)
class Contract:
    """One landing table.

    Attributes:
        benchmark: slug of the benchmark, or `core`.
        noun: plural table name inside the benchmark.
        doc: what one row is.
        columns: in file order.
        key: columns that identify a row; also the sort order of every file.
        version: raised on any change; added nullable columns are filled on read.
        readable_from: oldest version whose files are read beside new ones. Raised to
            `version` by a change that columns do not show: another key, another meaning,
            another closed set. Decision: docs/decisions/0014-contracts-that-grow.md.
    """

    benchmark: str
    noun: str
    doc: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    version: int = 1
    readable_from: int = 1

    @property
    def table(self) -> str:
        """Return `<benchmark>/<noun>`, the name of the table in landing."""
        return f"{self.benchmark}/{self.noun}"

    @cached_property
    def schema(self) -> pa.Schema:
        """Return the Arrow schema with table name and contract version as metadata."""
        fields = [pa.field(col.name, col.type, nullable=col.nullable) for col in self.columns]
        return pa.schema(
            fields,
            metadata={TABLE_ENTRY: self.table.encode(), VERSION_ENTRY: str(self.version).encode()},
        )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the column names in file order."""
        return tuple(column.name for column in self.columns)


def required(name: str, kind: pa.DataType, doc: str, **rest: object) -> Column:
    """Return a column that must hold a value in every row."""
    return Column(name, kind, doc, nullable=False, **rest)  # type: ignore[arg-type]


def provenance() -> tuple[Column, ...]:
    """Return the columns that name the file and line a row came from."""
    return (
        required("source_file", TEXT, "File that the row came from, relative to the data root."),
        Column("source_line", INTEGER, "1-based line in that file; NULL for whole-file rows."),
    )
