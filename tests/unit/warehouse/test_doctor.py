"""The doctor tells what is there, what to do, and never a key."""

from __future__ import annotations

from pathlib import Path

import pytest
from filelock import FileLock

from podium import doctor
from podium.doctor import FAIL, OK, WARN, Check
from podium.settings import Layers
from tests.support.promoted import cell, promote
from warehouse import manifests
from warehouse.paths import WarehousePaths


def examine(root: Path, **environment: str) -> dict[str, Check]:
    found = doctor.examine(WarehousePaths(root), Layers(environment, {}, {}))
    return {one.name: one for one in found}


def test_a_fresh_root_is_fine_and_nothing_is_made_in_it(tmp_path: Path) -> None:
    checks = examine(tmp_path / "warehouse")
    assert not [one for one in checks.values() if one.status == FAIL]
    assert checks["current"].status == WARN
    assert "podium" in checks["current"].fix
    assert not (tmp_path / "warehouse").exists()
    assert {"python", "duckdb", "dbt-core", "pymupdf", "great-expectations"} <= checks.keys()
    assert {"browser", "java", "libreoffice"} <= checks.keys()


def test_whatever_is_not_ok_says_what_to_do(tmp_path: Path) -> None:
    assert all(one.fix for one in examine(tmp_path).values() if one.status != OK)


def test_an_endpoint_is_told_without_its_key(tmp_path: Path) -> None:
    secret = "sk-very-secret"
    stated = {"OPENAI_BASE_URL": "https://judge.example:8443/v1", "OPENAI_API_KEY": secret}
    checks = examine(tmp_path, PODIUM_JUDGE_MODEL="m-1", **stated)
    assert checks["endpoint"] == Check("endpoint", OK, "judge.example:8443, m-1, key set")
    assert secret not in repr(checks)
    assert examine(tmp_path, **stated)["endpoint"].status == WARN


def test_an_address_with_a_password_is_refused_without_repeating_it(tmp_path: Path) -> None:
    secret = "sk-very-secret"
    url = f"https://user:{secret}@judge.example:8443/v1"
    checks = examine(tmp_path, PODIUM_JUDGE_BASE_URL=url, PODIUM_JUDGE_MODEL="m-1")
    assert checks["endpoint"].status == WARN
    assert secret not in repr(checks)


@pytest.mark.parametrize("url", ["judge", "http://[", "https://host:notaport/v1"])
def test_an_address_that_is_none_is_told(tmp_path: Path, url: str) -> None:
    check = examine(tmp_path, PODIUM_JUDGE_BASE_URL=url, PODIUM_JUDGE_MODEL="m-1")["endpoint"]
    assert check.status == WARN


def test_the_judge_address_wins_over_the_general_one(tmp_path: Path) -> None:
    addresses = {
        "PODIUM_JUDGE_BASE_URL": "http://one/v1",
        "OPENAI_BASE_URL": "http://two/v1",
    }
    checks = examine(tmp_path, PODIUM_JUDGE_MODEL="m-1", **addresses)
    assert checks["endpoint"].found == "one, m-1, no key"


def test_roles_that_differ_are_told_apart(tmp_path: Path) -> None:
    checks = examine(
        tmp_path,
        PODIUM_JUDGE_BASE_URL="http://one/v1",
        PODIUM_JUDGE_MODEL="m-1",
        PODIUM_CLAIM_JUDGE_MODEL="m-2",
    )
    assert "generator: one, m-1, no key" in checks["endpoint"].found
    assert "claim_judge: one, m-2, no key" in checks["endpoint"].found


def test_a_held_lock_is_told_with_its_holder(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path)
    with FileLock(paths.lock_file):
        paths.lock_file.with_suffix(".holder").write_text("pid 7: podium build\n")
        check = examine(tmp_path)["lock"]
    assert check.status == WARN
    assert "pid 7: podium build" in check.found
    assert examine(tmp_path)["lock"].status == OK


def test_current_is_held_against_what_is_landed(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path)
    promote(paths, [cell()], landing="state_00000001")
    assert "older" in examine(tmp_path)["current"].found
    promote(paths, [cell()], landing=manifests.state_id([]))
    assert examine(tmp_path)["current"].status == OK


def test_a_damaged_state_fails(tmp_path: Path) -> None:
    state = promote(WarehousePaths(tmp_path), [cell()])
    (state / "state.json").write_text("{")
    assert examine(tmp_path)["current"].status == FAIL


def test_a_root_that_cannot_be_written_fails(tmp_path: Path) -> None:
    root = Path("/proc/1") if Path("/proc/1").is_dir() else tmp_path / "none"
    if root == tmp_path / "none":
        pytest.skip("no folder here that nobody can write to")
    check = examine(root)["warehouse"]
    assert check.status == FAIL
    assert "PODIUM_WAREHOUSE" in check.fix


@pytest.mark.parametrize(
    ("version", "bounds", "fits"),
    [
        ("1.11.16", ">=1.11,<1.12", True),
        ("1.12.0", ">=1.11,<1.12", False),
        ("1.10.9", ">=1.11,<1.12", False),
        ("26.0.1", ">=22", True),
        ("9", "", True),
    ],
)
def test_versions_are_held_against_bounds(version: str, bounds: str, fits: bool) -> None:
    assert doctor._fits(version, bounds) is fits
