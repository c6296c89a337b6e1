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
from warehouse import manifests, relations
from warehouse.errors import LockedError
from warehouse.locks import build_lock
from warehouse.paths import WarehousePaths

pytestmark = pytest.mark.faults
COMMAND = [sys.executable, "-c", "from podium.cli.main import main; main()"]
SMALL_DISK = (
    "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)); "
    "from podium.cli.main import main; main()"
)


def start(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
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
    full = subprocess.run(
        [sys.executable, "-c", SMALL_DISK, "land", "xslides", root, "--warehouse", warehouse],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert full.returncode == 2, full.stderr
    assert "error: the system refused" in full.stderr
    assert "Traceback" not in full.stderr
    paths = WarehousePaths(warehouse)
    assert manifests.read_all(paths) == []
    assert not list(warehouse.rglob(".podium-tmp-*"))
    land(paths, root, LandOptions())
    assert count(paths, "xslides.weights") == 36


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
