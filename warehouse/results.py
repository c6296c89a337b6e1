"""Landing of what gates found, so that results are rows like everything else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb

from warehouse import landing, manifests
from warehouse.contracts.core import EXPECTATION_RESULTS
from warehouse.manifests import Manifest
from warehouse.paths import WarehousePaths


def land_results(
    paths: WarehousePaths, rows: Sequence[dict[str, Any]], *, code_version: str
) -> None:
    """Land the results of one gate on one landing state; a repeated check replaces them."""
    first = rows[0]
    unit = f"gates/{first['gate']}/{first['landing_state_id']}"
    landed = landing.write_table(paths, EXPECTATION_RESULTS, rows)
    manifests.write(
        paths,
        Manifest(
            benchmark=first["benchmark"],
            unit=unit,
            shard=manifests.WHOLE,
            dataset_id="",
            source_root="",
            code_version=code_version,
            input_sha256=landed.sha256,
            inputs=(),
            files=(landed,),
        ),
    )


def add_to_build(paths: WarehousePaths, rows: Sequence[dict[str, Any]]) -> None:
    """Add the mart gate's own results to the build that it checked, before promotion."""
    table = landing.sorted_table(EXPECTATION_RESULTS, list(rows))
    with duckdb.connect(str(paths.build_file)) as connection:
        connection.register("new_results", table)
        connection.execute(
            "delete from marts.fct_expectation_results where (gate, benchmark) in "
            "(select (gate, benchmark) from new_results)"
        )
        connection.execute(
            "insert into marts.fct_expectation_results by name select * from new_results"
        )
