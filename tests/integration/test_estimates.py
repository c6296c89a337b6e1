"""`--estimate`: what it says will be asked is what a server then counts."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ingest.judge.exchange import Task
from ingest.xslides.audiences import read_audiences
from ingest.xslides.probes import make_probes
from ingest.xslides.sources import prepare_sources
from ingest.xslides.stage import Settings
from ingest.xslides.tree import ArtifactTree
from podium.estimating import TaskEstimate
from podium.judging import JudgeChoice, opened_judge
from podium.xslides_estimate import estimate, whole_run
from podium.xslides_run import open_tree
from tests.integration.test_demo import podium
from tests.integration.test_endpoint_pipeline import inputs, request_of, run, server
from tests.support import token_rule
from tests.support.openai_server import OpenAIServer
from tests.unit.xslides.helpers import snapshot
from warehouse.paths import WarehousePaths

__all__ = ["inputs", "server"]
CHOICE = JudgeChoice("endpoint")
Counts = dict[str, tuple[int, int]]


def estimated(tmp_path: Path, inputs: Path, warehouse: str) -> dict[str, TaskEstimate]:
    paths = WarehousePaths(tmp_path / warehouse)
    found = estimate(paths, CHOICE, whole_run(paths, request_of(tmp_path, inputs, CHOICE)))
    assert found is not None
    return {one.task: one for one in found}


def counted(server: OpenAIServer) -> Counts:
    """Return requests and input tokens that the server saw, by task."""
    requests: Counter[str] = Counter()
    tokens: Counter[str] = Counter()
    for one in server.received:
        task = one.body["response_format"]["json_schema"]["name"]
        requests[task] += 1
        tokens[task] += token_rule.input_tokens(one.body)
    return {task: (requests[task], tokens[task]) for task in (each.value for each in Task)}


def is_close(estimate: int, count: int) -> bool:
    return abs(estimate - count) <= 0.02 * count


def test_what_is_exact_is_what_the_server_counts_and_ranges_hold(
    tmp_path: Path, inputs: Path, server: OpenAIServer
) -> None:
    told = estimated(tmp_path, inputs, "endpoint")
    assert not server.received
    run(tmp_path, inputs, "endpoint", CHOICE)
    for task, (requests, tokens) in counted(server).items():
        one = told[task]
        if task in ("probes", "claims"):
            assert one.exact.request_count == requests > 0, task
            assert is_close(one.exact.input_tokens, tokens), task
            assert one.most.request_count == 0, task
        else:
            assert one.exact.request_count == 0, task
            assert one.fewest.request_count <= requests <= one.most.request_count, task
            assert one.fewest.input_tokens <= tokens <= one.most.input_tokens, task
            # The server answers by the offline rules, which is what is held likely.
            assert one.likely.request_count == requests > 0, task
            assert is_close(one.likely.input_tokens, tokens), task


def test_with_banks_in_the_tree_all_but_the_claims_verification_is_exact(
    tmp_path: Path, inputs: Path, server: OpenAIServer
) -> None:
    paths = WarehousePaths(tmp_path / "staged")
    tree = open_tree(paths, inputs, "own")
    settings = Settings(code_version="test")
    prepare_sources(tree, inputs, read_audiences(), settings)
    with opened_judge(paths, CHOICE, "own") as judge:
        make_probes(tree, judge, settings)
    server.received.clear()
    told = estimated(tmp_path, inputs, "staged")
    run(tmp_path, inputs, "staged", CHOICE)
    seen = counted(server)
    assert seen["probes"] == (0, 0)
    for task in ("probes", "weights", "answerability", "claims"):
        requests, tokens = seen[task]
        assert told[task].exact.request_count == requests, task
        assert is_close(told[task].exact.input_tokens, tokens), task
        assert told[task].most.request_count == 0, task
    assert told["verification"].exact.request_count == 0 < told["verification"].most.request_count


def test_after_a_run_nothing_is_left_and_nothing_was_changed(
    tmp_path: Path, inputs: Path, server: OpenAIServer
) -> None:
    tree = run(tmp_path, inputs, "endpoint", CHOICE)
    before = snapshot(tmp_path)
    server.received.clear()
    told = estimated(tmp_path, inputs, "endpoint")
    assert sum(one.exact.request_count + one.most.request_count for one in told.values()) == 0
    assert not server.received
    after = snapshot(tmp_path)
    assert after == before
    assert tree.root.is_dir()


def test_the_cost_follows_the_price_table_and_is_null_without(
    tmp_path: Path, inputs: Path, server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = ["--decks", str(tmp_path / "decks"), "--warehouse", str(tmp_path / "warehouse")]
    bare = json.loads(podium("xslides", "run", str(inputs), *place, "--estimate", "--json").stdout)
    assert {one["low_usd"] for one in bare["tasks"]} == {None}
    prices = tmp_path / "prices.csv"
    prices.write_text(
        "model,input_usd_per_million,output_usd_per_million,cached_input_usd_per_million,valid_from\n"
        "stand-in-1,1,4,,2026-01-01\n"
    )
    done = podium(
        "xslides", "run", str(inputs), *place, "--estimate", "--json", "--prices", str(prices)
    )
    assert done.returncode == 0, done.stderr
    tasks: dict[str, dict[str, Any]] = {
        one["task"]: one for one in json.loads(done.stdout)["tasks"]
    }
    one = tasks["probes"]
    tokens, requests = one["exact"]["input_tokens"], one["exact"]["request_count"]
    assert float(one["low_usd"]) == pytest.approx(tokens / 1e6)
    assert float(one["high_usd"]) == pytest.approx((tokens + 4 * requests * 4096) / 1e6)
    assert not server.received
    assert not ArtifactTree(tmp_path / "warehouse" / "trees").root.exists()


def test_an_estimate_of_the_offline_judge_says_that_it_asks_nobody(
    tmp_path: Path, inputs: Path
) -> None:
    done = podium("xslides", "run", str(inputs), "--estimate", "--warehouse", str(tmp_path / "w"))
    assert done.returncode == 0
    assert "offline judge" in done.stdout + done.stderr
