"""A run that a limit stops: whole cases in a drawn order, for every system alike."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ingest.xslides.case_order import drawn
from ingest.xslides.tree import ArtifactTree
from podium.judging import JudgeChoice
from tests.integration.test_endpoint_pipeline import run, server
from tests.integration.test_own_files import STUDY, write_pptx
from tests.support.openai_server import OpenAIServer

__all__ = ["server"]
LABELS = [f"town_{number}" for number in range(6)]


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    cases, decks = tmp_path / "cases", tmp_path / "decks"
    cases.mkdir()
    for label in LABELS:
        (cases / f"{label}.md").write_text(STUDY.replace("Ferrol", label.title()))
        for system in ("acme", "zeta"):
            write_pptx(decks / system / f"{label}.pptx", ["14 events above 60% of the load"])
    return cases


def order_of(tree: ArtifactTree) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((tree.root / "runs" / "run" / "case_order.json").read_text())
    return value


def judged(tree: ArtifactTree) -> set[tuple[str, str]]:
    """Return system and case of every evaluation that has scores."""
    files = tree.root.rglob("probe_scores.jsonl")
    return {(path.parts[-5], path.parts[-2]) for path in files}


def test_a_stopped_run_has_whole_cases_of_every_system_in_the_drawn_order(
    tmp_path: Path, inputs: Path, server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PODIUM_JUDGE_CONCURRENCY", "1")
    run(tmp_path, inputs, "whole", JudgeChoice("endpoint"))
    each = len(server.received) // len(LABELS)
    server.received.clear()
    limit = 3 * each + each // 2
    tree = run(tmp_path, inputs, "stopped", JudgeChoice("endpoint", max_requests=limit))
    assert len(server.received) == limit
    order = order_of(tree)
    labels = [one["case_label"] for one in order["cases"]]
    assert labels == drawn(LABELS, 0, str)
    states = [one["state"] for one in order["cases"]]
    assert states == ["whole"] * 3 + ["begun"] + ["not_begun"] * 2
    assert order["sample_count"] == 3
    whole = {(system, label) for label in labels[:3] for system in ("acme", "zeta")}
    assert whole <= judged(tree)
    assert {label for _, label in judged(tree)} <= set(labels[:4])


def test_a_run_that_goes_on_asks_the_rest_and_ends_whole(
    tmp_path: Path, inputs: Path, server: OpenAIServer
) -> None:
    run(tmp_path, inputs, "at_once", JudgeChoice("endpoint"))
    count = len(server.received)
    server.received.clear()
    for limit in (5, 17, 23):
        run(tmp_path, inputs, "parts", JudgeChoice("endpoint", max_requests=limit))
    tree = run(tmp_path, inputs, "parts", JudgeChoice("endpoint"))
    assert len(server.received) == count
    assert {one["state"] for one in order_of(tree)["cases"]} == {"whole"}
    assert order_of(tree)["sample_count"] == len(LABELS)


def test_requests_of_several_cases_fill_the_slots(
    tmp_path: Path, inputs: Path, server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Three passes a case: no case alone can fill sixteen slots.
    monkeypatch.setenv("PODIUM_JUDGE_CONCURRENCY", "16")
    server.gathering = 16
    run(tmp_path, inputs, "wide", JudgeChoice("endpoint"))
    assert server.most_in_flight == 16
