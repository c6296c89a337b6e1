"""kill -9 at each step of a batch: the next command pays for nothing twice and loses nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ingest.endpoint import modes
from ingest.endpoint.batch_store import BatchStore, State, batches_folder
from ingest.endpoint.calls import call_rows, calls_folder
from ingest.xslides.audiences import read_audiences
from ingest.xslides.sources import prepare_sources
from ingest.xslides.stage import Settings
from ingest.xslides.tree import ArtifactTree
from tests.integration.test_endpoint_pipeline import MODEL, inputs
from tests.support import model_stand_in
from tests.support.batch_server import BatchServer, serving_batches
from tests.support.batched_banks import CONTEXT, make_banks
from tests.support.project import ROOT
from warehouse.paths import WarehousePaths

__all__ = ["inputs"]
pytestmark = pytest.mark.faults
SECONDS = 60.0
# Runs the batches of a command and ends itself the hard way at one point.
SCRIPT = """
import os, signal, sys
from pathlib import Path
from ingest.endpoint import batch_asker
from ingest.endpoint.batch_store import BatchStore
from ingest.endpoint.cache import ReplyCache
from ingest.endpoint.calls import CallLog
from tests.support.batched_banks import make_banks

point = sys.argv[1]
counts = {}

def wrapped(real, name):
    def call(self, *arguments):
        told = name(*arguments)
        counts[told] = counts.get(told, 0) + 1
        if point == f"before {told} {counts[told]}":
            os.kill(os.getpid(), signal.SIGKILL)
        result = real(self, *arguments)
        if point == f"after {told} {counts[told]}":
            os.kill(os.getpid(), signal.SIGKILL)
        return result
    return call

BatchStore.save = wrapped(BatchStore.save, lambda record: record.state.value)
ReplyCache.put = wrapped(ReplyCache.put, lambda *_: "reply")
CallLog.add = wrapped(CallLog.add, lambda *_: "call")
if point == "polling":
    async def sleep(_):
        os.kill(os.getpid(), signal.SIGKILL)
    batch_asker.asyncio.sleep = sleep
make_banks(Path(sys.argv[2]))
"""
# The points at which something was paid for and not yet written down come first.
ALL_POINTS = (
    "before created 1",
    "after created 1",
    "after uploaded 1",
    "before reply 5",
    "after call 3",
    "before written 1",
    "after written 1",
    "before uploaded 1",
    "before created 2",
    "before call 3",
    "after reply 5",
    "before taken 1",
    "after taken 1",
    "polling",
)
POINTS = ALL_POINTS[: int(os.environ.get("PODIUM_FAULT_POINTS", "5"))]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[BatchServer]:
    modes.forget()
    with serving_batches(model_stand_in.answer) as running:
        monkeypatch.setenv("PODIUM_JUDGE_BASE_URL", running.base_url)
        monkeypatch.setenv("PODIUM_JUDGE_MODEL", MODEL)
        monkeypatch.setenv("PODIUM_JUDGE_BACKOFF_SECONDS", "0.01")
        monkeypatch.setenv("PODIUM_JUDGE_BATCH_POLL_SECONDS", "0.01")
        running.script.looks = 1
        yield running


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return the banks of a run that nobody disturbed."""
    root = tmp_path_factory.mktemp("truth")
    cases = inputs.__wrapped__(root)  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch, serving_batches(model_stand_in.answer) as running:
        patch.setenv("PODIUM_JUDGE_BASE_URL", running.base_url)
        patch.setenv("PODIUM_JUDGE_MODEL", MODEL)
        patch.setenv("PODIUM_JUDGE_BATCH_POLL_SECONDS", "0.01")
        assert cases == root / "cases"
        return make_banks(root)


def start(*arguments: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, "the condition never came true"
        time.sleep(0.02)


def test_every_state_has_points_on_both_sides() -> None:
    stated = {one.split()[1] for one in ALL_POINTS if one.startswith(("before", "after"))}
    assert {state.value for state in State} - {State.LOST.value} <= stated


@pytest.mark.parametrize("point", POINTS)
def test_after_a_kill_nothing_is_paid_for_twice_and_nothing_is_lost(
    tmp_path: Path, inputs: Path, server: BatchServer, truth: dict[str, bytes], point: str
) -> None:
    assert start(SCRIPT, point, tmp_path).wait(SECONDS) == -signal.SIGKILL
    assert make_banks(tmp_path) == truth
    assert set(server.keys().values()) == {1} and not server.received
    paths = WarehousePaths(tmp_path / "w")
    rows = call_rows(calls_folder(paths, CONTEXT), paths.root).rows
    sent = [row["request_key"] for row in rows if row["attempt"]]
    assert len(sent) == len(set(sent)) == len(server.batched)
    assert not BatchStore(batches_folder(paths)).open_records()


def test_ctrl_c_leaves_the_batch_and_says_so_and_a_second_command_is_kept_out(
    tmp_path: Path, inputs: Path, server: BatchServer
) -> None:
    server.script.looks = 10_000_000
    tree = tmp_path / "tree"
    prepare_sources(ArtifactTree(tree), inputs, read_audiences(), Settings(code_version="test"))
    command = [
        *(sys.executable, "-c", "from podium.cli.main import main; main()", "xslides", "probes"),
        *(str(tree), "--warehouse", str(tmp_path / "w"), "--batch"),
    ]
    first = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: any("GET /v1/batches/" in one for one in server.seen))
    second = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert second.returncode == 2 and "another process" in second.stderr
    first.send_signal(signal.SIGINT)
    _, told = first.communicate(timeout=SECONDS)
    assert first.returncode == 130, told
    assert "stay at the provider" in told and "the same command goes on" in told
    assert len(server.batches) == 1
    server.script.looks = 0
    third = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert "going on with 1 batch of an earlier command" in third.stderr
    assert set(server.keys().values()) == {1}
