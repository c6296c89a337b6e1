"""Rows of a file: JSON Lines, a JSON list, CSV or Parquet, under the names we use.

A mapping renames fields first, so that other people's files need no rewriting.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.csv_files import read_csv
from ingest.land_fields import FieldError, FileReader
from warehouse import jsonl
from warehouse.errors import InputError, UsageError
from warehouse.landing import Row

JSON_LINES, CSV, PARQUET = (".jsonl", ".ndjson", ".json"), (".csv",), (".parquet",)
Built = TypeVar("Built")
Build = Callable[[Row, int | None], Built]


def read_rows(
    path: Path, table: str, build: Build[Built], renamed: Mapping[str, str], reader: FileReader
) -> list[Built]:
    """Return what `build` makes of the rows of a file; the rest are rejects.

    Args:
        path: the file; its suffix says what it is.
        table: landing table that rejects name.
        build: makes a record of a row and its 1-based line (None in Parquet), or raises
            FieldError.
        renamed: name in the file by name of ours.
        reader: keeps rejects.

    Raises:
        InputError: when the file cannot be read at all, or a mapped field stands in no row.
        UsageError: when its suffix is none we know.
    """
    rows = _rows(path, table, reader)
    absent = [theirs for theirs in renamed.values() if not any(theirs in row for _, row in rows)]
    if rows and absent:
        raise InputError(
            f"`{path.name}` has no field `{absent[0]}`, which the mapping names",
            expected="fields of the file",
            got=", ".join(sorted(rows[0][1])),
        )
    built = []
    for number, (line, row) in enumerate(rows, start=1):
        named = {**row, **{ours: row.get(theirs) for ours, theirs in renamed.items()}}
        try:
            built.append(build(named, line))
        except FieldError as error:
            raw = jsonl.dumps(_plain(row))[: jsonl.RAW_TEXT_LIMIT]
            subject = str(named.get("question_id") or f"row {number}")[:200]
            reader.reject(table, path, error.reason, subject, str(error), line, raw)
    return built


def _rows(path: Path, table: str, reader: FileReader) -> list[tuple[int | None, Row]]:
    suffix = path.suffix.lower()
    try:
        if suffix in JSON_LINES:
            whole = _json_list(path) if suffix == ".json" else None
            if whole is not None:
                return [(None, row if isinstance(row, dict) else {}) for row in whole]
            content = jsonl.read_jsonl(path)
            for bad in content.rejects:
                subject = f"line {bad.line}"
                reader.reject(table, path, bad.reason, subject, bad.message, bad.line, bad.raw)
            return [(one.line, one.value) for one in content.rows]
        if suffix in CSV:
            return [(line, _without_blanks(row)) for line, row in read_csv(path, ())]
        if suffix in PARQUET:
            return [(None, row) for row in pq.read_table(path).to_pylist()]
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"`{path.name}` cannot be read", got=str(error)) from None
    raise UsageError(
        f"`{path.name}` is none of the files that can be landed",
        expected=", ".join((*JSON_LINES, *CSV, *PARQUET)),
    )


def _json_list(path: Path) -> list[Any] | None:
    """Return what a JSON file lists; None where it is no list but lines of JSON."""
    try:
        value = jsonl.parse(path.read_bytes())
    except jsonl.StrictJsonError:
        return None
    return value if isinstance(value, list) else None


def _without_blanks(row: Mapping[str, str]) -> Row:
    """Return a row of CSV, in which an empty field says nothing."""
    return {name: value for name, value in row.items() if value}


def _plain(row: Row) -> dict[str, Any]:
    """Return a row that JSON can hold, whatever types Parquet had."""
    kept = (str, int, float, bool, list, type(None))
    return {name: value if isinstance(value, kept) else str(value) for name, value in row.items()}
