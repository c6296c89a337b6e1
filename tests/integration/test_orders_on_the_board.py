"""Decks that speak to the judge, from the command to the board: warned of, flagged, no failure."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.integration.test_artifact_formats import told_fields
from tests.integration.test_demo import podium
from tests.integration.test_own_files import STUDY
from tests.support.ordering_decks import ORDER, write_ordering_pptx
from tests.support.seed_formats import FORMATS, extra_fields, faults_of, files_of

LINES = [
    "14 events above 60% of the design load",
    "Repair costs fell by 21% because cracks were seen early",
]
SYSTEMS = {"honest": "", "notes": "notes", "seen": "visible"}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("orders")
    (root / "cases").mkdir()
    (root / "cases" / "bridge.md").write_text(STUDY, encoding="utf-8")
    for system, place in SYSTEMS.items():
        deck = root / "decks" / system / "bridge.pptx"
        write_ordering_pptx(deck, LINES, ORDER if place else "", place or "visible")
    return root


@pytest.fixture(scope="module")
def ran(root: Path) -> subprocess.CompletedProcess[str]:
    return podium("xslides", "run", "cases", "--decks", "decks", "--warehouse", "wh", cwd=root)


def test_an_order_is_a_warning_and_no_failure(ran: subprocess.CompletedProcess[str]) -> None:
    assert ran.returncode == 0, ran.stderr
    lines = [line for line in ran.stdout.splitlines() if "with orders to judges" in line]
    assert {line.split()[0] for line in lines} <= {"notes", "seen"}
    assert lines, ran.stdout


def test_the_mart_counts_the_orders_and_nothing_else_moves(
    root: Path, ran: subprocess.CompletedProcess[str]
) -> None:
    asked = podium(
        "query",
        "select distinct system_id, injection_suspected_count as orders, visible_word_count as "
        "words from fct_xslides__deck_audience_scores order by all",
        "--json",
        "--warehouse",
        str(root / "wh"),
    )
    found = {row["system_id"]: (row["orders"], row["words"]) for row in json.loads(asked.stdout)}
    words = found["honest"][1]
    assert found == {
        "honest": (0, words),
        "notes": (2, words),
        "seen": (2, words + len(ORDER.split())),
    }


def test_an_order_in_the_notes_leaves_the_metrics_as_they_are(
    root: Path, ran: subprocess.CompletedProcess[str]
) -> None:
    metrics = {}
    for system in SYSTEMS:
        files = sorted((root / "wh" / "trees").rglob(f"{system}/agnostic/*/bridge/metrics.json"))
        assert len(files) == 3
        metrics[system] = [json.loads(file.read_text(encoding="utf-8")) for file in files]
        for one in metrics[system]:
            del one["evaluation_id"]
    assert metrics["notes"] == metrics["honest"]
    for seen, honest in zip(metrics["seen"], metrics["honest"], strict=True):
        assert seen["coverage"] == honest["coverage"]


def test_the_tree_of_the_command_keeps_every_format(
    root: Path, ran: subprocess.CompletedProcess[str]
) -> None:
    tree = root / "wh" / "trees" / "cases"
    assert faults_of(tree) == []
    assert {name for _, name, _ in files_of(tree) if name is not None} == set(FORMATS)
    extra = {field for file, field in extra_fields(tree) if file == "metrics.json"}
    assert extra <= told_fields("metrics.json")


def test_the_gate_names_the_decks(root: Path, ran: subprocess.CompletedProcess[str]) -> None:
    checked = podium("check", "landing", "--json", "--warehouse", str(root / "wh"))
    assert checked.returncode == 0, checked.stderr
    findings = [
        one
        for one in json.loads(checked.stdout)["findings"]
        if one["check"] == "no_deck_speaks_to_the_judge"
    ]
    assert [one["subject"].split("/")[0] for one in findings] == ["notes", "seen"]
    assert {one["outcome"] for one in findings} == {"warned"}
