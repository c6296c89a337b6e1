"""kill -9 at random points of land, build and promotion: nothing lost, nothing doubled."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from ingest.xslides.land import LandOptions, land
from tests.support import spoiled
from warehouse import build, landing, manifests, relations, states
from warehouse.paths import WarehousePaths

POINTS = int(os.environ.get("PODIUM_FAULT_POINTS", "5"))
pytestmark = pytest.mark.faults

LAND = """
import sys
from pathlib import Path
from ingest.xslides.land import LandOptions, land
from warehouse.paths import WarehousePaths
print("ready", flush=True)
land(WarehousePaths(Path(sys.argv[1])), Path(sys.argv[2]), LandOptions())
"""
BUILD = """
import sys
from pathlib import Path
import dbt.cli.main
from warehouse import build, states
from warehouse.locks import build_lock
from warehouse.paths import WarehousePaths
paths = WarehousePaths(Path(sys.argv[1]))
print("ready", flush=True)
with build_lock(paths):
    built = build.run_build(paths)
    assert built.is_complete, built.findings
    states.promote(paths, built.landing_state_id)
"""
PROMOTE = """
import sys
from pathlib import Path
from warehouse import states
from warehouse.paths import WarehousePaths
print("ready", flush=True)
states.promote(WarehousePaths(Path(sys.argv[1])), sys.argv[2])
"""


def run_whole(script: str, *arguments: object) -> float:
    """Run a job to its end; return the seconds from its start signal on."""
    process, started = start(script, *arguments)
    assert process.wait(timeout=300) == 0
    return time.monotonic() - started


def run_and_kill(script: str, after: float, *arguments: object) -> bool:
    """Run a job and kill it `after` seconds from its start signal; return whether it lived."""
    process, started = start(script, *arguments)
    time.sleep(max(0.0, started + after - time.monotonic()))
    was_running = process.poll() is None
    process.kill()
    process.wait(timeout=60)
    return was_running


def start(script: str, *arguments: object) -> tuple[subprocess.Popen[str], float]:
    process = subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process, time.monotonic()


def test_land_killed_at_random_points_loses_and_doubles_nothing(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    whole = WarehousePaths(tmp_path / "whole")
    duration = run_whole(LAND, whole.root, root)
    expected = manifests.state_id(manifests.read_all(whole))
    draw = random.Random(1)
    killed = 0
    for number in range(POINTS):
        paths = WarehousePaths(tmp_path / f"killed_{number}")
        killed += run_and_kill(LAND, draw.uniform(0, duration), paths.root, root)
        state = relations.current_state(paths)
        with duckdb.connect() as connection:
            relations.register(connection, state)
            counts = connection.execute(
                "select (select count(*) from xslides.weights), "
                "(select count(*) from xslides.probe_scores)"
            ).fetchall()[0]
        assert counts[0] in (0, 36)
        assert counts[1] in (0, 72)
        land(paths, root, LandOptions())
        assert manifests.state_id(manifests.read_all(paths)) == expected
    assert killed > 0


def test_build_killed_at_random_points_keeps_the_state_that_stands(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    paths = WarehousePaths(tmp_path / "warehouse")
    land(paths, root, LandOptions())
    duration = run_whole(BUILD, paths.root)
    before = states.current(paths)
    assert before is not None
    draw = random.Random(2)
    killed = 0
    for _ in range(POINTS):
        killed += run_and_kill(BUILD, draw.uniform(0, duration), paths.root)
        after = states.current(paths)
        assert after is not None
        assert after.release_id == before.release_id
        assert_whole(after)
    assert killed > 0
    run_whole(BUILD, paths.root)
    again = states.current(paths)
    assert again is not None
    assert again.marts == before.marts


def test_promotion_killed_at_random_points_shows_all_or_nothing(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    paths = WarehousePaths(tmp_path / "warehouse")
    land(paths, root, LandOptions())
    built = build.run_build(paths)
    duration = run_whole(PROMOTE, paths.root, "state_aaaaaaaa")
    first = states.current(paths)
    assert first is not None
    draw = random.Random(3)
    killed = 0
    for number in range(POINTS):
        # A new landing state each time, so that there is something to write.
        name = f"state_{number:08d}"
        killed += run_and_kill(PROMOTE, draw.uniform(0, duration), paths.root, name)
        seen = states.current(paths)
        assert seen is not None
        assert seen.release_id == first.release_id
        assert_whole(seen)
    assert killed > 0
    assert states.promote(paths, built.landing_state_id).marts == first.marts
    assert not list(paths.states.glob(".podium-tmp-*"))


def assert_whole(state: states.State) -> None:
    """Every mart is there, in both forms, with the rows that the record promises."""
    with duckdb.connect(str(state.folder / states.DATABASE_FILE), read_only=True) as connection:
        for name, content in state.marts.items():
            for relation in (name, f"read_parquet('{state.folder}/marts/{name}.parquet')"):
                found = connection.execute(f"select count(*) from {relation}").fetchall()
                assert found == [(content["rows"],)]


def test_a_torn_parquet_file_beside_good_ones_is_never_read(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    paths = WarehousePaths(tmp_path / "warehouse")
    land(paths, root, LandOptions())
    (paths.landing / "xslides/weights/torn.parquet").write_bytes(b"PAR1 torn")
    (paths.landing / "xslides/weights/.podium-tmp-1").write_bytes(b"")
    with duckdb.connect() as connection:
        relations.register(connection, relations.current_state(paths))
        assert connection.execute("select count(*) from xslides.weights").fetchall() == [(36,)]


def test_equal_rows_make_one_file(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path)
    assert landing.empty_file(paths, "xslides/probes") == landing.empty_file(
        paths, "xslides/probes"
    )
    assert len(list((paths.landing / "xslides/probes").iterdir())) == 1
