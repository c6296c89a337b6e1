"""A mineru-api server of one's own: one request a file, and no key."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.documents.document import DocumentStatus
from ingest.mineru.settings import Api
from tests.support.mineru_bench import MineruBench
from tests.support.mineru_server import VERSION, Fault, plain_markdown, serving


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[MineruBench]:
    with serving() as server:
        yield MineruBench(server, tmp_path, Api.OWN)


def test_the_markdown_is_the_text_and_the_version_stands_in_the_parser(bench: MineruBench) -> None:
    document = bench.read()
    assert document.visible_text == plain_markdown(bench.pdf.read_bytes())
    assert document.parser == f"mineru:own-{VERSION}:pipeline:ch"
    assert bench.read() == document
    assert bench.server.counts() == {"parse": 1}


def test_no_key_and_no_name_are_sent(bench: MineruBench) -> None:
    bench.read()
    (received,) = bench.server.received
    assert "authorization" not in received.headers
    assert b"secret-plan" not in received.body
    for field in (b'name="backend"\r\n\r\npipeline', b'name="return_md"\r\n\r\ntrue'):
        assert field in received.body


@pytest.mark.parametrize("code", [429, 500, 502, 503])
def test_a_busy_server_is_asked_again(code: int, bench: MineruBench) -> None:
    bench.server.faults["parse"] = [Fault("status", code)]
    assert bench.read().status is DocumentStatus.OK
    assert bench.server.counts() == {"parse": 2}


def test_a_file_that_kills_its_parse_is_a_failed_one(bench: MineruBench) -> None:
    told = json.dumps({"error": "Failed to process file"}).encode()
    bench.server.faults["parse"] = [Fault("status", 500, body=told)] * 9
    document = bench.read()
    assert "MinerU: failed" in document.failure and "Failed to process" in document.failure
    assert bench.server.counts() == {"parse": 3}


@pytest.mark.parametrize("code", [400, 409, 413, 422])
def test_a_refused_file_is_not_sent_again(code: int, bench: MineruBench) -> None:
    bench.server.faults["parse"] = [Fault("status", code, body=b'{"detail":"no"}')]
    assert f"HTTP {code}" in bench.read().failure
    assert bench.server.counts() == {"parse": 1}


def test_a_hanging_parse_is_left_in_time_and_not_begun_twice(bench: MineruBench) -> None:
    bench.server.faults["parse"] = [Fault("hang")]
    assert "timed_out" in bench.read(total_seconds=1.0).failure
    assert bench.server.counts() == {"parse": 1}


@pytest.mark.parametrize(
    "reply",
    [
        {},
        {"results": {}},
        {"results": {"a": {"md_content": "x"}, "b": {"md_content": "y"}}},
        {"results": {"a": {"md_content": 7}}},
        {"results": {"a": "x"}},
    ],
)
def test_results_that_are_not_those_of_one_file_give_no_text(
    reply: dict[str, object], bench: MineruBench
) -> None:
    bench.server.faults["parse"] = [Fault("body", 200, body=json.dumps(reply).encode())]
    document = bench.read()
    assert document.pages == () and document.failure


def test_pages_and_control_characters_of_the_text_are_plain(bench: MineruBench) -> None:
    bench.server.markdown = lambda _: "\ufeffone\r\ntwo\x0cthree\x1b[0m\ttab"
    assert bench.read().visible_text == "one\ntwo three [0m\ttab"


def test_a_version_that_is_no_version_is_left_out(bench: MineruBench) -> None:
    reply = {"version": "1/../x y", "results": {"a": {"md_content": "text"}}}
    bench.server.faults["parse"] = [Fault("body", 200, body=json.dumps(reply).encode())]
    assert bench.read().parser == "mineru:own:pipeline:ch"
