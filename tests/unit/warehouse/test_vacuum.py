"""Vacuum removes what nothing names and leaves alone what somebody may be about to name."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.support.promoted import cell, promote, publish
from warehouse import landing, manifests
from warehouse.errors import InputError
from warehouse.manifests import Manifest
from warehouse.paths import WarehousePaths
from warehouse.vacuum import Removal, vacuum

NOW = 2_000_000_000.0
HOUR = 3600.0
LONG_AGO = NOW - 2 * HOUR


@pytest.fixture
def paths(tmp_path: Path) -> WarehousePaths:
    paths = WarehousePaths(tmp_path / "warehouse")
    paths.landing.mkdir(parents=True)
    return paths


def plant(path: Path, *, at: float = LONG_AGO, content: bytes = b"12345") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    os.utime(path, (at, at))
    return path


def run(paths: WarehousePaths, **options: float | bool | int) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in vacuum(paths, now=NOW, **options):  # type: ignore[arg-type]
        found.setdefault(one.kind, []).append(one.path)
    return found


def land_named(paths: WarehousePaths) -> Path:
    name = landing.empty_file(paths, "xslides/weights")
    landed = manifests.LandedFile("xslides/weights", name, 0, "0" * 64, 1)
    manifests.write(
        paths,
        Manifest("xslides", "data/probes", manifests.WHOLE, "data", "/", "1", "0", (), (landed,)),
    )
    os.utime(paths.landing / name, (LONG_AGO, LONG_AGO))
    return paths.landing / name


def test_a_landed_file_goes_when_no_manifest_names_it(paths: WarehousePaths) -> None:
    named = land_named(paths)
    loose = plant(paths.landing / "xslides/weights/0123456789abcdef01234567.parquet")
    assert run(paths) == {"landed_file": [str(loose.relative_to(paths.root))]}
    assert named.is_file()
    assert not loose.exists()


def test_a_young_file_stays_for_the_lander_that_is_at_work(paths: WarehousePaths) -> None:
    young = plant(paths.landing / "xslides/weights/0.parquet", at=NOW - HOUR + 1)
    scratch = plant(paths.landing / "xslides/weights/.podium-tmp-1", at=NOW - 1)
    assert run(paths) == {}
    assert young.is_file()
    assert scratch.is_file()
    assert set(run(paths, grace_seconds=0)) == {"landed_file", "temporary"}


def test_foreign_files_stay(paths: WarehousePaths) -> None:
    for name in ("notes.parquet", "xslides/notes.parquet", "mine/table/x.parquet", "xslides/a.txt"):
        plant(paths.landing / name)
    assert run(paths) == {}


def test_leftovers_of_killed_jobs_go(paths: WarehousePaths) -> None:
    promote(paths, [cell()])
    leftovers = [
        paths.published / ".podium-tmp-current",
        paths.states / ".podium-tmp-state" / "marts" / "a.parquet",
        paths.releases / ".podium-tmp-release" / "blob",
        paths.build / "gate-17.duckdb",
        paths.trees / "data" / ".podium-tmp-x",
        paths.landing / "_manifests" / "xslides" / ".podium-tmp-y",
    ]
    for one in leftovers:
        plant(one)
    assert len(run(paths)["temporary"]) == len(leftovers)
    assert not any(one.exists() for one in leftovers)
    assert paths.current.resolve().is_dir()


def test_a_temporary_link_goes_and_its_target_stays(paths: WarehousePaths) -> None:
    state = promote(paths, [cell()])
    (paths.published / ".podium-tmp-latest").symlink_to(state)
    assert run(paths) == {"temporary": ["published/.podium-tmp-latest"]}
    assert state.is_dir()


def test_old_states_go_but_for_current_releases_and_the_newest(paths: WarehousePaths) -> None:
    made = []
    for number in range(7):
        state = promote(paths, [cell(n_total=number)])
        os.utime(state / "state.json", (NOW + number, NOW + number))
        made.append(state)
        if number == 1:
            publish(paths)
    promote(paths, [cell(n_total=2)])
    assert run(paths) == {
        "state": sorted(str(made[number].relative_to(paths.root)) for number in (0, 3))
    }
    left = {one.name for one in paths.states.iterdir()}
    assert left == {made[number].name for number in (1, 2, 4, 5, 6)}


def test_a_dry_run_tells_the_same_and_removes_nothing(paths: WarehousePaths) -> None:
    loose = plant(paths.landing / "xslides/weights/0.parquet", content=b"1234567")
    told = vacuum(paths, now=NOW, is_dry_run=True)
    assert told == (Removal("landed_file", "landing/xslides/weights/0.parquet", 7),)
    assert loose.is_file()
    assert vacuum(paths, now=NOW) == told


def test_bytes_that_a_second_name_keeps_are_not_freed(paths: WarehousePaths) -> None:
    state = promote(paths, [cell(n_total=0)], blob=b"x" * 100_000)
    for number in range(1, 5):
        promote(paths, [cell(n_total=number)])
    shutil.copytree(state, paths.root / "kept", copy_function=os.link)
    freed = {one.path: one.bytes for one in vacuum(paths, now=NOW, kept_states=3)}
    assert freed[f"published/states/{state.name}"] == 0


def test_an_unreadable_manifest_stops_it_before_anything_goes(paths: WarehousePaths) -> None:
    loose = plant(paths.landing / "xslides/weights/0.parquet")
    plant(paths.manifests / "xslides" / "torn.json", content=b"{")
    with pytest.raises(InputError, match=r"torn\.json"):
        vacuum(paths, now=NOW)
    assert loose.is_file()


def test_a_folder_that_is_no_warehouse_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no warehouse"):
        vacuum(WarehousePaths(tmp_path), now=NOW)
