"""kill -9 at random points of publishing, and readers that hold what is being replaced."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import duckdb
import pytest

from tests.faults.test_kills import POINTS, run_and_kill, run_whole, start
from tests.support.promoted import cell, promote, publish
from warehouse import releases, states
from warehouse.paths import WarehousePaths
from warehouse.releases import Release

pytestmark = pytest.mark.faults

KEEP = 2
BLOB = bytes(4_000_000)
PUBLISH = """
import sys
from pathlib import Path
from tests.support.promoted import publish
from warehouse.locks import build_lock
from warehouse.paths import WarehousePaths
paths = WarehousePaths(Path(sys.argv[1]))
print("ready", flush=True)
with build_lock(paths):
    publish(paths, keep=int(sys.argv[2]))
"""


def assert_whole(release: Release) -> None:
    assert releases.damaged_files(release) == []
    state = states.read_state(release.folder)
    with duckdb.connect(str(release.folder / states.DATABASE_FILE), read_only=True) as connection:
        for name, content in state.marts.items():
            found = connection.execute(f"select count(*) from {name}").fetchall()
            assert found == [(content["rows"],)]


def test_publish_killed_at_random_points_shows_whole_releases_only(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path / "warehouse")
    promote(paths, [cell()], blob=BLOB)
    duration = run_whole(PUBLISH, paths.root, KEEP)
    draw = random.Random(4)
    killed = 0
    newest = paths.latest.resolve().name
    for number in range(POINTS):
        state = promote(paths, [cell(n_total=100 + number)], blob=BLOB)
        killed += run_and_kill(PUBLISH, draw.uniform(0, duration), paths.root, KEEP)
        assert paths.latest.resolve().name in (newest, state.name)
        found = releases.read_all(paths)
        for one in found:
            assert_whole(one)
        assert newest in {one.name for one in found}
        publish(paths, keep=KEEP)
        newest = state.name
        assert paths.latest.resolve().name == newest
        assert len(releases.read_all(paths)) == KEEP
        assert not list(paths.releases.glob(".podium-tmp-*"))
        ordinals = [one.record["ordinal"] for one in releases.read_all(paths)]
        assert len(set(ordinals)) == len(ordinals)
    assert killed > 0


def test_a_reader_keeps_reading_what_publishing_retires(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path / "warehouse")
    rows = [cell(system_id=f"system_{number:05d}") for number in range(20_000)]
    old = promote(paths, rows)
    publish(paths)
    database = paths.latest / states.DATABASE_FILE
    with (
        duckdb.connect(str(database), read_only=True) as connection,
        (paths.latest / "marts" / "rpt_metric_summaries.parquet").open("rb") as handle,
    ):
        promote(paths, [cell()])
        done = publish(paths, keep=1)
        assert done.retired == (old.name,)
        shutil.rmtree(old)
        found = connection.execute(
            "select count(*), count(distinct system_id), max(system_id) from rpt_metric_summaries"
        ).fetchall()
        assert found == [(20_000, 20_000, "system_19999")]
        assert handle.read(4) == b"PAR1"
        handle.seek(-4, 2)
        assert handle.read() == b"PAR1"
    assert not (paths.releases / old.name).exists()
    with duckdb.connect(str(database), read_only=True) as connection:
        assert connection.execute("select count(*) from rpt_metric_summaries").fetchall() == [(1,)]


def test_a_link_that_is_replaced_always_names_a_whole_release(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path / "warehouse")
    promote(paths, [cell()], blob=BLOB)
    publish(paths)
    newer = promote(paths, [cell(estimate=0.9)], blob=BLOB)
    seen = set()
    process, _ = start(PUBLISH, paths.root, 1)
    while process.poll() is None:
        record = releases.read_release(paths.latest.resolve()).record
        seen.add(record["name"])
    assert process.wait(timeout=60) == 0
    assert paths.latest.resolve().name == newer.name
    assert seen
