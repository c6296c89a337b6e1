"""Columns that every landed row has."""

from __future__ import annotations

from warehouse.landing import Row


def provenance_of(source_file: str, source_line: int | None = None) -> Row:
    """Return the columns that name the file and line a row came from."""
    return {"source_file": source_file, "source_line": source_line}
