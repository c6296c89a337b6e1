"""Each fault alone, planted in an unspoiled tree: the right exit code, the file, the id."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from expectations import gate
from expectations.verdict import Verdict
from ingest.xslides.land import LandOptions, land
from tests.support import spoiled
from tests.support.trees import score
from warehouse.paths import WarehousePaths

Spoil = Callable[[Path], None]


def verdict_on(root: Path, base: Path) -> Verdict:
    paths = WarehousePaths(base / "warehouse")
    report = land(paths, root, LandOptions())
    return Verdict(
        "all", (), (*report.findings, *gate.check_landing(paths, "xslides").verdict.findings)
    )


def drop_line(file: str, number: int) -> Spoil:
    def spoil(root: Path) -> None:
        lines = (root / file).read_text().splitlines(keepends=True)
        del lines[number]
        (root / file).write_text("".join(lines))

    return spoil


def add_line(file: str, line: str) -> Spoil:
    def spoil(root: Path) -> None:
        with (root / file).open("a") as handle:
            handle.write(line)

    return spoil


def edit_row(file: str, number: int, **fields: object) -> Spoil:
    def spoil(root: Path) -> None:
        lines = (root / file).read_text().splitlines()
        lines[number] = json.dumps({**json.loads(lines[number]), **fields})
        (root / file).write_text("\n".join(lines) + "\n")

    return spoil


def edit_manifest(**fields: object) -> Spoil:
    def spoil(root: Path) -> None:
        path = root / spoiled.MANIFEST
        path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))

    return spoil


def remove(file: str) -> Spoil:
    return lambda root: (root / file).unlink()


def repeat_row(file: str, number: int) -> Spoil:
    def spoil(root: Path) -> None:
        lines = (root / file).read_text().splitlines(keepends=True)
        (root / file).write_text("".join([*lines, lines[number]]))

    return spoil


ORPHAN = json.dumps(score("pb_9999", True)) + "\n"
ORPHAN_WEIGHT = json.dumps({"probe_id": "pb_9999", "audience": "learners", "utility_weight": 1.0})

FAULTS = {
    "score file deleted": (remove(spoiled.SCORES), 4, spoiled.SCORES, "case_001"),
    "weight row deleted": (drop_line(spoiled.WEIGHTS, 2), 4, spoiled.WEIGHTS, "pb_0003"),
    "weight file deleted": (remove(spoiled.WEIGHTS), 4, spoiled.WEIGHTS, "learners"),
    "score row deleted": (drop_line(spoiled.SCORES, 3), 4, spoiled.SCORES, "pb_0004"),
    "score row twice": (repeat_row(spoiled.SCORES, 1), 1, spoiled.SCORES, "pb_0002"),
    "weight row twice": (repeat_row(spoiled.WEIGHTS, 1), 1, spoiled.WEIGHTS, "pb_0002"),
    "probe row twice": (repeat_row(spoiled.PROBES, 1), 1, spoiled.PROBES, "pb_0002"),
    "orphan score": (add_line(spoiled.SCORES, ORPHAN), 1, spoiled.SCORES, "pb_9999"),
    "orphan weight": (add_line(spoiled.WEIGHTS, ORPHAN_WEIGHT), 1, spoiled.WEIGHTS, "pb_9999"),
    "NaN weight": (
        add_line(spoiled.WEIGHTS, '{"probe_id": "pb_0001", "utility_weight": NaN}\n'),
        1,
        spoiled.WEIGHTS,
        "pb_0001",
    ),
    "torn line": (
        add_line(spoiled.SCORES, '{"probe_id": "pb_0006", "cov'),
        1,
        f"{spoiled.SCORES}:7",
        "pb_0006",
    ),
    "duplicate key in a row": (
        add_line(spoiled.SCORES, '{"probe_id": "x", "covered": true, "covered": false}\n'),
        1,
        spoiled.SCORES,
        "duplicate_key",
    ),
    "covered as text": (
        edit_row(spoiled.SCORES, 0, covered="true"),
        1,
        f"{spoiled.SCORES}:1",
        "wrong_type",
    ),
    "weight out of range": (
        edit_row(spoiled.WEIGHTS, 0, utility_weight=1.7, metadata={}),
        1,
        f"{spoiled.WEIGHTS}:1",
        "pb_0001",
    ),
    "weight unlike its samples": (
        edit_row(spoiled.WEIGHTS, 0, utility_weight=0.5),
        1,
        f"{spoiled.WEIGHTS}:1",
        "pb_0001",
    ),
    "level out of range": (
        edit_row(spoiled.PROBES, 4, level=9),
        1,
        f"{spoiled.PROBES}:5",
        "pb_0005",
    ),
    "confidence out of range": (
        edit_row(spoiled.SCORES, 0, metadata={"confidence": 3}),
        1,
        f"{spoiled.SCORES}:1",
        "pb_0001",
    ),
    "manifest against its path": (
        edit_manifest(audience="specialists"),
        1,
        spoiled.MANIFEST,
        "path_mismatch",
    ),
    "manifest of another system": (
        edit_manifest(system_id="system_b"),
        1,
        spoiled.MANIFEST,
        "system_id",
    ),
    "torn manifest": (
        lambda root: (root / spoiled.MANIFEST).write_text('{"run": "ru'),
        1,
        spoiled.MANIFEST,
        "invalid_json",
    ),
    "weights of another audience": (
        edit_row(spoiled.WEIGHTS, 0, audience="specialists"),
        1,
        f"{spoiled.WEIGHTS}:1",
        "audience_mismatch",
    ),
    "deck that cannot be read": (
        lambda root: (
            (root / spoiled.SCORES)
            .with_name("deck_stats.json")
            .write_text(json.dumps({"deck_path": "decks/broken.pptx", "status": "damaged"}))
        ),
        4,
        "decks/broken.pptx",
        "case_001",
    ),
}


def test_an_unspoiled_tree_passes(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    verdict = verdict_on(root, tmp_path)
    assert verdict.findings == ()
    assert verdict.exit_code == 0


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_alone_is_named_with_the_right_exit_code(fault: str, tmp_path: Path) -> None:
    spoil, exit_code, place, word = FAULTS[fault]
    root = spoiled.plant(tmp_path / "data").root
    spoil(root)
    verdict = verdict_on(root, tmp_path)
    text = "\n".join(verdict.lines())
    assert verdict.exit_code == exit_code, text
    assert any(place in line and word in line for line in verdict.lines()), text


def test_an_empty_warehouse_never_passes(tmp_path: Path) -> None:
    verdict = gate.check_landing(WarehousePaths(tmp_path), "xslides").verdict
    assert verdict.exit_code == 5


def test_rows_that_vanish_are_not_landed_until_accepted(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    paths = WarehousePaths(tmp_path / "warehouse")
    land(paths, root, LandOptions())
    (root / spoiled.SCORES).unlink()
    refused = land(paths, root, LandOptions())
    assert [one.check for one in refused.findings] == ["landing_keeps_rows"]
    assert refused.findings[0].file == spoiled.SCORES
    assert refused.findings[0].outcome.exit_code == 4
    accepted = land(paths, root, LandOptions(accept_removals=True))
    assert accepted.findings == []
    assert accepted.landed_units == ["data/runs/run"]


def test_an_accepted_finding_is_told_and_does_not_fail(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    drop_line(spoiled.WEIGHTS, 2)(root)
    (root / "accepted_findings.csv").write_text(
        "check,subject,reason,accepted_until\n"
        "every_probe_has_a_weight,case_001/learners/pb_0003,known gap,\n"
    )
    verdict = verdict_on(root, tmp_path)
    assert verdict.exit_code == 0
    assert "known gap" in "\n".join(verdict.lines())


def test_an_acceptance_that_ran_out_counts_no_more(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    drop_line(spoiled.WEIGHTS, 2)(root)
    (root / "accepted_findings.csv").write_text(
        "check,subject,reason,accepted_until\n"
        "every_probe_has_a_weight,case_001/learners/pb_0003,known gap,2020-01-01\n"
    )
    assert verdict_on(root, tmp_path).exit_code == 4
