"""Small trees landed, and what is then in the warehouse, without a build."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb

from expectations import gate
from ingest.xslides.land import LandOptions, land
from tests.support.trees import Tree, probe, weight
from warehouse import relations
from warehouse.findings import Finding
from warehouse.paths import WarehousePaths

Row = dict[str, Any]


def land_tree(warehouse: Path, root: Path) -> WarehousePaths:
    paths = WarehousePaths(warehouse)
    land(paths, root, LandOptions())
    return paths


def read_landed(paths: WarehousePaths, table: str) -> list[Row]:
    """Return the rows of a landing table, sorted, without the line they came from."""
    with duckdb.connect() as connection:
        relations.register(connection, relations.current_state(paths))
        cursor = connection.execute(f"select * from {table} order by all")
        names = [column[0] for column in cursor.description or ()]
        rows = [dict(zip(names, values, strict=True)) for values in cursor.fetchall()]
    if table == "core.rejects":
        return rows
    volatile = ("source_line", "weights_sha256", "probes_sha256", "run_manifest_sha256")
    return [{name: row[name] for name in row if name not in volatile} for row in rows]


def findings_of(paths: WarehousePaths) -> list[Finding]:
    """Return what the landing gate finds."""
    return list(gate.check_landing(paths, "xslides").verdict.findings)


def write_scores(root: Path, scores: list[Row], **fields: Any) -> Path:
    """Write a tree of one case with a probe for each judgment; `fields` are the probes'."""
    tree = Tree(root)
    ids = [one["probe_id"] for one in scores]
    tree.case(
        "case_000",
        [probe(one, "case_000", **fields) for one in ids],
        {"learners": [weight(one, "learners", [1.0, 0.6]) for one in ids]},
    )
    tree.evaluation("case_000", "learners", scores)
    return tree.root
