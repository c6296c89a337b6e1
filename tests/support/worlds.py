"""Lands artifact trees as datasets of one warehouse, builds once, and opens the result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from ingest.xslides.land import LandOptions, LandReport, land
from warehouse.build import BuildResult, run_build
from warehouse.paths import WarehousePaths

Row = dict[str, Any]


@dataclass(frozen=True)
class World:
    """One built warehouse.

    Attributes:
        root: folder that holds the landed trees, each named by its dataset.
        reports: what landing said, by dataset.
        connection: reads the build file.
    """

    root: Path
    paths: WarehousePaths
    reports: dict[str, LandReport]
    result: BuildResult
    connection: duckdb.DuckDBPyConnection

    def rows(self, query: str, *parameters: Any) -> list[Row]:
        cursor = self.connection.execute(query, list(parameters))
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, values, strict=True)) for values in cursor.fetchall()]

    def one(self, query: str, *parameters: Any) -> Row:
        found = self.rows(query, *parameters)
        assert len(found) == 1, f"{len(found)} rows instead of one"
        return found[0]

    def scores(self, dataset_id: str) -> list[Row]:
        return self.rows(
            "select * from marts.fct_xslides__deck_audience_scores "
            "where dataset_id = ? order by evaluation_id, tau_a_thousandths",
            dataset_id,
        )


def build_world(root: Path, trees: Iterable[Path]) -> World:
    """Land trees that lie side by side in `root` into one warehouse and build it whole."""
    paths = WarehousePaths(root / "warehouse")
    reports = {tree.name: land(paths, tree, LandOptions()) for tree in trees}
    result = run_build(paths)
    assert result.is_complete, [(one.subject, one.message) for one in result.findings]
    connection = duckdb.connect(str(paths.build_file), read_only=True)
    return World(root, paths, reports, result, connection)
