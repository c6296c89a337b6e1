"""States made by hand, so that tests of releases need no build."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from warehouse import diff, jsonl, releases, standing, states, storage
from warehouse.identity import content_id
from warehouse.paths import WarehousePaths
from warehouse.releases import Publication
from warehouse.standing import Standing

Row = dict[str, Any]
PASSED: Row = {"title": "gates", "outcome": "passed", "exit_code": 0, "checks": [], "findings": []}


def verdict(outcome: str, exit_code: int) -> Row:
    finding = {
        "check": "every_deck_is_readable",
        "outcome": outcome,
        "subject": "case_000",
        "message": "it is not",
        "file": None,
        "line": None,
    }
    return {**PASSED, "outcome": outcome, "exit_code": exit_code, "findings": [finding]}


def cell(**fields: Any) -> Row:
    """Return one row of the summaries."""
    key: Row = dict.fromkeys(diff.KEY, "all")
    key |= {"metric": "coverage", "tau_a_thousandths": 700, "evaluation_config_id": None}
    figures: Row = dict.fromkeys(diff.FIGURES)
    return {**key, **figures, "estimate": 0.5, "n_total": 3, **fields}


def promote(
    paths: WarehousePaths,
    rows: list[Row],
    *,
    landing: str = "state_00000001",
    verdict: Row = PASSED,
    has_landing_verdict: bool = True,
    blob: bytes = b"",
) -> Path:
    """Make a state of one mart `current`, with what stands about it."""
    contents = {diff.SUMMARIES: {"rows": len(rows), "sha256": content_id("rows", rows)}}
    release_id = content_id("release", contents)
    folder = paths.states / f"{release_id}-{landing[-8:]}"
    if not folder.exists():
        (folder / "marts").mkdir(parents=True)
        table = pa.Table.from_pylist(rows)
        pq.write_table(table, folder / "marts" / f"{diff.SUMMARIES}.parquet")
        with duckdb.connect(str(folder / states.DATABASE_FILE)) as connection:
            connection.register("given", table)
            connection.execute(f"create table {diff.SUMMARIES} as select * from given")
        (folder / "blob").write_bytes(blob)
        record = {
            "release_id": release_id,
            "duckdb_version": duckdb.__version__,
            "marts": contents,
        }
        jsonl.write_json(folder / states.STATE_FILE, record)
    storage.replace_link(paths.current, folder)
    standing.write(
        paths, Standing(release_id, landing, "0" * 64, dict(verdict), has_landing_verdict)
    )
    return folder


def publish(paths: WarehousePaths, **options: Any) -> Publication:
    return releases.publish(
        paths,
        releases.standing_of_current(paths),
        code_version="test",
        published_at="2026-01-01T00:00:00+00:00",
        **options,
    )
