"""The hosted API: what is sent, what is taken, and that nothing is paid for twice."""

from __future__ import annotations

import io
import json
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.documents.document import DocumentStatus
from ingest.mineru import reader as reader_module
from ingest.mineru.settings import Api
from tests.support.mineru_bench import MineruBench, write_pdf
from tests.support.mineru_server import KEY, Fault, plain_markdown, result_zip, serving

BUSY = json.dumps({"code": -60009, "msg": "queue is full"}).encode()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[MineruBench]:
    with serving() as server:
        yield MineruBench(server, tmp_path, Api.HOSTED)


def test_the_markdown_is_the_text_of_a_pdf(bench: MineruBench) -> None:
    document = bench.read()
    assert document.status is DocumentStatus.OK
    assert [page.text for page in document.pages] == [plain_markdown(bench.pdf.read_bytes())]
    assert document.parser_fingerprint.startswith("mineru:hosted:pipeline:ch/1/")
    assert bench.server.counts() == {"batch": 1, "upload": 1, "poll": 2, "result": 1}


def test_neither_name_nor_key_leaves_but_the_key_to_the_api(bench: MineruBench) -> None:
    bench.read()
    for one in bench.server.received:
        is_api = one.what in ("batch", "poll")
        assert (one.headers.get("authorization") == f"Bearer {KEY}") is is_api
        assert "secret-plan" not in repr(one)


def test_a_second_run_sends_nothing_and_needs_no_key(bench: MineruBench) -> None:
    first = bench.read()
    before = bench.server.counts()
    settings = bench.settings()
    offline = reader_module.MineruReader(bench.cache, (settings.options,), None)
    assert offline(bench.pdf) == first
    assert bench.read() == first
    assert bench.server.counts() == before


def test_one_file_in_two_places_is_handed_in_once(bench: MineruBench, tmp_path: Path) -> None:
    reader = bench.reader()
    reader(bench.pdf)
    copy = tmp_path / "copy.pdf"
    copy.write_bytes(bench.pdf.read_bytes())
    assert reader(copy).pages == reader(bench.pdf).pages
    assert bench.server.counts()["upload"] == 1
    assert reader.take_counts() == {"parsed": 1, "kept": 0, "failed": 0}


def test_files_read_ahead_are_parsed_together_and_sent_once(
    bench: MineruBench, tmp_path: Path
) -> None:
    paths = [write_pdf(tmp_path / f"{number}.pdf", f"file {number}") for number in range(6)]
    copy = tmp_path / "copy.pdf"
    copy.write_bytes(paths[0].read_bytes())
    note = tmp_path / "note.md"
    note.write_text("a note")
    together = threading.Barrier(3)

    def markdown(data: bytes) -> str:
        together.wait(5)
        return plain_markdown(data)

    bench.server.markdown = markdown
    reader = bench.reader(in_flight=3)
    reader.read_ahead([copy, *paths, note])
    assert bench.server.counts()["upload"] == 6
    assert all(reader(path).status is DocumentStatus.OK for path in [*paths, copy])
    assert bench.server.counts()["upload"] == 6
    assert reader.take_counts() == {"parsed": 6, "kept": 0, "failed": 0}


def test_a_file_that_failed_ahead_is_told_when_it_is_read(
    bench: MineruBench, tmp_path: Path
) -> None:
    bench.server.faults["poll"] = [Fault("state", body=b"failed")]
    other = write_pdf(tmp_path / "other.pdf", "other")
    reader = bench.reader(in_flight=2)
    reader.read_ahead([bench.pdf, other])
    documents = [reader(bench.pdf), reader(other)]
    assert sorted(bool(one.failure) for one in documents) == [False, True]
    assert bench.server.counts()["upload"] == 2


def test_what_is_no_pdf_stays_here(bench: MineruBench, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A note\n\nwith text")
    (tmp_path / "b.pdf").write_bytes(b"no pdf at all")
    reader = bench.reader()
    assert "with text" in reader(tmp_path / "a.md").visible_text
    assert reader(tmp_path / "b.pdf").status is DocumentStatus.DAMAGED
    assert reader(tmp_path / "none.pdf").status is DocumentStatus.MISSING
    assert not bench.server.counts()


@pytest.mark.parametrize("what", ["batch", "upload", "poll", "result"])
@pytest.mark.parametrize(
    "fault",
    [
        Fault("status", 429),
        Fault("status", 429, {"Retry-After": "0"}),
        Fault("status", 500),
        Fault("status", 503, {"Retry-After": "0"}),
        Fault("close"),
    ],
    ids=lambda fault: f"{fault.kind}-{fault.code}-{len(fault.headers)}",
)
def test_a_busy_or_broken_server_is_asked_again(
    what: str, fault: Fault, bench: MineruBench
) -> None:
    bench.server.faults[what] = [fault, fault]
    assert bench.read().status is DocumentStatus.OK
    assert bench.server.counts()["batch"] == (3 if what == "batch" else 1)


def test_a_full_queue_told_in_a_body_is_asked_again(bench: MineruBench) -> None:
    bench.server.faults["batch"] = [Fault("body", 200, body=BUSY)]
    assert bench.read().status is DocumentStatus.OK
    assert bench.server.counts()["batch"] == 2


def test_a_wait_longer_than_the_time_left_is_not_begun(bench: MineruBench) -> None:
    bench.server.faults["batch"] = [Fault("status", 429, {"Retry-After": "3600"})]
    assert "rate_limited" in bench.read().failure
    assert bench.server.counts() == {"batch": 1}


@pytest.mark.parametrize("what", ["batch", "upload", "poll", "result"])
def test_a_server_that_hangs_is_left_in_time(what: str, bench: MineruBench) -> None:
    bench.server.faults[what] = [Fault("hang")]
    document = bench.read(attempt_seconds=0.2, transfer_seconds=0.2, max_attempts=1)
    assert "timed_out" in document.failure


def test_all_attempts_together_are_bounded(bench: MineruBench) -> None:
    bench.server.faults["poll"] = [Fault("hang")] * 5
    assert "timed_out" in bench.read(total_seconds=1.0).failure
    assert bench.server.counts()["poll"] == 1


def test_a_batch_that_never_ends_is_gone_on_with_by_the_next_run(bench: MineruBench) -> None:
    bench.server.running_polls = 10**6
    assert "`running`" in bench.read(total_seconds=1.0).failure
    bench.server.running_polls = 0
    assert bench.read().status is DocumentStatus.OK
    assert bench.server.counts()["upload"] == 1


def test_a_poll_that_hangs_does_not_make_the_next_run_pay_twice(bench: MineruBench) -> None:
    bench.server.faults["poll"] = [Fault("hang")]
    assert "goes on waiting" in bench.read(total_seconds=1.0).failure
    assert bench.read().status is DocumentStatus.OK
    assert bench.server.counts()["upload"] == 1


def test_a_batch_that_failed_meanwhile_is_told_and_not_paid_again(bench: MineruBench) -> None:
    bench.read_until_uploaded()
    bench.server.faults["poll"] = [Fault("state", body=b"failed")]
    assert "MinerU: failed" in bench.read().failure
    assert bench.server.counts()["upload"] == 1


def test_an_upload_that_the_api_has_not_noticed_yet_is_waited_for(bench: MineruBench) -> None:
    bench.read_until_uploaded()
    bench.server.faults["poll"] = [Fault("state", body=b"waiting-file")] * 2
    assert bench.read().status is DocumentStatus.OK
    assert bench.server.counts()["upload"] == 1


def test_an_upload_that_went_astray_is_made_again(bench: MineruBench) -> None:
    bench.server.faults["poll"] = [Fault("state", body=b"waiting-file")] * 999
    assert "`waiting-file`" in bench.read(total_seconds=1.0).failure
    bench.server.faults.clear()
    assert bench.read().status is DocumentStatus.OK
    assert bench.server.counts()["upload"] == 2


def test_a_kill_before_the_upload_hands_in_anew(bench: MineruBench) -> None:
    bench.server.faults["upload"] = [Fault("status", 500)]
    assert "unavailable" in bench.read(max_attempts=1).failure
    assert bench.read().status is DocumentStatus.OK
    assert bench.server.counts() == {"batch": 2, "upload": 2, "poll": 3, "result": 1}


def test_a_batch_that_the_api_forgot_is_handed_in_anew(bench: MineruBench) -> None:
    bench.server.faults["result"] = [Fault("status", 500)]
    bench.read(max_attempts=1)
    bench.server.batches.clear()
    assert bench.read().status is DocumentStatus.OK
    assert bench.server.counts()["upload"] == 2


def test_a_failed_parse_is_told_without_steering_characters(bench: MineruBench) -> None:
    bench.server.faults["poll"] = [Fault("state", body=b"failed")]
    document = bench.read()
    assert (document.status.is_readable, document.pages) == (False, ())
    assert document.failure == "MinerU: failed: MinerU says: the stand-in [31m cannot read it"
    assert not list((bench.folder / "cache").glob("*"))


def test_a_refused_key_stops_and_is_not_shown(bench: MineruBench, tmp_path: Path) -> None:
    echo = json.dumps({"success": False, "msgCode": "A0202", "msg": f"no key {KEY}"}).encode()
    bench.server.faults["batch"] = [Fault("body", 200, body=echo)]
    reader = bench.reader()
    first = reader(bench.pdf)
    second = reader(write_pdf(tmp_path / "other.pdf", "other"))
    assert "refused" in first.failure and "MINERU_API_KEY" in first.failure
    assert second.failure == first.failure
    assert bench.server.counts() == {"batch": 1}
    assert KEY not in repr((first, second, reader, bench.settings()))


@pytest.mark.parametrize("code", [401, 403])
def test_a_status_that_refuses_the_key_stops_at_once(code: int, bench: MineruBench) -> None:
    bench.server.faults["batch"] = [Fault("status", code)]
    assert "refused" in bench.read().failure
    assert bench.server.counts() == {"batch": 1}


def test_a_used_up_quota_stops_at_once(bench: MineruBench, tmp_path: Path) -> None:
    quota = json.dumps({"code": -60018, "msg": "daily limit"}).encode()
    bench.server.faults["batch"] = [Fault("body", 200, body=quota)]
    reader = bench.reader()
    assert "quota_used_up" in reader(bench.pdf).failure
    assert "quota_used_up" in reader(write_pdf(tmp_path / "other.pdf", "other")).failure
    assert bench.server.counts() == {"batch": 1}


def test_a_server_that_fails_three_files_is_not_asked_for_a_fourth(
    bench: MineruBench, tmp_path: Path
) -> None:
    bench.server.faults["batch"] = [Fault("status", 503)] * 9
    reader = bench.reader(max_attempts=1)
    for number in range(5):
        assert "unavailable" in reader(write_pdf(tmp_path / f"{number}.pdf", str(number))).failure
    assert bench.server.counts() == {"batch": 3}


def _twice() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a/full.md", "one")
        archive.writestr("b/full.md", "another")
    return packed.getvalue()


def _bomb() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("full.md", b" " * (17 * 1024 * 1024))
    return packed.getvalue()


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        (result_zip("text")[:60], "invalid_reply"),
        (result_zip("text", "other.md"), "invalid_reply"),
        (_twice(), "invalid_reply"),
        (_bomb(), "too_large"),
        (b"<html>sign in</html>", "invalid_reply"),
        (b"", "invalid_reply"),
    ],
    ids=["torn", "without full.md", "two of them", "bomb", "a page", "empty"],
)
def test_a_bad_result_gives_no_text_and_the_next_run_starts_anew(
    result: bytes, outcome: str, bench: MineruBench
) -> None:
    bench.server.result = result
    document = bench.read()
    assert (document.pages, outcome in document.failure) == ((), True), document.failure
    bench.server.result = None
    assert bench.read().status is DocumentStatus.OK
    assert bench.server.counts()["upload"] == 2


def test_a_torn_download_is_made_again(bench: MineruBench) -> None:
    bench.server.faults["result"] = [Fault("body", 200, body=result_zip("text")[:60])]
    assert bench.read().status is DocumentStatus.OK
    assert bench.server.counts()["upload"] == 1


def test_names_that_lead_out_of_the_zip_write_nothing(bench: MineruBench) -> None:
    bench.server.result = result_zip("# From above", "../../full.md")
    assert bench.read().visible_text == "# From above"
    written = {path.name for path in bench.folder.rglob("*") if path.is_file()}
    assert {name for name in written if not name.endswith(".json")} == {bench.pdf.name}


def test_empty_text_is_told_and_not_kept(bench: MineruBench) -> None:
    bench.server.result = result_zip(" \n")
    assert "empty" in bench.read().failure
    assert not list((bench.folder / "cache").glob("*.json"))


@pytest.mark.parametrize("what", ["batch", "poll"])
@pytest.mark.parametrize(
    "body",
    [b"{", b"[]", b"\xff", b"<html>", b'{"code":0}', b'{"code":0,"data":{"batch_id":"../x"}}'],
)
def test_a_reply_that_is_none_is_told(what: str, body: bytes, bench: MineruBench) -> None:
    bench.server.faults[what] = [Fault("body", 200, body=body, content_type="text/html")]
    assert "invalid_reply" in bench.read().failure


@pytest.mark.parametrize("what", ["batch", "upload", "poll", "result"])
def test_redirects_are_not_followed(what: str, bench: MineruBench) -> None:
    away = {"Location": f"{bench.server.url}/elsewhere"}
    bench.server.faults[what] = [Fault("status", 302, away)]
    assert "redirects are not followed" in bench.read().failure
    assert bench.server.counts()["elsewhere"] == 0


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "http://localhost:9/x",
        "http://169.254.169.254/latest",
        "https://127.0.0.2/x",
        "https://10.0.0.1/x",
        "https://user@example.com/x",
        "ftp://example.com/x",
        "//example.com/x",
        "",
    ],
)
def test_addresses_in_replies_are_followed_to_public_hosts_only(
    url: str, bench: MineruBench
) -> None:
    bench.server.upload_url = url or "nowhere"
    assert "not one to follow" in bench.read().failure
    assert bench.server.counts() == {"batch": 1}
    bench.server.upload_url, bench.server.result_url = None, url or "nowhere"
    assert "not one to follow" in bench.read().failure
    assert bench.server.counts()["result"] == 0


def test_a_file_beyond_the_limit_of_the_api_is_not_sent(
    bench: MineruBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.mineru.hosted.HOSTED_FILE_BYTES", 100)
    assert "too_large" in bench.read().failure
    assert not bench.server.counts()


def test_a_body_that_was_compressed_unasked_is_not_inflated(bench: MineruBench) -> None:
    packed = {"Content-Encoding": "gzip"}
    bench.server.faults["result"] = [Fault("body", 200, packed, result_zip("text"))]
    assert "compressed unasked" in bench.read().failure


def test_an_answer_without_end_is_cut(bench: MineruBench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.mineru.hosted.RESULT_BYTES", 100)
    assert "too_large" in bench.read().failure
