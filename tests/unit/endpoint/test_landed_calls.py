"""Records of calls in the warehouse: landed under their contract, then the mart."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb

from ingest.endpoint.calls import CallContext, CallLog, call_rows, calls_folder
from ingest.endpoint.request import Target
from ingest.endpoint.settings import OutputMode
from ingest.endpoint.subject import SUBJECT_NAMES, CallSubject
from tests.support.openai_server import Fault
from tests.unit.endpoint.helpers import MODEL, Bench, request
from tests.unit.endpoint.test_reply_cache import URL
from warehouse import landing, manifests
from warehouse.build import run_build
from warehouse.contracts.core import JUDGE_CALLS
from warehouse.manifests import Manifest
from warehouse.paths import WarehousePaths


def test_calls_of_two_datasets_lie_apart_whatever_their_names_are() -> None:
    paths = WarehousePaths(Path("/w"))
    folders = {
        calls_folder(paths, CallContext("xslides", name)) for name in ("a/b", "a", "..", None)
    }
    assert len(folders) == 4
    assert {folder.resolve().parent for folder in folders} == {
        paths.root / "judge_calls" / "xslides"
    }


def test_a_line_that_is_no_call_is_a_reject_with_its_line(bench: Bench) -> None:
    bench.ask("a")
    log = bench.log()
    log._writer.append(b'{"status": "answered"}', durable=False)
    log._writer.append(b"[1]", durable=False)
    log.close()
    found = bench.calls()
    assert len(found.rows) == 1
    assert [(one.reject.line, one.reject.reason) for one in found.rejects] == [
        (1, "invalid_call"),
        (2, "not_an_object"),
    ]


def test_the_subject_of_a_request_stands_on_its_calls_and_on_its_cached_reply(
    bench: Bench,
) -> None:
    about = CallSubject("case_1", "outliner", "agnostic", None, "answerability")
    asked = request("a", subject=about)
    for _ in range(2):
        with bench.session() as session:
            session.ask(asked)
    rows = bench.calls().rows
    assert [row["is_cached"] for row in rows].count(True) == 1
    assert {tuple(row[name] for name in SUBJECT_NAMES) for row in rows} == {
        ("case_1", "outliner", "agnostic", None, "answerability")
    }


def test_a_record_without_a_subject_is_read_as_it_was(bench: Bench) -> None:
    bench.ask("a")
    (segment,) = (bench.root / "calls").glob("*.jsonl")
    record = json.loads(segment.read_text(encoding="utf-8"))
    older = {name: value for name, value in record.items() if name not in SUBJECT_NAMES}
    segment.write_text(json.dumps(older) + "\n", encoding="utf-8")
    found = bench.calls()
    assert not found.rejects
    assert [found.rows[0][name] for name in SUBJECT_NAMES] == [None] * 5


def test_every_attempt_is_a_row_of_the_mart(bench: Bench) -> None:
    bench.server.faults = {"a": [Fault("status", code=500)]}
    bench.ask("a", "b")
    bench.ask("a")
    paths = WarehousePaths(bench.root)
    rows = call_rows(bench.root / "calls", bench.root).rows
    landed = landing.write_table(paths, JUDGE_CALLS, rows)
    manifests.write(
        paths,
        Manifest(
            benchmark="xslides",
            unit="data/judge_calls",
            shard=manifests.WHOLE,
            dataset_id="data",
            source_root=str(bench.root),
            code_version="test",
            input_sha256="0" * 64,
            inputs=(),
            files=(landed,),
        ),
    )
    result = run_build(paths, select="+fct_judge_calls", with_unit_tests=False, threads=2)
    assert not result.findings
    with duckdb.connect(str(paths.build_file), read_only=True) as connection:
        counted = connection.execute(
            "select status, is_cached, count(*), sum(output_token_count), min(model_asked) "
            "from marts.fct_judge_calls group by 1, 2 order by 1, 2"
        ).fetchall()
    assert counted == [
        ("answered", False, 2, 8, MODEL),
        ("answered", True, 1, None, MODEL),
        ("unavailable", False, 1, None, MODEL),
    ]


def test_the_log_holds_no_text_of_request_or_reply(bench: Bench) -> None:
    bench.ask("a")
    (segment,) = (bench.root / "calls").glob("*.jsonl")
    content = segment.read_text(encoding="utf-8")
    assert "covered" not in content
    assert "You judge decks" not in content
    assert Target(URL, MODEL, OutputMode.AUTO).model in content
    assert request("a").prompt.sha256 in content


def test_two_sessions_write_two_segments(bench: Bench) -> None:
    bench.ask("a")
    bench.ask("b")
    assert len(list((bench.root / "calls").glob("*.jsonl"))) == 2
    assert isinstance(bench.log(), CallLog)
    assert len({row["call_id"] for row in bench.calls().rows}) == 2
