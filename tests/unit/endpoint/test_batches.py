"""Batches: each line as a single reply would be, whatever comes back and in any order."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from ingest.endpoint import batch_client, batch_wire
from ingest.endpoint.batch_errors import BatchError
from ingest.endpoint.batch_files import Form
from ingest.endpoint.batch_store import State
from ingest.endpoint.cache import ReplyCache, cache_folder
from ingest.endpoint.calls import call_rows, calls_folder
from ingest.endpoint.modes import Dialect
from ingest.endpoint.request import Target, request_key
from ingest.endpoint.settings import OutputMode, Role
from tests.unit.endpoint.batch_helpers import CONTEXT, BatchBench
from tests.unit.endpoint.helpers import KEY, request


def test_replies_in_any_order_come_to_their_requests(batch: BatchBench) -> None:
    batch.server.script.looks = 2
    batch.complete("one", "two", "three")
    assert batch.kept() == {"one", "two", "three"}
    assert batch.statuses() == ["answered"] * 3
    assert batch.counts() == {"answered": 3}
    assert len(batch.server.batches) == 1 and not batch.server.received
    assert len(batch.settled) == 3 and all(batch.settled.values())
    assert "batch 1: 3 requests sent, waiting" in batch.said


def test_a_cached_reply_is_that_of_a_single_request(batch: BatchBench) -> None:
    batch.complete("one")
    role = batch.settings().of(Role.CLAIM_JUDGE)
    key = request_key(request("one"), Target.of(role))
    kept = ReplyCache(cache_folder(batch.paths)).get(request("one"), key)
    assert kept is not None and kept.is_answered and kept.latency_ms is None
    (line,) = batch.server.files["file-1"].splitlines()
    assert json.loads(line)["custom_id"] == key
    assert json.loads(line)["url"] == "/v1/chat/completions"


@pytest.mark.parametrize(
    ("fault", "status", "is_charged"),
    [
        ("refusal", "refused", True),
        ("filter", "refused", True),
        ("truncated", "truncated", True),
        ("text", "invalid_reply", True),
        ("empty", "invalid_reply", True),
        ("broken", "invalid_reply", True),
        ("expired", "unavailable", False),
        ("status 429 too many", "rate_limited", False),
        ("status 500 it broke", "unavailable", False),
        ("status 400 too long", "rejected", False),
    ],
)
def test_a_line_ends_as_a_single_reply_would_and_only_answers_are_kept(
    batch: BatchBench, fault: str, status: str, is_charged: bool
) -> None:
    batch.server.script.fault_of = lambda name, _: fault if name == "bad" else ""
    batch.complete("good", "bad")
    assert batch.kept() == {"good"}
    assert batch.statuses() == sorted(["answered", status])
    assert batch.counts() == {"answered": 1, status: 1}
    bad = batch.settled[batch.key("bad")]
    assert bad is None or (bad > 0) == is_charged


def test_another_model_that_served_is_recorded(batch: BatchBench) -> None:
    batch.server.script.fault_of = lambda *_: "model"
    batch.complete("one")
    (row,) = call_rows(calls_folder(batch.paths, CONTEXT), batch.paths.root).rows
    assert row["model_asked"] != row["model_served"] == "no JSON at all"


def test_lines_that_are_missing_doubled_unknown_or_junk_are_counted(batch: BatchBench) -> None:
    faults = {"gone": "missing", "twice": "double"}
    batch.server.script.fault_of = lambda name, _: faults.get(name, "")
    batch.server.script.unknown = batch.server.script.junk = True
    batch.complete("one", "gone", "twice")
    assert batch.kept() == {"one", "twice"}
    assert batch.counts() == {
        "answered": 2,
        "duplicate": 1,
        "missing": 1,
        "unknown": 1,
        "unreadable": 1,
    }
    # A line that nobody can account for may have been charged.
    assert batch.settled[batch.key("gone")] is None


def test_a_line_that_is_too_long_costs_itself_alone(
    batch: BatchBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.endpoint.batch_wire.MAX_LINE_BYTES", 1000)
    batch.server.answer = lambda name, _: json.dumps(
        {"id": name, "covered": True} | ({"x": "y" * 5000} if name == "long" else {})
    )
    batch.complete("one", "long", "two")
    assert batch.kept() == {"one", "two"}
    assert batch.counts() == {"answered": 2, "missing": 1, "unreadable": 1}


def test_what_may_pass_is_tried_again(batch: BatchBench) -> None:
    batch.server.script.http = [
        ("POST /v1/files", 500),
        ("POST /v1/batches", 429),
        ("GET /v1/batches/", 503),
        ("/content", 500),
    ]
    batch.complete("one", "two")
    assert batch.kept() == {"one", "two"}
    assert len(batch.server.batches) == 1 and not batch.server.script.http


def test_a_result_file_that_breaks_off_is_read_again_and_nothing_is_taken_twice(
    batch: BatchBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    import httpx2

    cut = batch_wire.lines_of
    passes = 0

    async def torn(chunks: object) -> object:
        nonlocal passes
        passes += 1
        async for line in cut(chunks):  # type: ignore[arg-type]
            yield line
            if passes == 1:
                raise httpx2.ReadError("it broke off")

    monkeypatch.setattr(batch_client, "lines_of", torn)
    batch.complete("one", "two", "three")
    assert passes == 2
    assert batch.statuses() == ["answered"] * 3
    assert batch.counts() == {"answered": 3}


def test_an_answer_that_was_lost_makes_no_second_batch(batch: BatchBench) -> None:
    for name in ("older", "older still"):
        batch.complete(name)
    batch.server.script.mute = ["POST /v1/batches"]
    batch.complete("one")
    assert batch.kept() == {"older", "older still", "one"}
    assert len(batch.server.batches) == 3


@pytest.mark.parametrize("code", [401, 403])
def test_a_refused_key_ends_the_command_and_is_not_told(batch: BatchBench, code: int) -> None:
    batch.server.script.http = [("POST /v1/files", code)]
    with pytest.raises(BatchError, match="PODIUM_JUDGE_API_KEY") as caught:
        batch.complete("one")
    assert caught.value.exit_code == 2 and KEY not in str(caught.value)


def test_an_endpoint_without_batches_is_named(batch: BatchBench) -> None:
    batch.server.script.http = [("POST /v1/files", 404)]
    with pytest.raises(BatchError, match="without --batch"):
        batch.complete("one")


@pytest.mark.parametrize("end", ["expired", "cancelled"])
def test_of_a_batch_that_ended_early_what_came_is_taken(batch: BatchBench, end: str) -> None:
    batch.server.script.end = end
    batch.server.script.fault_of = lambda name, _: "missing" if name == "late" else ""
    ended = batch.complete("early", "late")
    assert batch.kept() == {"early"}
    assert batch.counts() == {"answered": 1, "missing": 1}
    assert bool(ended.troubles) == (end == "cancelled")


def test_a_batch_that_failed_costs_nothing_and_its_reason_is_told(batch: BatchBench) -> None:
    batch.server.script.end = "failed"
    ended = batch.complete("one")
    assert ended.troubles == ["batch `batch-1` failed: the input is no good"]
    assert [one.state for one in batch.store.records()] == [State.LOST]
    assert batch.settled == {batch.key("one"): Decimal(0)}


def test_a_result_file_that_is_gone_loses_what_was_in_it_alone(batch: BatchBench) -> None:
    batch.server.script.lost = ("output",)
    batch.server.script.fault_of = lambda name, _: "status 500 x" if name == "bad" else ""
    batch.complete("good", "bad")
    assert batch.kept() == set()
    assert [one.state for one in batch.store.records()] == [State.LOST]
    assert batch.counts() == {"missing": 1, "unavailable": 1}


def test_a_request_that_was_rejected_for_its_form_names_the_next_form(batch: BatchBench) -> None:
    told = "status 400 Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    batch.server.script.fault_of = lambda *_: told
    ended = batch.complete("one")
    following = Form(Dialect(OutputMode.JSON_SCHEMA, "max_completion_tokens"), 64)
    assert ended.next_forms == {batch.key("one"): following}


def test_a_reply_that_was_cut_names_twice_the_limit_once(batch: BatchBench) -> None:
    batch.server.script.fault_of = lambda *_: "truncated"
    ended = batch.complete("one")
    dialect = Dialect(OutputMode.JSON_SCHEMA)
    assert ended.next_forms == {batch.key("one"): Form(dialect, 128)}
    assert batch.complete("one", limit=128).next_forms == {}
