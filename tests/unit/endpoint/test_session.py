"""A session: order, concurrency, coalescing, modes of output, limits, interrupts, records."""

from __future__ import annotations

import threading
import time
from decimal import Decimal
from typing import Any

import pytest

from ingest.endpoint.asker import Stores
from ingest.endpoint.budget import Limits
from ingest.endpoint.cache import ReplyCache
from ingest.endpoint.prices import PriceTable
from ingest.endpoint.reply import Status, Usage
from ingest.endpoint.request import ImagePart, Message, TextPart
from ingest.endpoint.session import EndpointSession
from ingest.endpoint.settings import ApiKey, OutputMode
from tests.support.openai_server import SERVED_MODEL, Fault, tokens_of
from tests.unit.endpoint.helpers import (
    KEY,
    MODEL,
    SCHEMA,
    Bench,
    price,
    request,
    requests,
    settings_of,
    truth,
)
from warehouse.errors import UsageError


def test_replies_come_in_the_order_of_the_requests_and_are_told(bench: Bench) -> None:
    names = [f"n{number}" for number in range(20)]
    bench.server.faults = {"n0": [Fault("model", text="other", seconds=0.3)]}
    told: list[tuple[int, int]] = []
    with bench.session() as session:
        replies = session.ask_all(requests(names), lambda done, total: told.append((done, total)))
    assert [reply.value for reply in replies] == [truth(name) for name in names]
    assert told == [(number, 20) for number in range(1, 21)]


def test_replies_are_yielded_as_they_come(bench: Bench) -> None:
    bench.server.faults = {"slow": [Fault("model", text="other", seconds=0.5)]}
    with bench.session() as session:
        order = [place for place, _ in session.as_completed(requests(["slow", "a", "b"]))]
    assert order[-1] == 0
    assert sorted(order) == [0, 1, 2]


def test_as_many_requests_are_in_flight_as_the_limit_says_and_no_more(bench: Bench) -> None:
    bench.server.gathering = 32
    bench.server.delay = 0.25
    names = [f"n{number}" for number in range(128)]
    started = time.monotonic()
    replies = bench.ask(*names, concurrency=32)
    assert all(reply.is_answered for reply in replies)
    assert bench.server.most_in_flight == 32
    # Four waves of 0.25 s; one after the other they would take 32 s.
    assert time.monotonic() - started < 10


def test_one_slow_request_holds_nobody_back(bench: Bench) -> None:
    bench.ask("warm")
    bench.server.faults = {"slow": [Fault("model", text="other", seconds=1.0)]}
    started = time.monotonic()
    ends = {}
    with bench.session(concurrency=2) as session:
        asked = requests(["slow", *(f"n{number}" for number in range(40))])
        for place, _ in session.as_completed(asked):
            ends[place] = time.monotonic() - started
    assert max(end for place, end in ends.items() if place) < ends[0]


def test_waiting_to_ask_again_takes_no_slot(bench: Bench) -> None:
    bench.server.faults = {"busy": [Fault("status", code=503, headers={"Retry-After": "1"})]}
    ends = {}
    with bench.session(concurrency=1) as session:
        for place, reply in session.as_completed(requests(["busy", "a", "b", "c"])):
            ends[place] = time.monotonic()
            assert reply.is_answered
    assert max(ends[1], ends[2], ends[3]) < ends[0]


def test_equal_requests_at_one_time_are_asked_once(bench: Bench) -> None:
    bench.server.delay = 0.1
    replies = bench.ask("a", "a", "a")
    assert bench.server.counts() == {"a": 1}
    assert [reply.value for reply in replies] == [truth("a")] * 3
    assert sorted(reply.is_cached for reply in replies) == [False, True, True]


def test_a_second_session_asks_nothing_again(bench: Bench) -> None:
    first = bench.ask("a", "b")
    second = bench.ask("a", "b")
    assert bench.server.counts() == {"a": 1, "b": 1}
    assert [one.value for one in first] == [one.value for one in second]
    assert [one.latency_ms for one in first] == [one.latency_ms for one in second]
    assert [one.is_cached for one in second] == [True, True]


def test_repeats_are_asked_for_each_sample(bench: Bench) -> None:
    asked = [request("a", sample_index=index) for index in range(3)]
    with bench.session() as session:
        session.ask_all(asked)
    with bench.session() as session:
        session.ask_all(asked)
    assert bench.server.counts() == {"a": 3}


def test_another_model_is_another_question(bench: Bench) -> None:
    bench.ask("a")
    bench.ask("a", model="model-b")
    asked = [one.body["model"] for one in bench.server.received]
    assert asked == [MODEL, "model-b"]
    assert {row["model_asked"] for row in bench.calls().rows} == {MODEL, "model-b"}


def test_several_threads_may_ask(bench: Bench) -> None:
    found = {}
    with bench.session() as session:

        def ask(name: str) -> None:
            found[name] = session.ask(request(name)).value

        threads = [threading.Thread(target=ask, args=(f"n{number}",)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == {f"n{number}": truth(f"n{number}") for number in range(8)}


def test_the_body_says_what_the_request_says(bench: Bench) -> None:
    picture = ImagePart(b"\x89PNG", "image/png", "low")
    messages = (
        Message.of("system", "Judge."),
        Message("user", (TextPart("[[a]] look"), picture)),
    )
    with bench.session() as session:
        session.ask(request("a", messages=messages))
    body = bench.server.received[0].body
    assert body["messages"][0] == {"role": "system", "content": "Judge."}
    assert body["messages"][1]["content"] == [
        {"type": "text", "text": "[[a]] look"},
        {
            "type": "image_url",
            "image_url": {"url": "data:image/png;base64,iVBORw==", "detail": "low"},
        },
    ]
    assert (body["model"], body["max_tokens"], body["temperature"]) == (MODEL, 64, 0.0)
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    assert bench.server.received[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("refused", "mode", "count"),
    [
        ((), OutputMode.JSON_SCHEMA, 1),
        (("json_schema",), OutputMode.JSON_OBJECT, 2),
        (("json_schema", "json_object"), OutputMode.TEXT, 3),
    ],
)
def test_the_strictest_output_that_a_server_takes_is_found_once_and_remembered(
    bench: Bench, refused: tuple[str, ...], mode: OutputMode, count: int
) -> None:
    bench.server.refused_formats = refused
    (reply,) = bench.ask("a")
    assert (reply.status, reply.output_mode) == (Status.ANSWERED, mode)
    assert reply.attempt_count == count
    (later,) = bench.ask("b")
    assert (later.output_mode, later.attempt_count) == (mode, 1)
    last = bench.server.received[-1].body
    if mode is not OutputMode.JSON_SCHEMA:
        assert '"covered"' in last["messages"][0]["content"]


def test_a_mode_that_was_chosen_is_never_left(bench: Bench) -> None:
    bench.server.refused_formats = ("json_schema",)
    (reply,) = bench.ask("a", output_mode=OutputMode.JSON_SCHEMA)
    assert (reply.status, reply.attempt_count) == (Status.REJECTED, 1)
    (reply,) = bench.ask("a", output_mode=OutputMode.TEXT)
    assert "response_format" not in bench.server.received[-1].body
    assert reply.is_answered


def test_a_server_that_wants_the_new_name_of_the_limit_gets_it(bench: Bench) -> None:
    bench.server.wants_new_limit = True
    (reply,) = bench.ask("a")
    assert (reply.status, reply.attempt_count) == (Status.ANSWERED, 2)
    assert bench.server.received[-1].body["max_completion_tokens"] == 64
    assert reply.output_mode is OutputMode.JSON_SCHEMA


def test_a_context_that_is_too_long_is_not_tried_in_other_modes(bench: Bench) -> None:
    text = '{"error": {"message": "too long", "code": "context_length_exceeded"}}'
    bench.server.faults = {"a": [Fault("status", code=400, text=text)]}
    (reply,) = bench.ask("a")
    assert (reply.status, reply.attempt_count) == (Status.REJECTED, 1)
    assert "too long" in reply.message


def test_requests_beyond_the_limit_are_stopped_and_the_rest_is_kept(bench: Bench) -> None:
    names = [f"n{number}" for number in range(10)]
    replies = bench.ask(*names, limits=Limits(max_requests=4), concurrency=3)
    assert sum(bench.server.counts().values()) == 4
    assert [reply.status for reply in replies].count(Status.ANSWERED) == 4
    stopped = [reply for reply in replies if not reply.is_answered]
    assert {reply.status for reply in stopped} == {Status.STOPPED}
    assert "--max-requests 4" in stopped[0].message
    again = bench.ask(*names)
    assert all(reply.is_answered for reply in again)
    assert sum(bench.server.counts().values()) == 10


def test_retries_count_as_requests(bench: Bench) -> None:
    bench.server.faults = {"a": [Fault("status", code=500)] * 3}
    (reply,) = bench.ask("a", limits=Limits(max_requests=3))
    assert (reply.status, reply.attempt_count) == (Status.STOPPED, 3)


def test_dollars_are_never_overspent(bench: Bench) -> None:
    bench.prices = PriceTable((price(fresh="1000", output="10000"),))
    bench.server.delay = 0.02
    budget = Decimal("2.6")
    names = [f"n{number}" for number in range(40)]
    replies = bench.ask(*names, limits=Limits(budget_usd=budget), concurrency=8)
    spent = sum((reply.cost_usd or 0 for reply in replies), Decimal(0))
    answered = [reply for reply in replies if reply.is_answered]
    asked = bench.server.received
    words = tokens_of("You judge decks. [[n1]] Is it covered?".replace("\n", " "))
    told = [tokens_of(reply.text or "") for reply in answered]
    exact = sum(Decimal(words * 1000 + 10000 * one) / 1_000_000 for one in told)
    assert spent == exact <= budget
    # The rest would not have paid for one more request at its worst.
    worst = price(fresh="1000", output="10000").worst_cost(900, 64)
    assert budget - spent < worst
    assert 0 < len(asked) == len(answered) < 40
    assert {row["cost_usd"] for row in bench.calls().rows} == {
        float(reply.cost_usd or 0) for reply in answered
    }


def test_a_budget_without_a_price_refuses_to_start(bench: Bench) -> None:
    stores = Stores(ReplyCache(bench.root / "cache"), None, PriceTable((price("other"),)))
    with pytest.raises(UsageError, match=f"`{MODEL}`"):
        EndpointSession(settings_of("http://h/v1"), stores, Limits(budget_usd=Decimal(1)))


def test_a_price_that_is_unknown_is_no_cost_of_zero(bench: Bench) -> None:
    (reply,) = bench.ask("a")
    assert reply.cost_usd is None
    (row,) = bench.calls().rows
    assert row["cost_usd"] is None
    assert row["price_date"] is None


def test_an_interrupt_keeps_what_was_answered_and_stops_the_rest(bench: Bench) -> None:
    bench.server.faults = {"slow": [Fault("hang", seconds=20)]}
    started = time.monotonic()
    with bench.session() as session:
        completed = session.as_completed(requests(["a", "slow", "b"]))
        with pytest.raises(KeyboardInterrupt):
            for number, _ in enumerate(completed, start=1):
                if number == 2:
                    completed.throw(KeyboardInterrupt)  # type: ignore[attr-defined]
    assert time.monotonic() - started < 10
    assert len(bench.cache()) == 2
    assert ("stopped" in {row["status"] for row in bench.calls().rows}) is True
    assert all(reply.is_answered for reply in bench.ask("a", "slow", "b"))
    assert bench.server.counts() == {"a": 1, "b": 1, "slow": 2}


def test_requests_after_a_stop_are_not_sent(bench: Bench) -> None:
    with bench.session() as session:
        session.ask(request("a"))
        session.stop()
        time.sleep(0.05)
        assert session.ask(request("b")).status is Status.STOPPED
    assert bench.server.counts() == {"a": 1}


def test_a_pace_is_kept(bench: Bench) -> None:
    bench.ask("warm")
    bench.ask(*"abcdef", requests_per_minute=60 / 0.1)
    times = [one.at for one in bench.server.received[1:]]
    # Five starts follow 0.1 s apart; the first one alone makes the client.
    assert times[-1] - times[0] > 0.35


def test_each_attempt_is_a_row_with_all_that_is_known(bench: Bench) -> None:
    bench.prices = PriceTable((price(),))
    bench.server.faults = {"a": [Fault("status", code=500)]}
    bench.ask("a")
    bench.ask("a")
    failed, good, cached = bench.calls().rows
    assert [one["attempt"] for one in (failed, good, cached)] == [1, 2, 0]
    assert [one["is_cached"] for one in (failed, good, cached)] == [False, False, True]
    assert (failed["status"], failed["http_status"], failed["cost_usd"]) == ("unavailable", 500, 0)
    assert good["model_served"] == cached["model_served"] == SERVED_MODEL
    assert (good["input_token_count"], good["output_token_count"]) == (7, 4)
    assert good["cost_usd"] == 11e-6
    assert good["price_date"] == "2026-01-01"
    assert good["run_id"] == "data/run"
    assert good["parse_level"] == "strict"
    assert cached["input_token_count"] is None
    assert cached["cost_usd"] == 0
    assert len({one["call_id"] for one in (failed, good, cached)}) == 3
    assert len({one["request_key"] for one in (failed, good, cached)}) == 1


def test_tokens_are_those_that_the_server_reports(bench: Bench) -> None:
    (reply,) = bench.ask("a")
    assert reply.usage == Usage(7, None, 4)


def test_a_dead_endpoint_is_given_up_after_a_number_of_requests(bench: Bench) -> None:
    bench.server.faults = {"*": [Fault("status", code=500)]}
    names = [f"n{number}" for number in range(30)]
    replies = bench.ask(*names, give_up_after=3, max_attempts=2, concurrency=1)
    assert {reply.status for reply in replies} == {Status.UNAVAILABLE}
    # Those under way when the third one failed are finished.
    assert sum(bench.server.counts().values()) < 2 * 10
    assert "not asked" in replies[-1].message
    assert "HTTP 500" in replies[-1].message


def test_a_disk_that_takes_no_more_is_not_passed_over(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> bool:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(ReplyCache, "put", full)
    with pytest.raises(OSError, match="No space"), bench.session() as session:
        session.ask_all(requests("abc"))


def test_who_stops_listening_stops_only_what_nobody_else_waits_for(bench: Bench) -> None:
    bench.server.delay = 0.2
    with bench.session(concurrency=2) as session:
        abandoned = session.as_completed(requests(f"n{number}" for number in range(40)))
        next(abandoned)
        abandoned.close()  # type: ignore[attr-defined]
        assert session.ask(request("n39")).is_answered
        assert session.ask(request("n3")).is_answered
    assert sum(bench.server.counts().values()) < 15


def test_a_request_is_asked_again_when_the_one_that_it_waited_for_was_abandoned(
    bench: Bench,
) -> None:
    bench.server.delay = 0.4
    with bench.session() as session:
        first = session.as_completed(requests(["quick", "a"]))
        bench.server.faults = {"quick": [Fault("model", text="other")]}
        next(first)
        found = []
        waiting = threading.Thread(target=lambda: found.append(session.ask(request("a"))))
        waiting.start()
        time.sleep(0.1)
        first.close()  # type: ignore[attr-defined]
        waiting.join(timeout=20)
    assert [reply.value for reply in found] == [truth("a")]


def test_a_larger_limit_than_the_model_has_leaves_the_reply_truncated(bench: Bench) -> None:
    bench.server.faults = {"a": [Fault("truncated"), Fault("status", code=400)]}
    (reply,) = bench.ask("a")
    assert (reply.status, reply.attempt_count) == (Status.TRUNCATED, 2)
    assert reply.text


def test_a_spent_account_is_not_asked_again(bench: Bench) -> None:
    text = '{"error": {"message": "no credit", "code": "insufficient_quota"}}'
    bench.server.faults = {"*": [Fault("status", code=429, text=text)]}
    (reply,) = bench.ask("a")
    assert (reply.status, reply.attempt_count) == (Status.REJECTED, 1)


def test_a_placeholder_for_a_key_is_no_secret(bench: Bench) -> None:
    bench.server.answer = lambda *_: '{"id": "EMPTY", "covered": true}'
    (reply,) = bench.ask("a", api_key=ApiKey("EMPTY"))
    assert reply.value == {"id": "EMPTY", "covered": True}


def test_a_reply_that_another_process_kept_meanwhile_is_not_asked_for(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.endpoint.cache.REFRESH_SECONDS", 0.0)
    with bench.session() as late:
        bench.ask("a")
        assert late.ask(request("a")).is_cached
    assert bench.server.counts() == {"a": 1}
