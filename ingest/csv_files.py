"""CSV files of people: a header that names columns, a line number for every row."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection
from pathlib import Path

from warehouse.errors import InputError

CsvRow = tuple[int, dict[str, str]]
"""1-based line of the row's end, and its fields by column, stripped."""


def read_csv(path: Path, required: Collection[str]) -> list[CsvRow]:
    """Read a CSV file in UTF-8.

    Args:
        path: the file; a byte order mark is skipped.
        required: columns that its header must name; others may stand there too.

    Returns:
        Every row. A field that a row lacks is empty text.

    Raises:
        InputError: when the file is no UTF-8, names a column twice, lacks one, or has a row with
            more fields than the header.
    """
    try:
        reader = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig")), restval="")
        header = list(reader.fieldnames or ())
        rows = [(reader.line_num, row) for row in reader]
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"`{path.name}` cannot be read as CSV", got=str(error)) from None
    absent = sorted(set(required) - set(header))
    if absent or len(set(header)) < len(header):
        raise InputError(
            f"`{path.name}` has other columns",
            expected=", ".join(required) + ", each once",
            got=", ".join(header) or "no header",
        )
    for line, row in rows:
        if None in row:
            raise InputError(f"`{path.name}` line {line} has more fields than the header")
    return [(line, {name: row[name].strip() for name in header}) for line, row in rows]
