"""Repeats of judgments: what lands, in both lanes, and what is rejected with file and line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ingest.xslides import land_runs, land_scores
from ingest.xslides.land import LandOptions, land
from tests.faults.test_fuzzed_lines import _all_slow
from tests.support import spoiled
from tests.support.trees import score
from warehouse.paths import WarehousePaths

YES = {"verdict": "covered", "confidence": 0.9}
NO = {"verdict": "uncovered", "confidence": 0}
ABSTAIN = {"confidence": 1e-05, "verdict": "abstain"}
BAD = {
    "one entry": ([YES], "wrong_count"),
    "no entry": ([], "wrong_count"),
    "too many": ([YES] * 18, "wrong_count"),
    "no list": ("covered", "wrong_type"),
    "an object": (YES, "wrong_type"),
    "a number for a list": (3, "wrong_type"),
    "a bare verdict": ([YES, "covered"], "wrong_type"),
    "an unknown verdict": ([YES, {**YES, "verdict": "maybe"}], "unknown_value"),
    "no verdict": ([YES, {"confidence": 1}], "missing_field"),
    "no confidence": ([YES, {"verdict": "covered"}], "missing_field"),
    "a confidence above 1": ([YES, {**YES, "confidence": 1.01}], "out_of_range"),
    "a confidence below 0": ([YES, {**YES, "confidence": -0.1}], "out_of_range"),
    "a large confidence": ([YES, {**YES, "confidence": 9e-0}], "out_of_range"),
    "a confidence as text": ([YES, {**YES, "confidence": "0.9"}], "wrong_type"),
    "another first verdict": ([NO, YES], "verdict_mismatch"),
    "a missing first of a judged row": ([None, YES], "verdict_mismatch"),
}


def repeated(probe_id: str, repeats: Any, **metadata: Any) -> dict[str, Any]:
    return score(probe_id, True, repeats=repeats, **metadata)


def landed(
    root: Path, warehouse: Path, rows: list[Any]
) -> tuple[dict[str, Any], list[tuple[str, str, int | None]]]:
    (root / spoiled.SCORES).write_text("".join(json.dumps(row) + "\n" for row in rows))
    paths = WarehousePaths(warehouse)
    report = land(paths, root, LandOptions())
    found = {
        row["probe_id"]: row["repeat_verdicts"]
        for file in (paths.landing / "xslides/probe_scores").glob("*.parquet")
        for row in pq.read_table(file).to_pylist()
        if row["source_file"] == spoiled.SCORES
    }
    return found, [(one.reason, one.source_file, one.source_line) for one in report.rejects]


@pytest.fixture(params=["fast", "slow"])
def lane(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Land by one lane alone: the other one would be noticed."""
    if request.param == "slow":
        monkeypatch.setattr(land_runs, "read_clean", _all_slow)
    else:
        monkeypatch.setattr(land_scores, "read_scores", _never)
    return str(request.param)


def _never(_: Any, folder: Path, *__: Any) -> list[Any]:
    if (folder / "probe_scores.jsonl").is_file():
        raise AssertionError(f"{folder} went the slow way")
    return []


def test_verdicts_land_in_sample_order(lane: str, tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    rows = [
        repeated("pb_0001", [YES, NO, None, ABSTAIN]),
        repeated("pb_0002", [YES] * 17),
        {
            **score("pb_0003", False, judgment_status="filled", repeats=[None, YES]),
            "confidence": 0,
        },
        score("pb_0004", False, verdict="abstain", repeats=[ABSTAIN, NO]),
        score("pb_0005", True),
        repeated("pb_0006", None),
    ]
    found, rejects = landed(root, tmp_path / "warehouse", rows)
    assert rejects == []
    assert found == {
        "pb_0001": ["covered", "uncovered", None, "abstain"],
        "pb_0002": ["covered"] * 17,
        "pb_0003": [None, "covered"],
        "pb_0004": ["abstain", "uncovered"],
        "pb_0005": None,
        "pb_0006": None,
    }, lane


@pytest.mark.parametrize("name", BAD)
def test_wrong_repeats_are_rejected_with_file_and_line(name: str, tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    repeats, reason = BAD[name]
    rows = [score("pb_0001", True), repeated("pb_0002", repeats)]
    found, rejects = landed(root, tmp_path / "warehouse", rows)
    assert rejects == [(reason, spoiled.SCORES, 2)]
    assert found == {"pb_0001": None}


def test_a_verdict_that_the_row_says_it_has_not_got_is_rejected(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    row = score("pb_0001", False, judgment_status="failed", repeats=[NO, NO])
    _, rejects = landed(root, tmp_path / "warehouse", [row])
    assert rejects == [("verdict_mismatch", spoiled.SCORES, 1)]
