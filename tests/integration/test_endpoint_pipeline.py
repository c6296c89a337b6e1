"""The pipeline against an endpoint: the same artifacts, nothing asked twice, stops that tell."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from expectations.verdict import Verdict
from ingest.endpoint.cache import cache_folder
from ingest.xslides.land import LandOptions
from ingest.xslides.stage import Settings
from ingest.xslides.tree import ArtifactTree
from podium.judging import JudgeChoice, opened_judge
from podium.run import land_xslides
from podium.xslides_run import RunRequest, open_tree, run_stages
from tests.integration.test_demo import podium
from tests.integration.test_own_files import STUDY, write_pptx
from tests.support import model_stand_in
from tests.support.openai_server import OpenAIServer, serving
from warehouse import manifests
from warehouse.errors import UsageError
from warehouse.paths import WarehousePaths

MODEL = "stand-in-1"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    with serving(model_stand_in.answer) as running:
        monkeypatch.setenv("PODIUM_JUDGE_BASE_URL", running.base_url)
        monkeypatch.setenv("PODIUM_JUDGE_MODEL", MODEL)
        monkeypatch.setenv("PODIUM_JUDGE_BACKOFF_SECONDS", "0.01")
        yield running


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    cases, decks = tmp_path / "cases", tmp_path / "decks"
    cases.mkdir()
    for label in ("bridge", "tunnel"):
        (cases / f"{label}.md").write_text(STUDY.replace("Ferrol", label.title()))
        lines = [
            "14 events above 60% of the design load",
            "Repair costs fell by 21% because cracks were seen early",
        ]
        write_pptx(decks / "acme" / f"{label}.pptx", lines)
    return cases


def request_of(tmp_path: Path, inputs: Path, judge: JudgeChoice) -> RunRequest:
    return RunRequest(
        inputs=inputs,
        decks=tmp_path / "decks",
        system=None,
        run="run",
        dataset="own",
        audiences=None,
        accepted=None,
        stage_settings=Settings(code_version="test"),
        land=LandOptions(),
        judge=judge,
    )


def run(tmp_path: Path, inputs: Path, warehouse: str, judge: JudgeChoice) -> ArtifactTree:
    paths = WarehousePaths(tmp_path / warehouse)
    request = request_of(tmp_path, inputs, judge)
    tree = open_tree(paths, inputs, "own")
    with opened_judge(paths, judge, "own", "own/run") as asked:
        run_stages(tree, request, asked, lambda _: None, lambda *_: None)
    return tree


def scores(tree: ArtifactTree) -> dict[str, list[dict[str, Any]]]:
    return {
        path.relative_to(tree.root).as_posix(): [
            json.loads(line) for line in path.read_text().splitlines()
        ]
        for path in sorted(tree.root.rglob("probe_scores.jsonl"))
    }


def test_a_model_that_judges_by_the_same_rules_gives_the_same_verdicts(
    tmp_path: Path, inputs: Path, server: OpenAIServer
) -> None:
    asked = scores(run(tmp_path, inputs, "endpoint", JudgeChoice()))
    offline = scores(run(tmp_path, inputs, "offline", JudgeChoice("offline")))
    assert asked
    assert asked == offline
    assert server.received


def test_a_second_run_asks_nothing(tmp_path: Path, inputs: Path, server: OpenAIServer) -> None:
    first = run(tmp_path, inputs, "endpoint", JudgeChoice("endpoint"))
    count = len(server.received)
    again = run(tmp_path, inputs, "endpoint", JudgeChoice("endpoint"))
    assert len(server.received) == count
    assert scores(again) == scores(first)


def test_a_manifest_names_the_model_and_the_prompt(
    tmp_path: Path, inputs: Path, server: OpenAIServer
) -> None:
    tree = run(tmp_path, inputs, "endpoint", JudgeChoice())
    manifests = [json.loads(one.read_text()) for one in tree.root.rglob("run_manifest.json")]
    assert manifests
    for one in manifests:
        assert one["judge"]["kind"] == "llm"
        assert one["judge"]["model"] == MODEL
        assert len(one["judge"]["prompt_sha256"]) == 64


def test_a_limit_stops_cleanly_and_the_next_run_goes_on(
    tmp_path: Path, inputs: Path, server: OpenAIServer
) -> None:
    paths = WarehousePaths(tmp_path / "limited")
    tree = open_tree(paths, inputs, "own")
    told: list[str] = []
    request = request_of(tmp_path, inputs, JudgeChoice("endpoint", max_requests=4))
    with opened_judge(paths, request.judge, "own", "own/run") as asked:
        reports = run_stages(tree, request, asked, told.append, lambda *_: None)
    assert len(server.received) == 4
    findings = [one for report in reports for one in report.findings]
    assert [one.check for one in findings] == ["judge_was_not_stopped"]
    assert Verdict("run", (), tuple(findings)).exit_code == 4
    assert told[-1].startswith("stopped: ")
    run(tmp_path, inputs, "limited", JudgeChoice("endpoint"))
    together = len(server.received)
    server.received.clear()
    run(tmp_path, inputs, "at_once", JudgeChoice("endpoint"))
    assert together == len(server.received)


def test_a_replay_asks_nobody_and_gives_the_same_artifacts(
    tmp_path: Path, inputs: Path, server: OpenAIServer
) -> None:
    first = run(tmp_path, inputs, "first", JudgeChoice("endpoint"))
    shutil.copytree(
        cache_folder(WarehousePaths(tmp_path / "first")),
        cache_folder(WarehousePaths(tmp_path / "second")),
    )
    server.received.clear()
    second = run(tmp_path, inputs, "second", JudgeChoice("replay"))
    assert not server.received
    assert scores(second) == scores(first)


def test_an_endpoint_that_is_not_configured_is_refused(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path)
    with (
        pytest.raises(UsageError, match="none is configured"),
        opened_judge(paths, JudgeChoice("endpoint"), "own"),
    ):
        pass
    with opened_judge(paths, JudgeChoice(), "own") as judge:
        assert judge.judge_kind == "heuristic"
    with pytest.raises(UsageError, match="no judge `oracle`"):
        JudgeChoice("oracle")


def test_the_command_ends_at_a_board_that_names_a_model_and_all_calls(
    tmp_path: Path, inputs: Path, server: OpenAIServer
) -> None:
    place = ["--warehouse", str(tmp_path / "warehouse")]
    decks = ["--decks", str(tmp_path / "decks"), "--dataset", "own"]
    done = podium("xslides", "run", str(inputs), *decks, *place)
    assert done.returncode == 0, done.stderr
    assert "HEURISTIC" not in done.stdout + done.stderr
    counted = podium(
        "query",
        "select count(*) as calls, count(distinct request_key) as requests, min(role) as role, "
        "bool_and(status = 'answered') as answered from fct_judge_calls where not is_cached",
        "--json",
        *place,
    )
    assert json.loads(counted.stdout) == [
        {
            "calls": len(server.received),
            "requests": len(server.received),
            "role": "answerability_judge",
            "answered": True,
        }
    ]
    kinds = podium(
        "query", "select distinct judge_kind from rpt_metric_summaries", "--json", *place
    )
    assert json.loads(kinds.stdout) == [{"judge_kind": "llm"}]


def test_a_limited_run_is_landed_and_built_and_says_that_it_stopped(
    tmp_path: Path, inputs: Path, server: OpenAIServer
) -> None:
    # Enough for all but the last evaluations, so that there is something to build.
    run(tmp_path, inputs, "whole", JudgeChoice("endpoint"))
    limit = len(server.received) - 1
    server.received.clear()
    place = ["--warehouse", str(tmp_path / "limited")]
    decks = ["--decks", str(tmp_path / "decks"), "--dataset", "own"]
    done = podium("xslides", "run", str(inputs), *decks, *place, "--max-requests", str(limit))
    assert done.returncode == 4, done.stderr
    assert "judge_was_not_stopped" in done.stdout + done.stderr
    assert len(server.received) == limit
    counted = podium(
        "query", "select count(*) as calls from fct_judge_calls where attempt > 0", "--json", *place
    )
    assert json.loads(counted.stdout) == [{"calls": limit}]


def test_stages_run_one_by_one_land_their_calls_with_the_tree(
    tmp_path: Path, inputs: Path, server: OpenAIServer
) -> None:
    tree = run(tmp_path, inputs, "staged", JudgeChoice("endpoint"))
    paths = WarehousePaths(tmp_path / "staged")
    land_xslides(paths, tree.root, LandOptions("own"))
    found = manifests.read(paths, "xslides", "own/judge_calls")
    assert found is not None
    assert found.row_counts["core/judge_calls"] >= len(server.received) > 0
