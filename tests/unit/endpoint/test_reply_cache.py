"""The cache: what goes in, what comes back, what a torn or altered line costs, what is pruned."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from ingest.endpoint import segments
from ingest.endpoint.asker import Stores
from ingest.endpoint.cache import ReplyCache, line_of
from ingest.endpoint.calls import CallContext, CallLog, call_rows
from ingest.endpoint.parsing import ParseLevel
from ingest.endpoint.prune import DAMAGED_FOLDER, Selection, prune
from ingest.endpoint.reply import Reply, Status, Usage
from ingest.endpoint.request import Request, Target, request_key
from ingest.endpoint.session import EndpointSession, ReplaySession
from ingest.endpoint.settings import OutputMode, Role
from tests.unit.endpoint.helpers import MODEL, SCHEMA, request, settings_of, truth
from warehouse import jsonl
from warehouse.errors import InputError, LockedError

URL = "http://127.0.0.1:9/v1"
TARGET = Target(URL, MODEL, OutputMode.AUTO)
NOW = datetime(2030, 1, 1, tzinfo=UTC)


def reply_to(asked: Request, target: Target = TARGET, status: Status = Status.ANSWERED) -> Reply:
    name = str(asked.messages[1].parts[0]).partition("[[")[2].partition("]]")[0]
    return Reply(
        status,
        request_key(asked, target),
        target.model,
        model_served="served-model-1",
        text=jsonl.dumps(truth(name)),
        value=truth(name),
        parse_level=ParseLevel.STRICT,
        output_mode=OutputMode.JSON_SCHEMA,
        usage=Usage(10, None, 5),
        latency_ms=321,
        attempt_count=1,
    )


def put(cache: ReplyCache, *names: str, target: Target = TARGET) -> list[str]:
    keys = []
    for name in names:
        asked = request(name)
        reply = reply_to(asked, target)
        assert cache.put(asked, target, reply)
        keys.append(reply.request_key)
    return keys


def filled(folder: Path, *names: str) -> list[str]:
    cache = ReplyCache(folder)
    keys = put(cache, *names)
    cache.close()
    return keys


def test_a_kept_reply_comes_back_with_the_models_latency_and_tokens_of_the_asking(
    tmp_path: Path,
) -> None:
    (key,) = filled(tmp_path, "a")
    found = ReplyCache(tmp_path).get(request("a"), key)
    assert found is not None
    assert found.is_cached
    assert found.value == truth("a")
    assert (found.model_asked, found.model_served) == (MODEL, "served-model-1")
    assert (found.latency_ms, found.usage) == (321, Usage(10, None, 5))
    assert (found.attempt_count, found.cost_usd) == (0, Decimal(0))


@pytest.mark.parametrize("status", [one for one in Status if one is not Status.ANSWERED])
def test_nothing_but_an_answer_is_kept(tmp_path: Path, status: Status) -> None:
    cache = ReplyCache(tmp_path / "cache")
    assert not cache.put(request("a"), TARGET, reply_to(request("a"), status=status))
    assert not cache.put(request("a"), TARGET, replace(reply_to(request("a")), is_cached=True))
    assert len(cache) == 0
    assert not (tmp_path / "cache").exists()


def test_a_reply_that_no_longer_keeps_the_schema_is_asked_again(tmp_path: Path) -> None:
    (key,) = filled(tmp_path, "a")
    stricter = request("a", schema={**SCHEMA, "required": ["id", "covered", "confidence"]})
    assert ReplyCache(tmp_path).get(stricter, key) is None


def test_a_torn_tail_is_named_and_costs_one_reply(tmp_path: Path) -> None:
    keys = filled(tmp_path, "a", "b", "c")
    (segment,) = segments.segments_of(tmp_path)
    segment.write_bytes(segment.read_bytes()[:-40])
    cache = ReplyCache(tmp_path)
    assert [key in cache for key in keys] == [True, True, False]
    assert [(one.segment, one.line, one.reason) for one in cache.damages] == [
        (segment.name, 3, "torn_line")
    ]


@pytest.mark.parametrize("place", [10, 90, 400, -10])
def test_an_altered_line_is_never_replayed(tmp_path: Path, place: int) -> None:
    keys = filled(tmp_path, "a", "c", "e")
    (segment,) = segments.segments_of(tmp_path)
    lines = [bytearray(line) for line in segment.read_bytes().split(b"\n")]
    lines[1][place] ^= 1
    segment.write_bytes(b"\n".join(lines))
    cache = ReplyCache(tmp_path)
    assert [key in cache for key in keys] == [True, False, True]
    assert [(one.line, one.reason) for one in cache.damages] == [(2, "damaged_line")]


def test_an_entry_under_another_key_is_damage(tmp_path: Path) -> None:
    one, other = filled(tmp_path, "a", "b")
    (segment,) = segments.segments_of(tmp_path)
    text = segment.read_bytes()
    segment.write_bytes(
        text.replace(one.encode(), b"-")
        .replace(other.encode(), one.encode())
        .replace(b"-", other.encode(), 1)
    )
    assert len(ReplyCache(tmp_path)) == 0


def test_line_separators_in_a_text_cut_no_line(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path)
    asked = request("a")
    text = '{"id": "\u2028\u0085\\n", "covered": true}'
    cache.put(asked, TARGET, replace(reply_to(asked), text=text))
    cache.close()
    found = ReplyCache(tmp_path).get(asked, request_key(asked, TARGET))
    assert found is not None
    assert found.text == text


def test_two_open_caches_see_each_other_after_a_refresh_and_the_first_copy_stays(
    tmp_path: Path,
) -> None:
    one, other = ReplyCache(tmp_path), ReplyCache(tmp_path)
    (key,) = put(one, "a")
    assert key not in other
    other.refresh()
    assert key in other
    late = ReplyCache(tmp_path / "late")
    put(late, "a")
    late.close()
    (segment,) = segments.segments_of(tmp_path / "late")
    segment.rename(tmp_path / segment.name)
    one.refresh()
    assert (len(one), one.duplicate_count) == (1, 1)


WRITE = """
import sys
from pathlib import Path
from ingest.endpoint.cache import ReplyCache
from tests.unit.endpoint.test_reply_cache import put
cache = ReplyCache(Path(sys.argv[1]))
put(cache, *(f"{sys.argv[2]}_{n}" for n in range(50)))
cache.close()
"""


def test_processes_that_write_at_one_time_lose_nothing(tmp_path: Path) -> None:
    jobs = [subprocess.Popen([sys.executable, "-c", WRITE, str(tmp_path), name]) for name in "abc"]
    assert [job.wait(timeout=60) for job in jobs] == [0, 0, 0]
    cache = ReplyCache(tmp_path)
    assert len(cache) == 150
    assert not cache.damages


@pytest.mark.parametrize("kind", [ReplaySession, EndpointSession])
def test_a_thousand_kept_replies_are_replayed_in_two_seconds(
    tmp_path: Path, kind: type[ReplaySession] | type[EndpointSession]
) -> None:
    names = [f"n{number}" for number in range(1000)]
    lines = []
    for name in names:
        asked = request(name)
        entry = _entry_of(tmp_path / "one", asked)
        lines.append(line_of(request_key(asked, TARGET), entry))
    folder = tmp_path / "cache"
    folder.mkdir()
    (folder / "20300101T000000000000-1-00000000.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    asked_all = [request(name) for name in names]
    started = time.process_time()
    stores = Stores(ReplyCache(folder), CallLog(tmp_path / "calls", CallContext("xslides")))
    with kind(settings_of(URL), stores) as session:
        replies = session.ask_all(asked_all)
    assert time.process_time() - started < 2
    assert len(call_rows(tmp_path / "calls", tmp_path).rows) == 1000
    assert [reply.value for reply in replies] == [truth(name) for name in names]


def _entry_of(folder: Path, asked: Request) -> dict[str, object]:
    template = dict(_TEMPLATE)
    if not template:
        filled(folder, "a")
        ((_, entry),) = ReplyCache(folder).entries()
        _TEMPLATE.update(entry)
        template = dict(_TEMPLATE)
    return {**template, "text": reply_to(asked).text}


_TEMPLATE: dict[str, object] = {}


def test_a_replay_names_the_key_that_is_missing_and_asks_nobody(tmp_path: Path) -> None:
    filled(tmp_path, "a")
    with ReplaySession(settings_of(URL), Stores(ReplyCache(tmp_path))) as session:
        kept, missing = session.ask_all([request("a"), request("b")])
    assert kept.status is Status.ANSWERED
    assert missing.status is Status.UNAVAILABLE
    assert request_key(request("b"), TARGET) in missing.message


def test_pruning_removes_what_all_filters_take_and_keeps_every_other_byte(tmp_path: Path) -> None:
    other = replace(TARGET, model="other-model")
    for names, target in ((("a", "b"), TARGET), (("c",), other), (("d",), TARGET)):
        cache = ReplyCache(tmp_path)
        put(cache, *names, target=target)
        cache.close()
    before = dict(ReplyCache(tmp_path).entries())
    selection = Selection(model="other-model")
    told = prune(ReplyCache(tmp_path), selection, NOW, is_dry_run=True)
    assert dict(ReplyCache(tmp_path).entries()) == before
    done = prune(ReplyCache(tmp_path), selection, NOW, is_dry_run=False)
    assert told == done
    assert done.removed == (request_key(request("c"), other),)
    assert (done.kept_count, done.segment_count) == (3, 3)
    after = dict(ReplyCache(tmp_path).entries())
    assert after == {key: entry for key, entry in before.items() if key not in done.removed}
    assert list(after) == [key for key in before if key in after]
    assert len(segments.segments_of(tmp_path)) == 1


@pytest.mark.parametrize(
    ("selection", "count"),
    [
        (Selection(older_than=timedelta(days=1)), 2),
        (Selection(older_than=timedelta(days=100_000)), 0),
        (Selection(role=Role.CLAIM_JUDGE.value), 2),
        (Selection(role=Role.GENERATOR.value), 0),
        (Selection(model="served-model-1"), 2),
        (Selection(model=MODEL, role=Role.GENERATOR.value), 0),
        (Selection(), 2),
        (None, 0),
    ],
)
def test_filters_of_pruning(tmp_path: Path, selection: Selection | None, count: int) -> None:
    filled(tmp_path, "a", "b")
    done = prune(ReplyCache(tmp_path), selection, NOW, is_dry_run=False)
    assert len(done.removed) == count
    assert len(ReplyCache(tmp_path)) == done.kept_count == 2 - count


def test_a_reply_from_the_future_is_not_old(tmp_path: Path) -> None:
    filled(tmp_path, "a")
    past = datetime(2000, 1, 1, tzinfo=UTC)
    selection = Selection(older_than=timedelta(0))
    assert prune(ReplyCache(tmp_path), selection, past, is_dry_run=False).removed == ()


def test_pruning_leaves_a_segment_alone_that_is_being_written(tmp_path: Path) -> None:
    filled(tmp_path, "a")
    writer = ReplyCache(tmp_path)
    (key,) = put(writer, "b")
    done = prune(ReplyCache(tmp_path), Selection(), NOW, is_dry_run=False)
    assert key not in done.removed
    assert len(done.in_use) == 1
    put(writer, "c")
    writer.close()
    assert len(ReplyCache(tmp_path)) == 2


def test_an_open_reader_finds_entries_that_pruning_moved(tmp_path: Path) -> None:
    keys = filled(tmp_path, "a") + filled(tmp_path, "b")
    reader = ReplyCache(tmp_path)
    prune(ReplyCache(tmp_path), None, NOW, is_dry_run=False)
    found = [reader.get(request(name), key) for name, key in zip("ab", keys, strict=True)]
    assert [one.value for one in found if one is not None] == [truth("a"), truth("b")]


def test_pruning_sets_damaged_lines_aside_with_all_their_bytes(tmp_path: Path) -> None:
    filled(tmp_path, "a", "b")
    (segment,) = segments.segments_of(tmp_path)
    torn = segment.read_bytes()[:-1].split(b"\n")[1][:50]
    segment.write_bytes(segment.read_bytes().split(b"\n")[0] + b"\n" + torn)
    done = prune(ReplyCache(tmp_path), None, NOW, is_dry_run=False)
    assert (done.set_aside, done.kept_count) == (1, 1)
    assert [path.read_bytes() for path in (tmp_path / DAMAGED_FOLDER).iterdir()] == [torn]
    assert ReplyCache(tmp_path).damages == []


def test_a_kill_between_writing_and_removing_loses_and_doubles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = filled(tmp_path, "a") + filled(tmp_path, "b")

    def killed(segment: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(segments, "remove", killed)
    with pytest.raises(KeyboardInterrupt):
        prune(ReplyCache(tmp_path), None, NOW, is_dry_run=False)
    monkeypatch.undo()
    cache = ReplyCache(tmp_path)
    assert (set(cache.places()), cache.duplicate_count) == (set(keys), 2)
    prune(ReplyCache(tmp_path), None, NOW, is_dry_run=False)
    assert len(segments.segments_of(tmp_path)) == 1
    assert ReplyCache(tmp_path).duplicate_count == 0


def test_two_prunings_at_one_time_are_refused(tmp_path: Path) -> None:
    from filelock import FileLock

    filled(tmp_path, "a")
    with FileLock(tmp_path / ".prune.lock"), pytest.raises(LockedError):
        prune(ReplyCache(tmp_path), None, NOW, is_dry_run=False)


def test_pruning_stops_when_an_entry_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(tmp_path, "a", "b")
    before = segments.segments_of(tmp_path)
    monkeypatch.setattr(ReplyCache, "entry", lambda *_: None)
    with pytest.raises(InputError):
        prune(ReplyCache(tmp_path), None, NOW, is_dry_run=False)
    assert segments.segments_of(tmp_path) == before


def test_a_disk_that_takes_no_more_ends_the_line_and_keeps_the_segment_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    cache = ReplyCache(tmp_path)
    put(cache, "a")
    real = os.write
    calls = iter((20, None))

    def short(descriptor: int, data: bytes) -> int:
        size = next(calls)
        if size is None:
            raise OSError(28, "No space left on device")
        return real(descriptor, data[:size])

    monkeypatch.setattr(os, "write", short)
    with pytest.raises(OSError, match="No space"):
        put(cache, "b")
    monkeypatch.undo()
    put(cache, "c")
    cache.close()
    again = ReplyCache(tmp_path)
    assert (len(again), again.damages) == (2, [])
