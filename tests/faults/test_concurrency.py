"""Many landers, one builder, a full disk, Ctrl-C: what stands stays whole."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from ingest.xslides.land import LandOptions, land
from tests.support import spoiled
from tests.support.promoted import cell, promote, publish
from warehouse import manifests, relations, releases, states
from warehouse.errors import LockedError
from warehouse.locks import build_lock
from warehouse.paths import WarehousePaths

pytestmark = pytest.mark.faults
COMMAND = [sys.executable, "-c", "from podium.cli.main import main; main()"]
SMALL_DISK = (
    "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    "resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size})); {job}"
)
PODIUM = "from podium.cli.main import main; main()"
PUBLISH = (
    "import sys; from pathlib import Path; from tests.support.promoted import publish; "
    "from warehouse.paths import WarehousePaths; publish(WarehousePaths(Path(sys.argv[1])))"
)


def start(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run_on_full_disk(job: str, size: int, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a job that can write no file beyond some bytes."""
    return subprocess.run(
        [sys.executable, "-c", SMALL_DISK.format(size=size, job=job), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def count(paths: WarehousePaths, table: str) -> int:
    with duckdb.connect() as connection:
        relations.register(connection, relations.current_state(paths))
        return int(connection.execute(f"select count(*) from {table}").fetchall()[0][0])


def test_landers_of_other_datasets_and_of_the_same_one_do_not_hurt_each_other(
    tmp_path: Path,
) -> None:
    one = spoiled.plant(tmp_path / "one").root
    two = spoiled.plant(tmp_path / "two").root
    warehouse = tmp_path / "warehouse"
    jobs = [
        start("land", "xslides", root, "--warehouse", warehouse) for root in (one, two, one, two)
    ]
    for job in jobs:
        _, errors = job.communicate(timeout=120)
        assert job.returncode == 0, errors
    paths = WarehousePaths(warehouse)
    assert count(paths, "xslides.probe_scores") == 144
    assert len(manifests.read_all(paths)) == 4


def test_a_second_builder_is_told_who_holds_the_lock(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path)
    with build_lock(paths):
        second = start("build", "--warehouse", tmp_path)
        _, errors = second.communicate(timeout=120)
    assert second.returncode == 2
    assert "pid" in errors
    assert "Traceback" not in errors
    with (
        build_lock(paths),
        pytest.raises(LockedError, match="another process"),
        build_lock(WarehousePaths(tmp_path)),
    ):
        raise AssertionError("two builders at once")


def test_a_full_disk_ends_with_one_message_and_nothing_half_landed(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    warehouse = tmp_path / "warehouse"
    full = run_on_full_disk(PODIUM, 4096, "land", "xslides", root, "--warehouse", warehouse)
    assert full.returncode == 2, full.stderr
    assert "error: the system refused" in full.stderr
    assert "Traceback" not in full.stderr
    paths = WarehousePaths(warehouse)
    assert manifests.read_all(paths) == []
    assert not list(warehouse.rglob(".podium-tmp-*"))
    land(paths, root, LandOptions())
    assert count(paths, "xslides.weights") == 36


@pytest.mark.parametrize("size", [4096, 1_000_000])
def test_a_full_disk_during_a_build_ends_with_one_message_and_shows_nothing(
    size: int, tmp_path: Path
) -> None:
    root = spoiled.plant(tmp_path / "data").root
    warehouse = tmp_path / "warehouse"
    paths = WarehousePaths(warehouse)
    land(paths, root, LandOptions())
    full = run_on_full_disk(PODIUM, size, "build", "--warehouse", warehouse)
    assert full.returncode == 2, full.stderr
    assert "File too large" in full.stderr
    assert "fix:" in full.stderr
    assert "Traceback" not in full.stderr
    assert states.current(paths) is None
    assert count(paths, "xslides.weights") == 36


def test_a_full_disk_during_a_publish_leaves_the_latest_release(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path / "warehouse")
    promote(paths, [cell()])
    publish(paths)
    before = paths.latest.resolve()
    newer = promote(paths, [cell(estimate=0.9)])
    full = run_on_full_disk(PUBLISH, 16, paths.root)
    assert full.returncode != 0
    assert "File too large" in full.stderr
    assert paths.latest.resolve() == before
    assert [one.name for one in releases.read_all(paths)] == [before.name]
    publish(paths)
    assert paths.latest.resolve().name == newer.name
    assert not list(paths.releases.glob(".podium-tmp-*"))


def test_ctrl_c_ends_without_a_traceback_and_the_command_goes_on_later(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    warehouse = tmp_path / "warehouse"
    land(WarehousePaths(warehouse), root, LandOptions())
    job = start("build", "--warehouse", warehouse)
    assert job.stderr is not None
    while "dbt is running" not in job.stderr.readline():
        pass
    time.sleep(1)
    job.send_signal(signal.SIGINT)
    _, errors = job.communicate(timeout=120)
    assert job.returncode in (2, 130), errors
    assert "Traceback" not in errors
    again = start("build", "--warehouse", warehouse)
    _, errors = again.communicate(timeout=300)
    assert again.returncode == 0, errors
