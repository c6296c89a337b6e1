"""Decks without text go to the judge as pictures: as many as slides count, in their order."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ingest.documents import office
from ingest.xslides.tree import ArtifactTree
from podium.judging import JudgeChoice
from tests.integration.test_endpoint_pipeline import run, scores, server
from tests.integration.test_estimates import estimated
from tests.integration.test_own_files import STUDY, write_pptx
from tests.support import model_stand_in, token_rule
from tests.support.office import installed_office
from tests.support.openai_server import OpenAIServer
from tests.support.pictured_decks import write_pictured_pdf, write_pictured_pptx

__all__ = ["server"]
CHOICE = JudgeChoice("endpoint")
SLIDES = {
    (200, 10, 10): "14 events above 60% of the design load",
    (10, 200, 10): "Repair costs fell by 21% because cracks were seen early",
    (10, 10, 200): "Thank you",
}


@pytest.fixture(autouse=True)
def seen() -> Iterator[None]:
    model_stand_in.SEEN.update(SLIDES)
    yield
    model_stand_in.SEEN.clear()


@pytest.fixture
def case(tmp_path: Path) -> Path:
    cases = tmp_path / "cases"
    cases.mkdir()
    (cases / "bridge.md").write_text(STUDY)
    return cases


def pictures(server: OpenAIServer, task: str) -> list[list[str]]:
    """Return the pictures of each request of a task."""
    found = []
    for one in server.received:
        if one.body["response_format"]["json_schema"]["name"] == task:
            content = one.body["messages"][-1]["content"]
            parts = content if isinstance(content, list) else []
            found.append([p["image_url"]["url"] for p in parts if p["type"] == "image_url"])
    return found


def evaluation_file(tree: ArtifactTree, name: str) -> dict[str, Any]:
    path = sorted(tree.root.rglob(f"evaluations/acme/**/{name}"))[0]
    value: dict[str, Any] = json.loads(path.read_text())
    return value


def test_pictures_are_judged_like_the_text_that_they_show(
    tmp_path: Path, case: Path, server: OpenAIServer
) -> None:
    write_pictured_pdf(tmp_path / "decks" / "acme" / "bridge.pdf", list(SLIDES))
    tree = run(tmp_path, case, "pictured", CHOICE)
    sent = pictures(server, "answerability")
    assert sent
    assert {len(one) for one in sent} == {3}
    assert {tuple(one) for one in sent} == {tuple(pictures(server, "claims")[0])}
    assert evaluation_file(tree, "run_manifest.json")["judge_input_mode"] == "image"
    stats = evaluation_file(tree, "deck_stats.json")
    assert (stats["images_sent"], stats["slide_count"]) == (3, 3)
    assert stats["renderer"].startswith("pymupdf/")
    pictured = scores(tree)
    assert any(row["covered"] for rows in pictured.values() for row in rows)
    server.received.clear()
    assert scores(run(tmp_path, case, "pictured", CHOICE)) == pictured
    assert not server.received


def test_a_deck_with_text_sends_no_picture_unless_asked_to(
    tmp_path: Path, case: Path, server: OpenAIServer
) -> None:
    write_pptx(tmp_path / "decks" / "acme" / "bridge.pptx", ["14 events above 60% of the load"])
    tree = run(tmp_path, case, "written", CHOICE)
    assert {len(one) for one in pictures(server, "answerability")} == {0}
    assert evaluation_file(tree, "run_manifest.json")["judge_input_mode"] == "text"
    assert evaluation_file(tree, "deck_stats.json")["images_sent"] == 0


def test_a_model_that_reads_no_pictures_is_sent_none_and_the_row_says_so(
    tmp_path: Path, case: Path, server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PODIUM_ANSWERABILITY_JUDGE_READS_IMAGES", "no")
    write_pictured_pdf(tmp_path / "decks" / "acme" / "bridge.pdf", list(SLIDES))
    tree = run(tmp_path, case, "blind", CHOICE)
    assert not pictures(server, "answerability")
    assert evaluation_file(tree, "status.json")["status"] == "not_run"
    assert "reads text only" in evaluation_file(tree, "status.json")["message"]


def test_a_pptx_without_libreoffice_is_not_judged_and_is_when_it_is_there(
    tmp_path: Path, case: Path, server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_pictured_pptx(tmp_path / "decks" / "acme" / "bridge.pptx", list(SLIDES), hidden=(3,))
    with monkeypatch.context() as without:
        without.setattr(office, "office_program", lambda: None)
        tree = run(tmp_path, case, "office", CHOICE)
    status = evaluation_file(tree, "status.json")
    assert status["status"] == "not_run"
    assert "libreoffice-impress" in status["message"]
    assert not pictures(server, "answerability")
    installed_office()
    tree = run(tmp_path, case, "office", CHOICE)
    assert evaluation_file(tree, "status.json")["status"] == "ok"
    assert {len(one) for one in pictures(server, "answerability")} == {2}
    assert evaluation_file(tree, "deck_stats.json")["slide_count"] == 2


def test_tokens_of_pictures_are_estimated_by_the_rule(
    tmp_path: Path, case: Path, server: OpenAIServer
) -> None:
    write_pictured_pdf(tmp_path / "decks" / "acme" / "bridge.pdf", list(SLIDES))
    told = estimated(tmp_path, case, "counted")
    run(tmp_path, case, "counted", CHOICE)
    claims = [
        token_rule.input_tokens(one.body)
        for one in server.received
        if one.body["response_format"]["json_schema"]["name"] == "claims"
    ]
    assert len(claims) == told["claims"].exact.request_count == 1
    assert abs(told["claims"].exact.input_tokens - claims[0]) <= 0.02 * claims[0]
