"""Answers judged by rules and by a model on the loopback: one request an answer, true states."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from ingest.endpoint import modes
from ingest.rageval.imports import ImportOptions
from ingest.rageval.land_imported import land_ragchecker
from podium.cli.main import app
from tests.support.openai_server import Fault, OpenAIServer, serving
from tests.support.ragchecker_files import landed, write
from warehouse import jsonl
from warehouse.paths import WarehousePaths

MODEL = "judge-1"
PRICES = (
    "model,input_usd_per_million,output_usd_per_million,cached_input_usd_per_million,valid_from"
)
ANSWERS = {
    "capital": ("Which city?", "The capital is Oslo.", "The capital is Oslo. It has 9 trams."),
    "height": ("How high?", "The mast is 40 metres high.", "The mast is 50 metres high."),
    "blank": ("What for?", "For the ferry.", " "),
    "open": ("Why?", "", "Because of the tide."),
}
PASSAGES = {"capital": ["Oslo is the capital.", "It has 9 trams."]}
STATEMENT = {"statement": "x", "verdict": "Entailment"}


@pytest.fixture
def paths(tmp_path: Path) -> WarehousePaths:
    results = [
        {
            "query_id": name,
            "query": question,
            "gt_answer": reference,
            "response": response,
            "retrieved_context": [{"doc_id": "d", "text": one} for one in PASSAGES.get(name, [])],
        }
        for name, (question, reference, response) in ANSWERS.items()
    ]
    paths = WarehousePaths(tmp_path / "warehouse")
    file = write(tmp_path / "answers.json", results)
    assert not land_ragchecker(paths, file, ImportOptions(system_id="one")).rejects
    return paths


def name_of(body: dict[str, Any]) -> str:
    """Name a request by the question that it holds."""
    text = json.dumps(body)
    return next(name for name, (question, *_) in ANSWERS.items() if question in text)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    modes.forget()
    with serving() as running:
        running.name_of = name_of
        monkeypatch.setenv("PODIUM_JUDGE_BASE_URL", running.base_url)
        monkeypatch.setenv("PODIUM_JUDGE_MODEL", MODEL)
        monkeypatch.setenv("PODIUM_JUDGE_BACKOFF_SECONDS", "0.01")
        yield running


def judge(paths: WarehousePaths, *words: str) -> Result:
    root = ("--dataset", "answers", "--warehouse", str(paths.root))
    return CliRunner().invoke(app, ["rageval", "judge", *root, *words])


def judgments(paths: WarehousePaths, metric: str = "fastrageval") -> dict[str, dict[str, Any]]:
    rows = landed(paths, "judgments")
    return {row["question_id"]: row for row in rows if row["metric"] == metric}


def states(paths: WarehousePaths, metric: str = "fastrageval") -> dict[str, tuple[str, str | None]]:
    found = judgments(paths, metric)
    return {name: (row["judgment_status"], row["status_reason"]) for name, row in found.items()}


def labels(paths: WarehousePaths, question_id: str) -> list[tuple[str, int, str]]:
    wanted = judgments(paths)[question_id]["judgment_id"]
    return sorted(
        (row["side"], row["statement_number"], row["label"])
        for row in landed(paths, "verdicts")
        if row["judgment_id"] == wanted
    )


def reply(reference: list[Any], response: list[Any]) -> str:
    return json.dumps({"reference_statements": reference, "response_statements": response})


NOTHING_TO_ASK = {
    "blank": ("missing", "answer_missing"),
    "open": ("null", "no_reference"),
}


def test_rules_judge_without_an_endpoint_and_say_so(paths: WarehousePaths) -> None:
    assert judge(paths).exit_code == 0
    assert states(paths) == {
        **NOTHING_TO_ASK,
        "capital": ("scored", None),
        "height": ("scored", None),
    }
    assert {row["judge_kind"] for row in judgments(paths).values()} == {"heuristic"}
    assert labels(paths, "capital") == [
        ("reference", 1, "Entailment"),
        ("response", 1, "Entailment"),
        ("response", 2, "Neutral"),
    ]
    assert ("response", 1, "Contradiction") in labels(paths, "height")
    again = judge(paths, "--json")
    assert jsonl.parse(again.stdout)["landed_units"] == []


def test_rules_hold_an_answer_against_its_passages(paths: WarehousePaths) -> None:
    assert judge(paths, "--metric", "consistency").exit_code == 0
    assert states(paths, "consistency") == {
        "capital": ("scored", None),
        "height": ("null", "no_source"),
        "blank": ("missing", "answer_missing"),
        "open": ("null", "no_source"),
    }
    row = judgments(paths, "consistency")["capital"]
    assert (row["reference_count"], row["response_count"], row["passage_count"]) == (None, 2, 2)


def test_a_model_is_asked_once_for_each_answer(
    paths: WarehousePaths, server: OpenAIServer, tmp_path: Path
) -> None:
    neutral = {"statement": "z", "verdict": "Neutral"}
    server.answer = lambda name, body: reply([STATEMENT], [STATEMENT, neutral])
    prices = tmp_path / "prices.csv"
    prices.write_text(f"{PRICES}\n{MODEL},10,20,1,2020-01-01\n", encoding="utf-8")
    assert judge(paths, "--prices", str(prices)).exit_code == 0
    assert server.counts() == {"capital": 1, "height": 1}
    text = json.dumps(server.received[0].body)
    asked = ANSWERS[server.received[0].name]
    places = [text.index(one) for one in asked]
    assert places == sorted(places)
    row = judgments(paths)["capital"]
    assert (row["judge_id"], row["judge_kind"], row["call_count"]) == (MODEL, "llm", 1)
    assert row["cost_usd"] == pytest.approx(
        (row["input_tokens"] * 10 + row["output_tokens"] * 20) / 1e6
    )
    assert labels(paths, "capital") == [
        ("reference", 1, "Entailment"),
        ("response", 1, "Entailment"),
        ("response", 2, "Neutral"),
    ]
    again = judge(paths, "--prices", str(prices), "--json")
    assert jsonl.parse(again.stdout)["landed_units"] == []
    assert server.counts() == {"capital": 1, "height": 1}
    assert list((paths.landing / "core" / "judge_calls").glob("*.parquet"))


# What a model does once, the state it ends in, and how often it is asked.
SPOILED: dict[str, tuple[list[Fault], str, tuple[str, str | None], int]] = {
    "an unknown verdict": (
        [],
        reply([STATEMENT], [{"statement": "x", "verdict": "Yes"}]),
        ("invalid", "invalid_reply"),
        1,
    ),
    "a side left out": (
        [],
        json.dumps({"reference_statements": [STATEMENT]}),
        ("invalid", "invalid_reply"),
        1,
    ),
    "a member too many": (
        [],
        json.dumps({"reference_statements": [], "response_statements": [], "score": 1}),
        ("invalid", "invalid_reply"),
        1,
    ),
    "no reference statement": (
        [],
        reply([], [STATEMENT]),
        ("invalid", "no_reference_statement"),
        1,
    ),
    "no response statement": (
        [],
        reply([STATEMENT], []),
        ("abstained", "no_response_statement"),
        1,
    ),
    "a blank statement": (
        [],
        reply([{"statement": " ", "verdict": "Neutral"}], [STATEMENT]),
        ("invalid", "blank_statement"),
        1,
    ),
    "no JSON": ([], "I would rather not.", ("invalid", "invalid_reply"), 1),
    "a refusal": ([Fault("refusal")], "", ("invalid", "judge_refused"), 1),
    "a reply that was cut": ([Fault("truncated")], "", ("invalid", "truncated"), 1),
    "a server that is gone": ([Fault("status", 401)], "", ("missing", "rejected"), 1),
    "a server that comes back": (
        [Fault("status", 503)],
        reply([STATEMENT], [STATEMENT]),
        ("scored", None),
        2,
    ),
}


@pytest.mark.parametrize("name", SPOILED)
def test_a_reply_that_cannot_be_used_is_never_a_zero(
    paths: WarehousePaths, server: OpenAIServer, name: str
) -> None:
    faults, text, state, count = SPOILED[name]
    good = reply([STATEMENT], [STATEMENT])
    server.answer = lambda asked, body: text if asked == "height" else good
    server.faults = {"height": list(faults)}
    judge(paths, "--judge", "endpoint")
    assert states(paths)["height"] == state
    assert states(paths)["capital"] == ("scored", None)
    assert server.counts()["height"] == count
    if state[0] != "scored":
        assert {label for side, _, label in labels(paths, "height")} <= {"Entailment"}


def test_repeats_are_samples_of_their_own(paths: WarehousePaths, server: OpenAIServer) -> None:
    server.answer = lambda name, body: reply([STATEMENT], [STATEMENT])
    assert judge(paths, "--repeats", "3").exit_code == 0
    assert server.counts() == {"capital": 3, "height": 3}
    repeats = [row["repeat_number"] for row in landed(paths, "judgments")]
    assert sorted(repeats) == sorted([1, 2, 3] * len(ANSWERS))


def test_a_limit_lands_nothing_and_the_next_run_goes_on(
    paths: WarehousePaths, server: OpenAIServer
) -> None:
    server.answer = lambda name, body: reply([STATEMENT], [STATEMENT])
    stopped = judge(paths, "--max-requests", "1")
    assert stopped.exit_code == 4
    assert landed(paths, "judgments") == []
    assert judge(paths).exit_code == 0
    assert server.counts().total() == 2
    replayed = judge(paths, "--judge", "replay", "--json")
    assert jsonl.parse(replayed.stdout)["landed_units"] == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--metric", "bleu"), "there is no metric `bleu`"),
        (("--run", "other"), "no answers of `answers/other` are landed"),
        (("--system", "two"), "system `two`"),
        (("--judge", "endpoint"), "none is configured"),
    ],
)
def test_what_cannot_be_judged_is_told(
    paths: WarehousePaths, words: tuple[str, ...], message: str
) -> None:
    done = judge(paths, *words)
    assert done.exit_code == 2
    assert message in done.output
