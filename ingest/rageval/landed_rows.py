"""Rows of a dataset that stages read back out of landing, by manifests alone."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from warehouse import manifests
from warehouse.contracts.base import Contract
from warehouse.paths import WarehousePaths

BENCHMARK = "rageval"


def rows_of(
    paths: WarehousePaths, contract: Contract, dataset_id: str, **equal: str
) -> list[dict[str, Any]]:
    """Return the landed rows of a table, sorted by its key.

    Args:
        paths: the warehouse.
        contract: the table.
        dataset_id: data set.
        equal: values that columns must have.
    """
    parts = []
    for unit in manifests.read_all(paths):
        if (unit.benchmark, unit.dataset_id) != (BENCHMARK, dataset_id):
            continue
        for one in unit.files:
            if one.table == contract.table:
                parts.append(pq.read_table(paths.landing / one.file).select(contract.names))
    if not parts:
        return []
    table = pa.concat_tables(parts)
    for name, value in equal.items():
        table = table.filter(pc.equal(table[name], value))
    order = [(name, "ascending") for name in contract.key]
    rows: list[dict[str, Any]] = table.sort_by(order).to_pylist()
    return rows
