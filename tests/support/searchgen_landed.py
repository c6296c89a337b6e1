"""What landed units of searchgen hold, read from their files alone: no engine, no relations."""

from __future__ import annotations

from typing import Any

import pyarrow.parquet as pq

from warehouse import manifests
from warehouse.paths import WarehousePaths

Row = dict[str, Any]


def landed_rows(paths: WarehousePaths, noun: str) -> list[Row]:
    """Return the rows of `searchgen/<noun>` of all units, each unit in its key's order."""
    return [
        row
        for unit in manifests.read_all(paths)
        for one in unit.files
        if one.table == f"searchgen/{noun}"
        for row in pq.read_table(paths.landing / one.file).to_pylist()
    ]
