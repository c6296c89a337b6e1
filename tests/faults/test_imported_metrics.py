"""Faults of imported metrics: the right exit code, the file, the evaluation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from expectations import gate
from expectations.verdict import Verdict
from ingest.xslides.land import LandOptions, LandReport, land
from tests.support import spoiled
from tests.support.imported import EXAMPLE, compact, full, manifest
from tests.support.trees import write_json
from warehouse.errors import InputError, UsageError
from warehouse.paths import WarehousePaths

FOLDER = spoiled.MANIFEST.removesuffix("/run_manifest.json")
COMPACT = "metrics/system_a/specialists/case_000.json"
Spoil = Callable[[Path], object]


def land_again(paths: WarehousePaths, root: Path, *, accept_removals: bool = False) -> LandReport:
    return land(paths, root, LandOptions(accept_removals=accept_removals))


def verdict_on(root: Path, base: Path) -> Verdict:
    paths = WarehousePaths(base / "warehouse")
    report = land_again(paths, root)
    checked = gate.check_landing(paths, "xslides").verdict
    return Verdict("all", (), (*report.findings, *checked.findings))


def test_metrics_alone_pass(tmp_path: Path) -> None:
    compact(tmp_path / "data", "system_a", "case_000")
    full(tmp_path / "data" / "out", manifest("system_b", "case_000"))
    verdict = verdict_on(tmp_path / "data", tmp_path)
    assert (verdict.findings, verdict.exit_code) == ((), 0)


def test_metrics_beside_a_judged_tree_pass(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    compact(root, "system_a", "case_000")
    write_json(root / FOLDER / "metrics.json", {**EXAMPLE, "audience": "learners"})
    verdict = verdict_on(root, tmp_path)
    assert (verdict.findings, verdict.exit_code) == ((), 0)


def test_metrics_do_not_excuse_a_tree_without_probes(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    compact(root, "system_a", "case_000")
    for path in sorted((root / "probes").rglob("probes_deduped.jsonl")):
        path.unlink()
    checks = {one.check for one in verdict_on(root, tmp_path).findings}
    assert {"probes_are_landed", "weights_are_landed"} <= checks


FAULTS: dict[str, tuple[Spoil, int, str, str]] = {
    "coverage above 1": (
        lambda root: compact(root, "system_a", "case_000", coverage=1.2),
        1,
        COMPACT,
        "system_a/unstated/specialists/case_000/coverage",
    ),
    "negative efficiency": (
        lambda root: compact(root, "system_a", "case_000", efficiency_time=-0.1),
        1,
        COMPACT,
        "efficiency_time is -0.1",
    ),
    "more recovered than available": (
        lambda root: compact(root, "system_a", "case_000", recovered_utility=40),
        1,
        COMPACT,
        "available_utility is 39.5",
    ),
    "more available than probes": (
        lambda root: compact(root, "system_a", "case_000", available_utility=42.5),
        1,
        COMPACT,
        "included_probe_count is 42",
    ),
    "no threshold": (
        lambda root: compact(root, "system_a", "case_000", tau_a=None),
        1,
        COMPACT,
        "`tau_a` is missing",
    ),
    "manifest against its path": (
        lambda root: write_json(
            full(root / FOLDER, manifest("system_b", "case_001", "learners")), EXAMPLE
        ),
        1,
        f"{FOLDER}/metrics.json",
        "path_mismatch",
    ),
    "metrics of nobody": (
        lambda root: full(root / "somewhere", None),
        1,
        "somewhere/metrics.json",
        "no_manifest",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_alone_is_named_with_the_right_exit_code(fault: str, tmp_path: Path) -> None:
    spoil, exit_code, place, word = FAULTS[fault]
    root = spoiled.plant(tmp_path / "data").root
    spoil(root)
    verdict = verdict_on(root, tmp_path)
    text = "\n".join(verdict.lines())
    assert verdict.exit_code == exit_code, text
    assert any(place in line and word in line for line in verdict.lines()), text


def test_our_own_metrics_change_no_unit(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    paths = WarehousePaths(tmp_path / "warehouse")
    before = land_again(paths, root)
    write_json(root / FOLDER / "metrics.json", {**EXAMPLE, "producer": "podium"})
    after = land_again(paths, root)
    assert after.landed_units == []
    assert after.unchanged_units == before.landed_units == ["data/probes", "data/runs/run"]
    assert "xslides/imported_metrics" not in after.row_counts


def test_foreign_metrics_are_a_unit_that_follows_its_files(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    paths = WarehousePaths(tmp_path / "warehouse")
    foreign = root / FOLDER / "metrics.json"
    write_json(foreign, {**EXAMPLE, "audience": "learners"})
    assert "data/metrics/run" in land_again(paths, root).landed_units
    assert land_again(paths, root).landed_units == []
    write_json(foreign, {**EXAMPLE, "audience": "learners", "coverage": 0.5})
    assert land_again(paths, root).landed_units == ["data/metrics/run"]
    (root / "system_mapping.csv").write_text("system_id,mapped_system_id,condition\n")
    assert land_again(paths, root).landed_units == ["data/metrics/run"]


def test_metrics_that_vanish_are_not_dropped_until_accepted(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    paths = WarehousePaths(tmp_path / "warehouse")
    path = compact(root, "system_a", "case_000")
    land_again(paths, root)
    path.unlink()
    refused = land_again(paths, root)
    assert [(one.check, one.file) for one in refused.findings] == [("landing_keeps_rows", COMPACT)]
    assert refused.findings[0].outcome.exit_code == 4
    accepted = land_again(paths, root, accept_removals=True)
    assert (accepted.findings, accepted.landed_units) == ([], ["data/metrics/unstated"])


def test_one_run_lands_its_own_metrics_alone(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    paths = WarehousePaths(tmp_path / "warehouse")
    compact(root, "system_a", "case_000")
    full(root / "out", manifest("system_a", "case_000", run="pilot"))
    report = land(paths, root, LandOptions(runs=("pilot",)))
    assert report.landed_units == ["data/probes", "data/metrics/pilot"]
    with pytest.raises(UsageError, match="nowhere"):
        land(paths, root, LandOptions(runs=("nowhere",)))


def test_a_folder_without_anything_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with pytest.raises(InputError, match="no artifact tree"):
        land_again(WarehousePaths(tmp_path / "warehouse"), tmp_path / "data")
