"""Anchor runs and the acceptance kit against an endpoint: fresh, resumable, never doubled."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from ingest.judge.acceptance import items as kit
from ingest.judge.acceptance.items import ITEMS_FILE
from ingest.judge.anchors import HEADER, VERDICTS_FILE, read_anchor_set
from ingest.judge.interface import JudgeStoppedError
from podium.anchor_judging import run_anchors
from podium.cli.judge import app
from podium.judging import JudgeChoice
from tests.support import model_stand_in
from tests.support.openai_server import Fault, OpenAIServer, serving
from warehouse import manifests
from warehouse.errors import InputError, UsageError
from warehouse.paths import WarehousePaths

MODEL = "stand-in-1"
SPOILED = {
    "no header": ("", "other columns"),
    "other columns": ("id,kind\na,verbatim\n", "other columns"),
    "no item": (",".join(HEADER) + "\n", "no item"),
    "an unknown kind": (",".join(HEADER) + "\na,odd,s,q,a,d,covered,,,\n", "kind"),
    "an unknown truth": (",".join(HEADER) + "\na,verbatim,s,q,a,d,perhaps,,,\n", "truth"),
    "a label that no judge gives": (",".join(HEADER) + "\na,claims,,,,,,c,s,failed\n", "truth"),
    "an item twice": (",".join(HEADER) + "\na,verbatim,s,q,a,d,covered,,,\n" * 2, ""),
    "a short row": (",".join(HEADER) + "\na,verbatim\n", "cells"),
    "no text": ("\xff\xfe", "cannot be read"),
}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    with serving(model_stand_in.answer) as running:
        monkeypatch.setenv("PODIUM_JUDGE_BASE_URL", running.base_url)
        monkeypatch.setenv("PODIUM_JUDGE_MODEL", MODEL)
        monkeypatch.setenv("PODIUM_JUDGE_BACKOFF_SECONDS", "0.01")
        monkeypatch.setenv("PODIUM_JUDGE_MAX_ATTEMPTS", "1")
        yield running


@pytest.fixture
def items(tmp_path: Path) -> Path:
    """Write a set of seven items out of the kit: five questions and two claims."""
    with ITEMS_FILE.open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    claims = [row for row in rows if row["kind"] == "claims"]
    path = tmp_path / "mine.csv"
    with path.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.DictWriter(handle, HEADER, lineterminator="\n")
        writer.writeheader()
        writer.writerows([*rows[:5], *claims[:2]])
    return path


def anchors(tmp_path: Path, items: Path, choice: JudgeChoice, name: str | None = None) -> Any:
    paths = WarehousePaths(tmp_path / "warehouse")
    return run_anchors(paths, choice, read_anchor_set(items), name)


def landed(tmp_path: Path) -> list[dict[str, Any]]:
    folder = tmp_path / "warehouse" / "landing" / "core" / "anchor_judgments"
    return [
        row for path in sorted(folder.glob("*.parquet")) for row in pq.read_table(path).to_pylist()
    ]


def test_each_run_asks_anew_and_lands_all_items(
    tmp_path: Path, items: Path, server: OpenAIServer
) -> None:
    choice = JudgeChoice("endpoint")
    first = anchors(tmp_path, items, choice)
    asked = len(server.received)
    second = anchors(tmp_path, items, choice)
    assert asked == 6  # five questions, and one batch of claims
    assert len(server.received) == 2 * asked
    assert first.anchor_run_id < second.anchor_run_id
    rows = landed(tmp_path)
    assert sorted({row["anchor_run_id"] for row in rows}) == [
        first.anchor_run_id,
        second.anchor_run_id,
    ]
    assert len(rows) == 14
    assert {(row["judge_kind"], row["judge_id"], row["set_name"]) for row in rows} == {
        ("llm", MODEL, "mine")
    }
    assert all(row["model_served"] for row in rows)
    assert first.n_correct == sum(row["is_correct"] for row in rows) / 2 > 3
    calls = manifests.read(
        WarehousePaths(tmp_path / "warehouse"), "xslides", "@anchors/judge_calls"
    )
    assert calls is not None and calls.row_counts["core/judge_calls"] == 12


def test_a_run_that_was_stopped_goes_on_and_asks_nothing_twice(
    tmp_path: Path, items: Path, server: OpenAIServer
) -> None:
    with pytest.raises(JudgeStoppedError):
        anchors(tmp_path, items, JudgeChoice("endpoint", max_requests=2))
    assert landed(tmp_path) == []
    done = anchors(tmp_path, items, JudgeChoice("endpoint"))
    assert len(server.received) == 6
    assert len(list((tmp_path / "warehouse" / "anchor_runs").iterdir())) == 1
    assert {row["anchor_run_id"] for row in landed(tmp_path)} == {done.anchor_run_id}


def test_an_endpoint_that_is_down_makes_no_verdicts(
    tmp_path: Path, items: Path, server: OpenAIServer
) -> None:
    server.faults = {"*": [Fault("status", code=503)]}
    with pytest.raises(JudgeStoppedError, match="got no answer"):
        anchors(tmp_path, items, JudgeChoice("endpoint"))
    assert not list((tmp_path / "warehouse").rglob(VERDICTS_FILE))
    server.faults = {}
    assert anchors(tmp_path, items, JudgeChoice("endpoint")).n_items == 7


def test_runs_of_different_sets_are_told_apart(
    tmp_path: Path, items: Path, server: OpenAIServer
) -> None:
    anchors(tmp_path, items, JudgeChoice("endpoint"), "named")
    with pytest.raises(UsageError, match="finished"):
        anchors(tmp_path, items, JudgeChoice("endpoint"), "named")
    with pytest.raises(UsageError, match="another judge"):
        anchors(tmp_path, items, JudgeChoice("offline"), "named")
    with pytest.raises(UsageError, match="anew"):
        anchors(tmp_path, items, JudgeChoice("replay"))
    for name in ("../up", ".hidden", "a/b", ""):
        with pytest.raises(UsageError, match="cannot name a run"):
            anchors(tmp_path, items, JudgeChoice("offline"), name)


@pytest.mark.parametrize("name", SPOILED)
def test_a_set_that_cannot_be_used_is_refused_with_its_reason(name: str, tmp_path: Path) -> None:
    content, message = SPOILED[name]
    path = tmp_path / f"{len(name)}.csv"
    path.write_bytes(content.encode("latin-1"))
    if name == "an item twice":
        text = ",".join(HEADER) + "\n" + "a,verbatim,s,q,a,d,covered,,,\n" * 2
        path.write_text(text)
        message = "stands twice"
    with pytest.raises(InputError, match=message):
        read_anchor_set(path)


def test_the_kit_itself_is_a_set() -> None:
    anchors = read_anchor_set(ITEMS_FILE)
    assert (anchors.name, len(anchors.items)) == ("items", 189)


def test_the_command_judges_the_offline_judge(tmp_path: Path, items: Path) -> None:
    place = ("--warehouse", str(tmp_path / "warehouse"))
    result = CliRunner().invoke(
        app, ["anchors", "run", "--judge", "offline", "--items", str(items), "--json", *place]
    )
    assert result.exit_code == 0, result.output
    record = json.loads(result.stdout)
    assert record["n_items"] == 7
    assert {row["judge_kind"] for row in landed(tmp_path)} == {"heuristic"}
    assert {row["model_served"] for row in landed(tmp_path)} == {None}
    result = CliRunner().invoke(app, ["anchors", "run", "--judge", "oracle", *place])
    assert result.exit_code == 2


def test_an_endpoint_is_held_to_the_kit_and_its_scorecard_says_whose_it_is(
    tmp_path: Path, items: Path, server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = kit.read_items(items)
    monkeypatch.setattr("podium.cli.judge.read_items", lambda *_: few)
    monkeypatch.setattr("ingest.judge.acceptance.planted.planted_decks", lambda: ())
    arguments = ["accept", "--json", "--warehouse", str(tmp_path / "warehouse"), "--judge"]
    asked = CliRunner().invoke(app, [*arguments, "endpoint"])
    assert asked.exit_code == 0, asked.output
    record = json.loads(asked.stdout)
    assert record["judge"]["kind"] == "llm"
    assert record["judge"]["by_task"] == {"answerability": MODEL, "verification": MODEL}
    usage = record["usage"]
    assert usage["attempts"] == len(server.received) == 6
    assert usage["input_tokens"] > 0
    # The table has no price of this model: a cost is unknown, not zero.
    assert (usage["cost_usd"], usage["unpriced"]) == (None, 6)
    replayed = CliRunner().invoke(app, [*arguments, "replay"])
    again = json.loads(replayed.stdout)
    assert len(server.received) == 6
    assert again["lines"] == record["lines"]
    assert (again["usage"]["attempts"], again["usage"]["cost_usd"]) == (0, 0)
