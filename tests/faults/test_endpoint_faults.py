"""An endpoint that misbehaves in every way seen: the same answer as without it, or its status.

Every test goes through the real client against a server on the loopback.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path

import pytest

from ingest.endpoint import segments
from ingest.endpoint.budget import Limits
from ingest.endpoint.reply import Status
from ingest.endpoint.request import request_key
from ingest.endpoint.settings import Role
from tests.support.openai_server import Fault
from tests.unit.endpoint.helpers import (
    KEY,
    MODEL,
    SCHEMA,
    Bench,
    bench_at,
    request,
    requests,
    settings_of,
    truth,
)
from warehouse import jsonl
from warehouse.contracts.core import CALL_STATUSES, JUDGE_CALLS, JUDGE_ROLES
from warehouse.errors import UsageError
from warehouse.landing import sorted_table

POINTS = int(os.environ.get("PODIUM_FAULT_POINTS", "5"))
pytestmark = pytest.mark.faults
GOOD = jsonl.dumps(truth("a"))


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with bench_at(tmp_path) as made:
        yield made


def in_a_moment(seconds: float) -> str:
    return formatdate(time.time() + seconds, usegmt=True)


PASSING = {
    "429_without_retry_after": [Fault("status", code=429)] * 2,
    "429_with_seconds": [Fault("status", code=429, headers={"Retry-After": "1"})],
    "429_with_milliseconds": [Fault("status", code=429, headers={"Retry-After-Ms": "50"})],
    "429_with_a_bad_header": [Fault("status", code=429, headers={"Retry-After": "soon"})],
    "429_with_a_negative_header": [Fault("status", code=429, headers={"Retry-After": "-5"})],
    "429_with_a_date_in_the_past": [
        Fault("status", code=429, headers={"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"})
    ],
    "500": [Fault("status", code=500)],
    "502_with_html": [Fault("status", code=502, text="<html>Bad gateway</html>")],
    "503": [Fault("status", code=503)] * 3,
    "504": [Fault("status", code=504)],
    "529": [Fault("status", code=529)],
    "closed_at_once": [Fault("hang")],
    "closed_in_the_body": [Fault("close")],
    "body_is_no_json": [Fault("body", text='{"choices": [')],
    "body_is_html": [Fault("body", text="<html></html>")],
    "body_is_empty": [Fault("body", text="")],
    "body_holds_an_error": [Fault("body", text='{"error": {"code": 502, "message": "x"}}')],
    "body_has_no_choice": [Fault("body", text='{"choices": []}')],
    "body_is_a_list": [Fault("body", text="[1]")],
    "body_has_equal_keys": [Fault("body", text='{"choices": [], "choices": [{}]}')],
    "body_without_end": [Fault("huge")],
    "many_kinds": [Fault("status", code=500), Fault("close"), Fault("body", text="?")],
    "truncated_once": [Fault("truncated")],
    "invalid_once": [Fault("text", text="INCORRECT")],
    "empty_once": [Fault("empty")],
    "fenced": [Fault("text", text=f"```json\n{GOOD}\n```")],
    "with_prose": [Fault("text", text=f"Sure! {GOOD} Anything else?")],
    "with_comments": [Fault("text", text=GOOD.replace("}", ", // ok\n}"))],
    "other_model": [Fault("model", text="quite-another-model")],
}


@pytest.mark.parametrize("faults", PASSING.values(), ids=PASSING)
def test_a_fault_that_passes_changes_no_answer(bench: Bench, faults: list[Fault]) -> None:
    bench.server.faults = {"a": list(faults)}
    (reply,) = bench.ask("a")
    assert (reply.status, reply.value) == (Status.ANSWERED, truth("a"))
    (again,) = bench.ask("a")
    assert again.is_cached
    assert again.value == truth("a")
    assert reply.attempt_count == sum(bench.server.counts().values())


def test_a_body_beyond_the_bound_is_not_read_although_it_is_good(bench: Bench) -> None:
    bench.server.faults = {"a": [Fault("huge")]}
    (reply,) = bench.ask("a")
    assert reply.is_answered
    assert bench.statuses() == [(1, "unavailable"), (2, "answered")]
    assert "more than 16,777,216 bytes" in str(bench.calls().rows[0]["message"])


LASTING = {
    "429": (Fault("status", code=429), Status.RATE_LIMITED, 3),
    "500": (Fault("status", code=500), Status.UNAVAILABLE, 3),
    "closed": (Fault("close"), Status.UNAVAILABLE, 3),
    "body": (Fault("body", text="?"), Status.INVALID_REPLY, 3),
    "400": (Fault("status", code=400), Status.REJECTED, 3),
    "401": (Fault("status", code=401), Status.REJECTED, 1),
    "404": (Fault("status", code=404), Status.REJECTED, 1),
    "redirect": (
        Fault("status", code=307, headers={"Location": "http://127.0.0.1:9/"}),
        Status.REJECTED,
        1,
    ),
    "refusal": (Fault("refusal"), Status.REFUSED, 1),
    "filter": (Fault("filter"), Status.REFUSED, 1),
    "truncated": (Fault("truncated"), Status.TRUNCATED, 2),
    "no_json": (Fault("text", text="INCORRECT"), Status.INVALID_REPLY, 2),
    "nan": (Fault("text", text='{"id": "a", "covered": NaN}'), Status.INVALID_REPLY, 2),
    "two_verdicts": (Fault("text", text=f"{GOOD} {GOOD}"), Status.INVALID_REPLY, 2),
    "empty": (Fault("empty"), Status.INVALID_REPLY, 2),
}


@pytest.mark.parametrize(("fault", "status", "count"), LASTING.values(), ids=LASTING)
def test_a_fault_that_lasts_ends_in_its_status_and_is_never_cached(
    bench: Bench, fault: Fault, status: Status, count: int
) -> None:
    bench.server.faults = {"*": [fault]}
    (reply,) = bench.ask("a", max_attempts=3)
    assert (reply.status, reply.value) == (status, None)
    assert reply.message
    assert bench.server.counts() == {"a": count}
    assert len(bench.cache()) == 0
    assert [attempt for attempt, _ in bench.statuses()] == list(range(1, count + 1))
    bench.server.faults = {}
    (healed,) = bench.ask("a")
    assert (healed.status, healed.value) == (Status.ANSWERED, truth("a"))


def test_a_server_that_hangs_or_drips_is_left_in_time(bench: Bench) -> None:
    bench.server.faults = {"a": [Fault("hang", seconds=30)] * 9, "b": [Fault("drip")] * 9}
    bench.ask("warm")
    started = time.monotonic()
    replies = bench.ask("a", "b", "c", timeout_seconds=0.4, max_attempts=2)
    assert [reply.status for reply in replies] == [
        Status.TIMED_OUT,
        Status.TIMED_OUT,
        Status.ANSWERED,
    ]
    assert time.monotonic() - started < 5


def test_an_address_where_nobody_listens_is_unavailable(tmp_path: Path) -> None:
    with bench_at(tmp_path) as bench:
        url = bench.server.base_url
        bench.server.stop()
        bench.server.faults = {}
        (reply,) = bench.ask("a", max_attempts=2)
    assert url.startswith("http://127.0.0.1:")
    assert (reply.status, reply.attempt_count) == (Status.UNAVAILABLE, 2)


def test_the_wait_that_a_server_asks_for_is_kept_by_all_requests(bench: Bench) -> None:
    bench.ask("warm")
    bench.server.faults = {"a": [Fault("status", code=429, headers={"Retry-After": "1"})]}
    with bench.session(concurrency=1) as session:
        session.ask_all(requests("ab"))
    first, *others = [one.at for one in bench.server.received if one.name != "warm"]
    assert min(others) - first >= 0.95


def test_a_date_to_wait_for_is_measured_by_the_clock_of_the_server(bench: Bench) -> None:
    # Its clock is a day late; asked for is one second, not a day and not nothing.
    headers = {"Date": in_a_moment(-86_400), "Retry-After": in_a_moment(-86_400 + 1)}
    bench.server.faults = {"a": [Fault("status", code=429, headers=headers)]}
    (reply,) = bench.ask("a")
    assert reply.is_answered
    first, second = [one.at for one in bench.server.received]
    assert 0.5 < second - first < 4


def test_a_wait_beyond_the_time_of_a_request_is_not_waited_for(bench: Bench) -> None:
    bench.server.faults = {"a": [Fault("status", code=429, headers={"Retry-After": "86400"})]}
    started = time.monotonic()
    (reply,) = bench.ask("a", total_seconds=5)
    assert (reply.status, reply.attempt_count) == (Status.RATE_LIMITED, 1)
    assert time.monotonic() - started < 5


def test_a_truncated_reply_is_asked_for_with_a_larger_limit_once(bench: Bench) -> None:
    bench.server.faults = {"a": [Fault("truncated")]}
    bench.ask("a")
    assert [one.body["max_tokens"] for one in bench.server.received] == [64, 128]
    assert bench.statuses() == [(1, "truncated"), (2, "answered")]


def test_the_model_that_answered_is_kept_beside_the_one_that_was_asked(bench: Bench) -> None:
    bench.server.faults = {"a": [Fault("model", text="quite-another-model")]}
    (reply,) = bench.ask("a")
    (again,) = bench.ask("a")
    for one in (reply, again):
        assert (one.model_asked, one.model_served) == (MODEL, "quite-another-model")


ITEMS = {
    "type": "object",
    "properties": {"verdicts": {"type": "array", "items": SCHEMA}},
    "required": ["verdicts"],
}


@pytest.mark.parametrize("names", [["a"], ["a", "b", "c", "d"], ["a", "a"], ["c", "b", "a"]])
def test_fewer_more_doubled_or_reordered_items_arrive_as_they_were_given(
    bench: Bench, names: list[str]
) -> None:
    # What was asked for is the stage's knowledge; nothing is dropped, filled or sorted here.
    bench.server.answer = lambda *_: jsonl.dumps({"verdicts": [truth(name) for name in names]})
    with bench.session() as session:
        reply = session.ask(request("a", schema=ITEMS))
    assert reply.value == {"verdicts": [truth(name) for name in names]}


def test_j02_a_word_that_holds_another_is_no_verdict(bench: Bench) -> None:
    schema = {"type": "object", "properties": {"v": {"enum": ["CORRECT", "WRONG"]}}}
    bench.server.answer = lambda *_: '{"v": "INCORRECT"}'
    with bench.session() as session:
        reply = session.ask(request("a", schema=schema))
    assert reply.status is Status.INVALID_REPLY


def test_j03_writing_that_was_mended_is_recorded(bench: Bench) -> None:
    bench.server.faults = {"a": [Fault("text", text=f"```json\n{GOOD[:-1]}, // ok\n}}\n```")]}
    (reply,) = bench.ask("a")
    assert reply.value == truth("a")
    assert bench.calls().rows[0]["parse_level"] == "repaired"


def test_j05_a_cut_reply_is_truncated_even_when_its_head_is_whole(bench: Bench) -> None:
    bench.server.answer = lambda *_: GOOD + GOOD
    bench.server.faults = {"*": [Fault("truncated")]}
    (reply,) = bench.ask("a")
    assert reply.text == GOOD
    assert (reply.status, reply.value) == (Status.TRUNCATED, None)


def test_j06_one_bad_record_costs_one_record(bench: Bench) -> None:
    names = [f"n{number}" for number in range(100)]
    bench.server.faults = {"n37": [Fault("text", text="{malformed")] * 2}
    replies = bench.ask(*names)
    bad = [name for name, reply in zip(names, replies, strict=True) if not reply.is_answered]
    assert bad == ["n37"]
    assert len(bench.cache()) == 99
    bench.server.received.clear()
    assert all(reply.is_answered for reply in bench.ask(*names))
    assert bench.server.counts() == {"n37": 1}


@pytest.mark.parametrize("text", ['{"verdicts": []}', '{"overall_score": NaN}'])
def test_j17_a_missing_or_odd_score_is_no_answer(bench: Bench, text: str) -> None:
    bench.server.answer = lambda *_: text
    schema = {
        "type": "object",
        "properties": {"overall_score": {"type": "number", "minimum": 0, "maximum": 1}},
        "required": ["overall_score"],
    }
    with bench.session() as session:
        reply = session.ask(request("a", schema=schema))
    assert (reply.status, reply.value) == (Status.INVALID_REPLY, None)


def test_j11_another_model_or_limit_is_asked_anew(bench: Bench) -> None:
    from ingest.endpoint.request import Sampling

    for changes in ({}, {"sampling": Sampling(64, 0.5)}, {"sampling": Sampling(65, 0.0)}):
        with bench.session() as session:
            session.ask(request("a", **changes))
    bench.ask("a", model="model-b")
    assert bench.server.counts() == {"a": 4}
    entries = [entry["model_asked"] for _, entry in bench.cache().entries()]
    assert entries == [MODEL, MODEL, MODEL, "model-b"]


def test_j13_j15_a_resume_joins_all_attempts_and_doubles_nothing(bench: Bench) -> None:
    names = [f"n{number}" for number in range(30)]
    for most in (12, 7):
        bench.ask(*names, limits=Limits(max_requests=most))
    assert len(bench.cache()) == 19
    bench.ask(*names)
    assert bench.server.counts() == dict.fromkeys(names, 1)
    assert bench.cache().duplicate_count == 0


def test_j16_a_torn_last_line_is_named_and_its_request_asked_again(bench: Bench) -> None:
    names = ["a", "b", "c", "d"]
    bench.ask(*names, concurrency=1)
    (segment,) = segments.segments_of(bench.root / "cache")
    (log,) = segments.segments_of(bench.root / "calls")
    for path in (segment, log):
        path.write_bytes(path.read_bytes()[:-30])
    assert [(one.line, one.reason) for one in bench.cache().damages] == [(4, "torn_line")]
    rejects = bench.calls().rejects
    assert [(one.source_file, one.reject.line, one.reject.reason) for one in rejects] == [
        (f"calls/{log.name}", 4, "torn_line")
    ]
    bench.ask(*names)
    assert sorted(bench.server.counts().values()) == [1, 1, 1, 2]


def test_j19_a_server_that_is_always_busy_ends_the_loop(bench: Bench) -> None:
    bench.server.faults = {"*": [Fault("status", code=429)]}
    replies = bench.ask("a", "b", max_attempts=4)
    assert {reply.status for reply in replies} == {Status.RATE_LIMITED}
    assert bench.server.counts() == {"a": 4, "b": 4}


ZYGOTE = """
import os, signal, sys
from pathlib import Path
import openai, openai.resources.chat, jsonschema
from tests.unit.endpoint.helpers import requests, settings_of
from ingest.endpoint.asker import Stores
from ingest.endpoint.cache import ReplyCache
from ingest.endpoint.calls import CallContext, CallLog
from ingest.endpoint.session import EndpointSession

def job(url, root, count):
    stores = Stores(
        ReplyCache(Path(root) / "cache"),
        CallLog(Path(root) / "calls", CallContext("xslides")),
    )
    with EndpointSession(settings_of(url, concurrency=4), stores) as session:
        replies = session.ask_all(requests(f"n{number}" for number in range(int(count))))
    os._exit(0 if all(reply.is_answered for reply in replies) else 3)

print("ready", flush=True)
for line in sys.stdin:
    child = os.fork()
    if not child:
        job(*line.split())
    print(child, flush=True)
    print(os.waitpid(child, 0)[1], flush=True)
"""


def test_j13_kill_9_costs_only_what_was_in_flight(bench: Bench) -> None:
    names = [f"n{number}" for number in range(60)]
    bench.server.delay = 0.02
    zygote = subprocess.Popen(
        [sys.executable, "-c", ZYGOTE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert zygote.stdin is not None
    assert zygote.stdout is not None
    assert zygote.stdout.readline() == "ready\n"
    draw = random.Random(4)
    killed = 0
    kept: set[str] = set()
    try:
        for number in range(POINTS):
            root = bench.root / f"round_{number}"
            bench.server.received.clear()
            asked_before = 0
            for _ in range(2):
                zygote.stdin.write(f"{bench.server.base_url} {root} {len(names)}\n")
                zygote.stdin.flush()
                child = int(zygote.stdout.readline())
                wanted = asked_before + draw.randint(1, 25)
                until = time.monotonic() + 20
                while len(bench.server.received) < wanted and time.monotonic() < until:
                    time.sleep(0.001)
                os.kill(child, signal.SIGKILL)
                killed += int(zygote.stdout.readline()) == signal.SIGKILL
                asked_before = len(bench.server.received)
                cached = set(kept_names(root, names, bench))
                counts = bench.server.counts()
                assert kept <= cached
                kept = cached
                # What the server saw and the disk did not take was in flight: at most four.
                assert len(counts.keys() - cached) <= 4
            kept = set()
            after = bench.server.counts()
            zygote.stdin.write(f"{bench.server.base_url} {root} {len(names)}\n")
            zygote.stdin.flush()
            zygote.stdout.readline()
            assert zygote.stdout.readline() == "0\n"
            counts = bench.server.counts()
            assert set(counts) == set(names)
            assert sum(counts.values()) <= len(names) + 2 * 4
            assert all(counts[name] == after[name] for name in cached)
    finally:
        zygote.kill()
        zygote.wait(timeout=30)
    assert killed == 2 * POINTS


def kept_names(root: Path, names: list[str], bench: Bench) -> Iterator[str]:
    from ingest.endpoint.cache import ReplyCache
    from ingest.endpoint.request import Target

    target = Target.of(settings_of(bench.server.base_url).of(Role.CLAIM_JUDGE))
    cache = ReplyCache(root / "cache")
    assert {one.reason for one in cache.damages} <= {"torn_line"}
    for name in names:
        if request_key(request(name), target) in cache:
            yield name


def test_the_key_is_nowhere(
    bench: Bench, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    import logging

    caplog.set_level(logging.DEBUG)
    echo = f'{{"error": {{"message": "Incorrect API key provided: {KEY}", "code": "{KEY}"}}}}'
    bench.server.faults = {
        "a": [Fault("status", code=401, text=echo)],
        "b": [Fault("body", text=KEY)],
        "c": [Fault("text", text=f'{{"id": "{KEY}", "covered": true}}')],
        "d": [Fault("text", text=f'{{"id": "\\u0073{KEY[1:]}", "covered": true}}')] * 2,
        "e": [Fault("model", text=KEY)],
        "f": [Fault("status", code=500, text=KEY)],
    }
    with bench.session() as session:
        replies = session.ask_all(requests("abcdef"))
        shown = [repr(replies), repr(vars(session)), repr(settings_of("http://h/v1"))]
    assert [reply.status for reply in replies] == [
        Status.REJECTED,
        Status.ANSWERED,
        Status.ANSWERED,
        Status.INVALID_REPLY,
        Status.ANSWERED,
        Status.ANSWERED,
    ]
    with pytest.raises(UsageError) as caught:
        settings_of(f"http://user:{KEY}@host/v1")
    files = [path.read_bytes() for path in bench.root.rglob("*") if path.is_file()]
    assert len(files) >= 2
    out, err = capfd.readouterr()
    texts = [*shown, str(caught.value), repr(caught.value), out, err, caplog.text]
    assert caplog.records
    assert not [one for one in texts if KEY in one]
    assert not [one for one in files if KEY.encode() in one]


def test_calls_land_under_the_contract(bench: Bench) -> None:
    bench.server.faults = {"a": [Fault("status", code=500)], "b": [Fault("refusal")]}
    bench.ask("a", "b", "c")
    rows = bench.calls().rows
    table = sorted_table(JUDGE_CALLS, rows)
    assert table.num_rows == len(rows) == 4
    assert {status.value for status in Status} == set(CALL_STATUSES)
    assert {role.value for role in Role} == set(JUDGE_ROLES)
    assert bench.calls().rows == rows
