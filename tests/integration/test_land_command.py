"""`podium land` and `podium check landing` on the command line: text, JSON, JUnit, exit code."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

from tests.integration.test_demo import podium
from tests.support import spoiled


def test_a_clean_tree_lands_twice_with_exit_0(tmp_path: Path) -> None:
    spoiled.plant(tmp_path / "data")
    first = podium("land", "xslides", "data", "--warehouse", "wh", "--json", cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    report = json.loads(first.stdout)
    assert report["row_counts"]["xslides/probe_scores"] == 72
    again = podium("land", "xslides", "data", "--warehouse", "wh", "--json", cwd=tmp_path)
    assert again.returncode == 0
    assert json.loads(again.stdout)["landed_units"] == []


def test_a_torn_line_is_named_and_gives_exit_1_every_time(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    with (root / spoiled.SCORES).open("a") as handle:
        handle.write('{"probe_id": "pb_0006", "cov')
    landed = podium("land", "xslides", "data", "--warehouse", "wh", cwd=tmp_path)
    assert landed.returncode == 1
    assert f"{spoiled.SCORES}:7: pb_0006: torn_line" in landed.stderr
    again = podium("land", "xslides", "data", "--warehouse", "wh", cwd=tmp_path)
    assert again.returncode == 1
    checked = podium(
        "check", "landing", "--warehouse", "wh", "--junit", "verdict.xml", cwd=tmp_path
    )
    assert checked.returncode == 1
    assert f"{spoiled.SCORES}:7" in checked.stderr
    suite = ElementTree.parse(tmp_path / "verdict.xml").getroot()
    failed = [case.get("name") for case in suite if case.find("failure") is not None]
    assert failed == ["nothing_is_rejected"]


def test_a_folder_that_is_no_tree_says_what_one_is(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    landed = podium("land", "xslides", "data", "--warehouse", "wh", cwd=tmp_path)
    assert landed.returncode == 2
    assert "sources/" in landed.stderr


def test_a_run_of_another_folder_needs_a_word(tmp_path: Path) -> None:
    for place in ("one", "two"):
        spoiled.plant(tmp_path / place / "data")
    first = podium("land", "xslides", "one/data", "--warehouse", "wh", cwd=tmp_path)
    assert first.returncode == 0
    second = podium("land", "xslides", "two/data", "--warehouse", "wh", cwd=tmp_path)
    assert second.returncode == 2
    assert "--replace" in second.stderr
    named = podium(
        "land", "xslides", "two/data", "--warehouse", "wh", "--dataset", "other", cwd=tmp_path
    )
    assert named.returncode == 0
