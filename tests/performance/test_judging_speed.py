"""A judge behind an endpoint must not be held up by Podium: kept replies, full slots."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from ingest.endpoint.asker import Stores
from ingest.endpoint.cache import ReplyCache
from ingest.endpoint.calls import CallContext, CallLog
from ingest.endpoint.reply import Reply, Status
from ingest.endpoint.request import Target, TextPart, request_key
from ingest.endpoint.session import EndpointSession
from ingest.endpoint.settings import OutputMode
from ingest.judge import endpoint_forms as forms
from ingest.judge.endpoint_judge import EndpointJudge
from ingest.judge.exchange import AnswerabilityRequest, DeckPage, Probe
from ingest.xslides.answerability import Scores, judge_deck
from ingest.xslides.deck_input import DeckInput
from ingest.xslides.stage import Settings, batches
from tests.support.openai_server import serving
from tests.unit.endpoint.helpers import MODEL, settings_of

COUNT = 1000
IN_FLIGHT = 32
REPLAY_SECONDS = 2.0
SLACK = 1.5
WORDS = "The gauges found an event above the design load and repair costs fell early. "
CONTEXT = WORDS * 20
DECK = DeckInput("text", tuple(DeckPage(number, WORDS * 4, "Results") for number in range(1, 13)))
PROBES = tuple(
    Probe(f"pb_{number:04d}", f"What fell in year {number}?", "Repair costs")
    for number in range(COUNT)
)


def verdicts(_: str, body: dict[str, Any]) -> str:
    """Cover every probe that is asked about, without reading."""
    return covering(body["messages"][-1]["content"])


def covering(text: str) -> str:
    lines = (line for line in text.splitlines() if line.startswith('{"probe_id"'))
    rest = {"verdict": "covered", "confidence": 1.0, "answer": "", "cited_evidence": ""}
    return json.dumps(
        {"judgments": [{**rest, "probe_id": json.loads(one)["probe_id"]} for one in lines]}
    )


def judged(root: Path, base_url: str, batch_size: int, count: int = COUNT) -> Scores:
    """Judge so many probes with what is kept below a folder."""
    stores = Stores(ReplyCache(root / "cache"), CallLog(root / "calls", CallContext("xslides")))
    endpoint = settings_of(base_url, concurrency=IN_FLIGHT, max_attempts=1)
    with EndpointSession(endpoint, stores) as session:
        judge = EndpointJudge(session, endpoint)
        settings = Settings(batch_size=batch_size)
        return judge_deck(judge, DECK, CONTEXT, PROBES[:count], settings)


def keep_replies(root: Path, base_url: str, batch_size: int) -> int:
    """Keep a reply to every batch, as if they had been asked; return how many there are."""
    endpoint = settings_of(base_url)
    cache = ReplyCache(root / "cache")
    for part in batches(COUNT, batch_size):
        asked = AnswerabilityRequest(DECK.pages, CONTEXT, PROBES[part])
        request = forms.ANSWERABILITY.request(asked, endpoint)
        target = Target.of(endpoint.of(request.role))
        text = covering(
            "\n".join(one.text for one in request.messages[-1].parts if isinstance(one, TextPart))
        )
        cache.put(
            request,
            target,
            Reply(
                Status.ANSWERED,
                request_key(request, target),
                MODEL,
                text=text,
                output_mode=OutputMode.AUTO,
            ),
        )
    cache.close()
    return len(cache)


@pytest.mark.parametrize("batch_size", [1, 12])
def test_a_thousand_kept_judgments_are_replayed_by_the_stage_in_two_seconds(
    tmp_path: Path, batch_size: int
) -> None:
    nobody = "http://127.0.0.1:9/v1"
    assert keep_replies(tmp_path, nobody, batch_size) == -(-COUNT // batch_size)
    started = time.process_time()
    found = judged(tmp_path, nobody, batch_size)
    assert time.process_time() - started < REPLAY_SECONDS * SLACK
    assert sum(row["covered"] for row in found.rows) == COUNT


def test_thirty_two_requests_of_the_stage_are_in_flight_and_stay_so(tmp_path: Path) -> None:
    with serving(verdicts) as server:
        server.gathering = IN_FLIGHT
        server.delay = 0.5
        count = 6 * IN_FLIGHT
        started = time.monotonic()
        judged(tmp_path, server.base_url, 1, count)
        # By Little's law: all the time that requests were held, over the time that it took.
        held = count * server.delay / (time.monotonic() - started)
    assert server.most_in_flight == IN_FLIGHT
    assert held > IN_FLIGHT / 3, held
