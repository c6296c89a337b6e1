"""Batches on disk: what a file holds, what stays of a batch, who may go on with it."""

from __future__ import annotations

import json

import pytest

from ingest.endpoint import batch_files
from ingest.endpoint.batch_errors import BatchError, BatchPendingError
from ingest.endpoint.batch_files import FileLimits
from ingest.endpoint.batch_store import INPUT_FILE, BatchStore, State
from tests.unit.endpoint.batch_helpers import BatchBench
from tests.unit.endpoint.helpers import KEY
from warehouse.errors import InputError, LockedError


def test_a_provider_that_never_answers_leaves_the_batch_for_later(batch: BatchBench) -> None:
    batch.server.script.http = [("GET /v1/batches/", 503)] * 3
    with pytest.raises(BatchPendingError) as caught:
        batch.complete("one")
    assert caught.value.exit_code == 4
    assert [one.state for one in batch.store.records()] == [State.CREATED]
    batch.resume()
    assert batch.kept() == {"one"} and len(batch.server.batches) == 1


def test_waiting_has_an_end_and_the_next_command_goes_on(batch: BatchBench) -> None:
    batch.server.script.looks = 10_000
    with pytest.raises(BatchPendingError, match="BATCH_TOTAL_SECONDS"):
        batch.asker(batch_total_seconds=0.05).complete(batch.write("one"), lambda *_: None)
    batch.server.script.looks = 0
    batch.resume()
    assert batch.kept() == {"one"} and len(batch.server.batches) == 1


def test_a_batch_of_another_account_is_not_taken_for_lost(batch: BatchBench) -> None:
    batch.server.script.looks = 10_000
    with pytest.raises(BatchPendingError):
        batch.asker(batch_total_seconds=0.01).complete(batch.write("one"), lambda *_: None)
    hidden = batch.server.batches.pop("batch-1")
    with pytest.raises(BatchError, match="for the key that it was made with"):
        batch.resume()
    batch.server.batches["batch-1"] = hidden
    batch.server.script.looks = 0
    batch.resume()
    assert batch.kept() == {"one"}


def test_files_end_at_their_limits_and_a_larger_line_has_one_of_its_own(
    batch: BatchBench,
) -> None:
    by_count = batch.write("a", "b", "c", limits=FileLimits(lines=2))
    assert [one.request_count for one in by_count] == [2, 1]
    size = (batch.store.folder_of(by_count[1].local_id) / INPUT_FILE).stat().st_size
    by_size = batch.write("a", "b", "c", limits=FileLimits(bytes=2 * size))
    assert [one.request_count for one in by_size] == [2, 1]
    alone = batch.write("a", "b", limits=FileLimits(bytes=10))
    assert [one.request_count for one in alone] == [1, 1]
    assert (batch_files.MOST_LINES, batch_files.MOST_BYTES) == (50_000, 100_000_000)


def test_the_same_requests_make_the_same_file(batch: BatchBench) -> None:
    (first,), (second,) = batch.write("a", "b"), batch.write("a", "b")
    contents = [
        (batch.store.folder_of(one.local_id) / INPUT_FILE).read_bytes() for one in (first, second)
    ]
    assert contents[0] == contents[1]


def test_two_batches_are_sent_and_both_are_taken(batch: BatchBench) -> None:
    batch.complete("a", "b", "c", limits=FileLimits(lines=2))
    assert batch.kept() == {"a", "b", "c"} and len(batch.server.batches) == 2


def test_no_file_of_the_warehouse_holds_the_key(batch: BatchBench) -> None:
    batch.server.script.echo = KEY
    batch.server.script.fault_of = lambda name, _: "expired" if name == "late" else ""
    batch.server.script.looks = 10_000
    with pytest.raises(BatchPendingError):
        batch.asker(batch_total_seconds=0.01).complete(batch.write("a", "late"), lambda *_: None)
    files = [one for one in batch.paths.root.rglob("*") if one.is_file()]
    assert {"batch.json", "input.jsonl", "requests.jsonl"} <= {one.name for one in files}
    batch.server.script.looks = 0
    batch.resume()
    files += [one for one in batch.paths.root.rglob("*") if one.is_file()]
    assert not any(KEY.encode() in one.read_bytes() for one in files if one.exists())
    assert not any(KEY in line for line in batch.said)


def test_a_second_process_is_kept_out(batch: BatchBench) -> None:
    with (
        batch.store.locked(),
        pytest.raises(LockedError, match="another process"),
        BatchStore(batch.store.folder).locked(),
    ):
        pass


def test_what_was_written_and_never_sent_is_dropped(batch: BatchBench) -> None:
    batch.write("one")
    (batch.store.begin()[1] / INPUT_FILE).write_text("torn")
    batch.resume()
    assert batch.store.records() == [] and not batch.server.seen


def test_batches_of_another_address_are_left_alone(batch: BatchBench) -> None:
    (record,) = batch.write("one")
    folder = batch.store.folder_of(record.local_id)
    told = json.loads((folder / "batch.json").read_text())
    told |= {"base_url": "http://elsewhere/v1", "state": "created", "batch_id": "b"}
    (folder / "batch.json").write_text(json.dumps(told))
    batch.resume()
    assert batch.said == ["1 batch of other endpoints: left as they are"]
    assert not batch.server.seen and folder.is_dir()


@pytest.mark.parametrize("damage", ["", "{", '{"state": "created"}', "[]"])
def test_a_record_that_cannot_be_read_is_never_passed_over(batch: BatchBench, damage: str) -> None:
    (record,) = batch.write("one")
    (batch.store.folder_of(record.local_id) / "batch.json").write_text(damage)
    with pytest.raises(InputError, match="paid for"):
        batch.resume()
