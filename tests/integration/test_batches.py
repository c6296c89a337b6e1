"""`--batch`: the same artifacts as without, everything asked once, limits and leftovers kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ingest.endpoint import modes
from ingest.endpoint.batch_errors import BatchError
from ingest.endpoint.batch_files import FileLimits
from ingest.endpoint.calls import CallContext, call_rows, calls_folder
from ingest.xslides.audiences import read_audiences
from ingest.xslides.sources import prepare_sources
from ingest.xslides.stage import Settings
from ingest.xslides.tree import ArtifactTree
from podium.batching import NOBODY, fill_by_batches
from podium.judging import JudgeChoice, opened_judge
from podium.pdf_parsing import offline_parser
from podium.stage_copies import stages_on_copies
from podium.xslides_run import judge_stages, open_tree, prepare_stages
from tests.integration.test_demo import podium
from tests.integration.test_endpoint_pipeline import MODEL, inputs, request_of, run, scores
from tests.support import model_stand_in
from tests.support.batch_server import BatchServer, serving_batches
from warehouse.errors import UsageError
from warehouse.paths import WarehousePaths

__all__ = ["inputs"]
SAID: list[str] = []


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[BatchServer]:
    modes.forget()
    SAID.clear()
    with serving_batches(model_stand_in.answer) as running:
        monkeypatch.setenv("PODIUM_JUDGE_BASE_URL", running.base_url)
        monkeypatch.setenv("PODIUM_JUDGE_MODEL", MODEL)
        monkeypatch.setenv("PODIUM_JUDGE_BACKOFF_SECONDS", "0.01")
        monkeypatch.setenv("PODIUM_JUDGE_BATCH_POLL_SECONDS", "0.01")
        yield running


def batched(
    tmp_path: Path, inputs: Path, warehouse: str, files: FileLimits | None = None, **limits: Any
) -> ArtifactTree:
    """Run all stages as `podium xslides run --batch` does, up to landing."""
    paths = WarehousePaths(tmp_path / warehouse)
    request = request_of(tmp_path, inputs, JudgeChoice("endpoint", is_batch=True, **limits))
    tree, parser = open_tree(paths, inputs, "own"), offline_parser()
    context = CallContext("xslides", "own", "own/run")

    def judged(one: ArtifactTree, judge: Any) -> Any:
        return judge_stages(one, request, judge, SAID.append, lambda *_: None, parser)

    prepare_stages(tree, request, SAID.append, lambda *_: None, parser)
    stages = stages_on_copies(paths, tree.root, "run", judged, keeps_renderings=True)
    choice = fill_by_batches(paths, request.judge, stages, context, SAID.append, files)
    with opened_judge(paths, choice, "own", "own/run") as judge:
        judged(tree, judge)
    return tree


def calls(tmp_path: Path, warehouse: str) -> list[dict[str, Any]]:
    paths = WarehousePaths(tmp_path / warehouse)
    context = CallContext("xslides", "own", "own/run")
    return call_rows(calls_folder(paths, context), paths.root).rows


def test_batches_give_the_same_artifacts_and_ask_each_request_once(
    tmp_path: Path, inputs: Path, server: BatchServer
) -> None:
    by_batch = scores(batched(tmp_path, inputs, "batched"))
    assert not server.received
    asked = server.asked()
    assert set(server.keys().values()) == {1}
    assert len(server.batches) == 2, "probes and claims, then all that follows of them"
    server.batches.clear()
    singly = scores(run(tmp_path, inputs, "singly", JudgeChoice("endpoint")))
    assert by_batch == singly
    assert server.asked() == asked
    sent = [row for row in calls(tmp_path, "batched") if row["attempt"]]
    assert len(sent) == asked.total()
    assert {(row["attempt"], row["status"], row["latency_ms"]) for row in sent} == {
        (1, "answered", None)
    }


def test_a_second_command_asks_nothing(tmp_path: Path, inputs: Path, server: BatchServer) -> None:
    first = scores(batched(tmp_path, inputs, "w"))
    server.seen.clear()
    assert scores(batched(tmp_path, inputs, "w")) == first
    assert not server.seen and not server.received


def test_what_a_batch_could_not_answer_is_asked_singly(
    tmp_path: Path, inputs: Path, server: BatchServer
) -> None:
    def fault_of(_: str, body: dict[str, Any]) -> str:
        return "refusal" if _task(body) == "claims" else ""

    server.script.fault_of = fault_of
    by_batch = scores(batched(tmp_path, inputs, "batched"))
    singly = {_task(one.body) for one in server.received}
    assert singly == {"claims", "verification"}
    assert set(server.keys().values()) == {1}
    assert by_batch == scores(run(tmp_path, inputs, "singly", JudgeChoice("endpoint")))


def _task(body: dict[str, Any]) -> str:
    return str(body["response_format"]["json_schema"]["name"])


def test_a_reply_about_nothing_that_was_asked_is_no_answer(
    tmp_path: Path, inputs: Path, server: BatchServer
) -> None:
    def astray(name: str, body: dict[str, Any]) -> str:
        if _task(body) != "weights":
            return model_stand_in.answer(name, body)
        one = {"probe_id": "nobody", "utility": 0.5, "rationale": "x"}
        return json.dumps({"judgments": [one]})

    server.answer = astray
    batched(tmp_path, inputs, "w", max_requests=100)
    ended = {row["status"] for row in calls(tmp_path, "w") if row["attempt"] == 1}
    assert ended == {"answered", "invalid_reply"}
    server.answer = model_stand_in.answer
    server.received.clear()
    tree = batched(tmp_path, inputs, "w")
    assert scores(tree) == scores(run(tmp_path, inputs, "singly", JudgeChoice("endpoint")))
    server.received.clear()
    batched(tmp_path, inputs, "w")
    assert not server.received


def test_half_a_batch_that_expired_is_taken_and_the_rest_asked_singly(
    tmp_path: Path, inputs: Path, server: BatchServer
) -> None:
    count = 0

    def fault_of(*_: object) -> str:
        nonlocal count
        count += 1
        return "expired" if count % 2 else ""

    server.script.fault_of = fault_of
    server.script.end = "expired"
    by_batch = scores(batched(tmp_path, inputs, "batched"))
    assert server.received
    assert by_batch == scores(run(tmp_path, inputs, "singly", JudgeChoice("endpoint")))


def test_a_form_that_the_provider_does_not_take_is_changed_within_batches(
    tmp_path: Path, inputs: Path, server: BatchServer
) -> None:
    def fault_of(_: str, body: dict[str, Any]) -> str:
        is_old = "max_tokens" in body
        return "status 400 use 'max_completion_tokens' instead" if is_old else ""

    server.script.fault_of = fault_of
    batched(tmp_path, inputs, "batched")
    assert not server.received
    assert len(server.batches) == 3, "one was rejected, and the provider's form is remembered"


def test_a_reply_that_was_cut_is_asked_for_with_twice_the_limit_within_batches(
    tmp_path: Path, inputs: Path, server: BatchServer
) -> None:
    def fault_of(_: str, body: dict[str, Any]) -> str:
        return "truncated" if _task(body) == "claims" and body["max_tokens"] == 4096 else ""

    server.script.fault_of = fault_of
    batched(tmp_path, inputs, "batched")
    assert not server.received
    assert set(server.asked().values()) <= {1, 3}, "samples of a request have the same body"


def test_a_batch_that_the_provider_refuses_asks_nothing_singly(
    tmp_path: Path, inputs: Path, server: BatchServer
) -> None:
    server.script.end = "failed"
    with pytest.raises(BatchError, match="the input is no good"):
        batched(tmp_path, inputs, "batched")
    assert not server.received


@pytest.mark.parametrize("limit", [0, 4, 9])
def test_a_limit_holds_over_batches_and_single_requests(
    tmp_path: Path, inputs: Path, server: BatchServer, limit: int
) -> None:
    batched(tmp_path, inputs, "w", max_requests=limit)
    assert len(server.batched) + len(server.received) == limit
    assert any(line.startswith("stopped: ") for line in SAID)
    assert any(f"--max-requests {limit} is used up" in line for line in SAID)
    batched(tmp_path, inputs, "w")
    assert set(server.keys().values()) == {1} and not server.received


def test_a_budget_gives_back_what_a_batch_did_not_cost(
    tmp_path: Path, inputs: Path, server: BatchServer
) -> None:
    prices = tmp_path / "prices.csv"
    prices.write_text(
        "model,input_usd_per_million,output_usd_per_million,cached_input_usd_per_million,valid_from\n"
        f"{MODEL},1,100,,2026-01-01\n"
    )
    # One request reserves 0.41 dollars and costs far less: one by one they all fit.
    batched(tmp_path, inputs, "w", budget_usd=Decimal("0.6"), prices=prices)
    sent = [row["cost_usd"] for row in calls(tmp_path, "w") if row["attempt"]]
    assert 0 < sum(sent) <= 0.6
    assert len(server.batches) > 3, "what a batch gave back was used by the next"
    with pytest.raises(UsageError, match="without prices"):
        batched(tmp_path, inputs, "other", budget_usd=Decimal(1))


def test_small_files_make_more_batches_and_the_same_replies(
    tmp_path: Path, inputs: Path, server: BatchServer
) -> None:
    batched(tmp_path, inputs, "w", FileLimits(lines=3))
    assert max(len(made.lines) for made in server.batches.values()) == 3
    assert set(server.keys().values()) == {1} and not server.received


def test_pictures_drawn_for_a_batch_are_those_of_the_run(
    tmp_path: Path, inputs: Path, server: BatchServer
) -> None:
    deck = tmp_path / "decks" / "acme" / "bridge.pdf"
    (tmp_path / "decks" / "acme" / "bridge.pptx").unlink()
    _picture_deck(deck)

    server.answer = _answer_with_pictures
    tree = batched(tmp_path, inputs, "w")
    assert not server.received and set(server.keys().values()) == {1}
    kept = sorted(one.name for one in (tree.root / "runs/run/rendered").rglob("*"))
    assert "rendering.json" in kept and "slide_0001.png" in kept
    assert any("image_url" in json.dumps(body) for body in server.batched)


def _picture_deck(path: Path) -> None:
    import pymupdf

    with pymupdf.open() as document:
        page = document.new_page(width=320, height=180)
        page.draw_rect(pymupdf.Rect(20, 20, 200, 100), fill=(0.2, 0.4, 0.6))
        picture = page.get_pixmap(dpi=72)
    with pymupdf.open() as document:
        page = document.new_page(width=320, height=180)
        page.insert_image(page.rect, pixmap=picture)
        document.save(path)


def _answer_with_pictures(name: str, body: dict[str, Any]) -> str:
    """Return a reply that sees nothing in pictures, else that of the stand-in."""
    content = body["messages"][-1]["content"]
    if isinstance(content, str):
        return model_stand_in.answer(name, body)
    if _task(body) == "claims":
        return json.dumps({"claims": []})
    unseen = {"verdict": "uncovered", "confidence": 1.0, "answer": "", "cited_evidence": ""}
    asked = dict.fromkeys(re.findall(r'"probe_id": ?"([^"]+)"', content[0]["text"]))
    return json.dumps({"judgments": [{"probe_id": one, **unseen} for one in asked]})


def test_the_command_runs_to_a_board_and_tells_of_its_batches(
    tmp_path: Path, inputs: Path, server: BatchServer
) -> None:
    place = ["--warehouse", str(tmp_path / "warehouse"), "--batch"]
    decks = ["--decks", str(tmp_path / "decks"), "--dataset", "own"]
    done = podium("xslides", "run", str(inputs), *decks, *place)
    assert done.returncode == 0, done.stderr
    assert "batch 1:" in done.stderr and "requests sent, waiting" in done.stderr
    assert not server.received and set(server.keys().values()) == {1}
    told = podium("xslides", "run", str(inputs), *decks, *place, "--estimate", "--json")
    assert json.loads(told.stdout)["judge_kind"] == "llm"


def test_stages_one_by_one_use_batches_too_and_tell_of_those_that_are_open(
    tmp_path: Path, inputs: Path, server: BatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree, place = tmp_path / "tree", ["--warehouse", str(tmp_path / "w")]
    prepare_sources(ArtifactTree(tree), inputs, read_audiences(), Settings(code_version="test"))
    monkeypatch.setenv("PODIUM_JUDGE_BATCH_TOTAL_SECONDS", "0.01")
    server.script.looks = 10_000
    waiting = podium("xslides", "probes", str(tree), *place, "--batch")
    assert waiting.returncode == 4, waiting.stderr
    assert "give the same command again" in waiting.stderr
    without = podium("xslides", "probes", str(tree), *place, "--max-requests", "0")
    assert "stay at the provider" in without.stderr and not server.received
    server.script.looks = 0
    done = podium("xslides", "probes", str(tree), *place, "--batch")
    assert done.returncode == 0, done.stderr
    assert "going on with 1 batch of an earlier command" in done.stderr
    assert {_task(body) for body in server.batched} == {"probes"}
    assert set(server.keys().values()) == {1} and not server.received


def test_the_offline_judge_says_that_nothing_is_sent_and_a_replay_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PODIUM_JUDGE_MODEL", raising=False)
    said: list[str] = []
    choice = JudgeChoice("offline", is_batch=True)
    context = CallContext("xslides", "own", None)
    paths = WarehousePaths(tmp_path / "w")
    assert fill_by_batches(paths, choice, lambda _: None, context, said.append) == choice
    assert said == [NOBODY] and not paths.root.exists()
    with pytest.raises(UsageError, match="replay asks nobody"):
        JudgeChoice("replay", is_batch=True)
