"""Rows of searchgen that a gate looks at, to be spoiled one by one, and what its rules then find.

Rules are queries: here they run without Great Expectations, which takes a second a gate.
`tests/faults/test_searchgen_gate.py` holds that the gate itself finds the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import duckdb
import pyarrow as pa

from ingest.searchgen.land import LandOptions, LandReport, land_published, land_results
from tests.support import searchgen_states, searchgen_trees
from tests.support.searchgen_releases import ReleaseFiles
from tests.support.spoiled_tables import Row, Tables
from warehouse import relations
from warehouse.contracts import ALL
from warehouse.contracts.searchgen_values import COMPONENTS, COMPONENTS_9
from warehouse.exports import searchgen
from warehouse.exports.searchgen_manifest import Provenance
from warehouse.paths import WarehousePaths

STAGED = ("runs", "prompts", "models", "prompt_scores")


def land_files(warehouse: Path, files: ReleaseFiles) -> tuple[WarehousePaths, LandReport]:
    """Land a release that was written by hand."""
    paths = WarehousePaths(warehouse)
    report = land_results(
        paths,
        prompts=files.prompts,
        results=files.results,
        models=files.models,
        options=LandOptions(),
    )
    return paths, report


def landed_tables(paths: WarehousePaths) -> Tables:
    """Return the landing tables that the gate of searchgen reads."""
    with duckdb.connect() as connection:
        relations.register(connection, relations.current_state(paths))
        names = [one for one in ALL if one.startswith("searchgen/")]
        tables = {}
        for table in (*names, "core/rejects", "core/landed_files"):
            name = table.replace("/", ".")
            rows = connection.sql(f"select * from {name} order by all").to_arrow_table()
            tables[name] = rows.to_pylist()
    types = {name: ALL[name.replace(".", "/")].schema for name in tables}
    return Tables(tables, types)


def publish_boards(folder: Path, seed: int = 1) -> Path:
    """Write the published folder of a hand-made state and return it."""
    state = searchgen_states.marts(seed).promote(folder / "state")
    known = Provenance((), "release_1", "0.1", "1.4")
    files = searchgen.contents(searchgen.load(state, searchgen_states.RUN["run_id"]), known)
    return searchgen.place(folder / "boards", files).folder


def board_tables(folder: Path) -> Tables:
    """Return the landing tables of published boards alone."""
    paths = WarehousePaths(folder / "warehouse")
    land_published(paths, folder=publish_boards(folder), options=LandOptions())
    return landed_tables(paths)


def mart_tables(folder: Path, seed: int = 1) -> Tables:
    """Return staging and marts of a hand-made state and of the same results landed."""
    given = searchgen_states.marts(seed)
    planted = searchgen_trees.plant(folder / "release", given)
    files = ReleaseFiles(*(planted / one for one in ("prompts.jsonl", "results", "models.yml")))
    landed = landed_tables(land_files(folder / "warehouse", files)[0])
    boards = searchgen_states.boards(given)
    marts = {
        "marts.rpt_searchgen__leaderboards": boards,
        "marts.fct_searchgen__prompt_scores": given.scores,
        "marts.fct_searchgen__aggregate_reconciliations": [_reconciliation(boards[0])],
        "marts.rpt_metric_summaries": [
            _summary(board, metric)
            for board in boards
            if board["slice"] == "all" and board["policy"] != "applicability_aware"
            if (board["view"], board["group_name"]) != _REPEATED
            for metric in ("overall_9", "overall_10")
        ],
    }
    for one in boards:
        one["minimum_coverage"] = given.run["minimum_coverage"]
        one["is_low_coverage"] = one["scored_share"] < one["minimum_coverage"]
    tables = {f"staging.stg_searchgen__{noun}": landed.rows[f"searchgen.{noun}"] for noun in STAGED}
    types = {f"staging.stg_searchgen__{noun}": landed.types[f"searchgen.{noun}"] for noun in STAGED}
    inferred = {name: _typed(rows) for name, rows in marts.items()}
    return Tables({**tables, **marts}, {**types, **inferred})


_REPEATED = ("stratum", "All")


def state_overalls(rows: Iterable[Row]) -> None:
    """Let scored results state both overalls, as public records do."""
    for row in rows:
        for name, parts in (("overall_9", COMPONENTS_9), ("overall_10", COMPONENTS)):
            row[f"stated_{name}"] = searchgen_states.mean([row[one] for one in parts])


def _reconciliation(board: Row) -> Row:
    names = ("run_id", "slice", "view", "group_name", "model_id")
    return {
        **{name: board[name] for name in names},
        "artifact": "leaderboard_overall.json",
        "metric": "n_total",
        "published_value": float(board["n_total"]),
        "recomputed_value": float(board["n_total"]),
        "reconciliation_status": "equal",
    }


def _summary(board: Row, metric: str) -> Row:
    is_whole = board["view"] == "overall"
    return {
        "benchmark": "searchgen",
        "run_id": board["run_id"],
        "metric": metric,
        "slice_type": "all" if is_whole else board["view"],
        "slice": "all" if is_whole else board["group_name"],
        "system_id": board["source_id"],
        "condition": "none",
        "audience": "all",
        "policy": board["policy"],
        "estimate": board[metric],
        "percentile_low": None,
        "percentile_high": None,
        "expanded_low": None,
        "expanded_high": None,
        "interval_method": "none",
        "n_total": board["n_total"],
        "n_scored": board["n_scored"],
        "n_included": board[f"{metric}_count"],
        "n_undefined": 0,
        "scored_share": board["scored_share"],
    }


def _typed(rows: list[Row]) -> pa.Schema:
    """Return the types of rows; a column of NULLs alone is one of numbers."""
    schema = pa.Table.from_pylist(rows).schema
    return pa.schema(
        [
            pa.field(one.name, pa.float64() if pa.types.is_null(one.type) else one.type)
            for one in schema
        ]
    )
