"""kill -9 and Ctrl-C of whole runs that ask an endpoint: paid once, lost nothing, same results."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ingest.endpoint.cache import ReplyCache, cache_folder
from ingest.xslides.tree import ArtifactTree
from podium.judging import JudgeChoice
from tests.integration.test_demo import podium
from tests.integration.test_endpoint_pipeline import run
from tests.integration.test_own_files import STUDY, write_pptx
from tests.support import model_stand_in
from tests.support.openai_server import OpenAIServer, serving
from tests.support.pipeline_job import Results, results
from warehouse.paths import WarehousePaths

POINTS = int(os.environ.get("PODIUM_FAULT_POINTS", "5"))
# Kills of one chain while it asks; each chain has one more while it lands and builds.
KILLS = 5
CHAINS = max(1, POINTS // 4)
CONCURRENCY = 4
LABELS = ("bridge", "tunnel", "dam")
COMMAND = [sys.executable, "-c", "from podium.cli.main import main; main()"]
pytestmark = pytest.mark.faults


@dataclass
class Study:
    """Raw documents and decks, a server, and the warehouse that a run fills."""

    root: Path
    server: OpenAIServer

    @property
    def warehouse(self) -> Path:
        return self.root / "warehouse"

    @property
    def tree(self) -> ArtifactTree:
        return ArtifactTree(WarehousePaths(self.warehouse).trees / "own")

    @property
    def arguments(self) -> list[str]:
        decks = ["--decks", str(self.root / "decks"), "--dataset", "own"]
        cases = str(self.root / "cases")
        return ["xslides", "run", cases, *decks, "--warehouse", str(self.warehouse)]

    def start(self, *more: str) -> subprocess.Popen[bytes]:
        """Start the command; what it says goes to `said`."""
        with (self.root / "said").open("wb") as said:
            return subprocess.Popen(
                [*COMMAND, *self.arguments, *more], stdout=subprocess.DEVNULL, stderr=said
            )

    def wait(self, process: subprocess.Popen[bytes], condition: Callable[[], bool]) -> None:
        """Wait for something that must come true while the command runs."""
        until = time.monotonic() + 120
        while not condition():
            assert process.poll() is None, (self.root / "said").read_text()
            assert time.monotonic() < until, "it never came true"
            time.sleep(0.002)

    def kept(self) -> int:
        """Return how many replies are kept, once the server holds no request any more."""
        while self.server.in_flight:
            time.sleep(0.01)
        cache = ReplyCache(cache_folder(WarehousePaths(self.warehouse)))
        assert cache.duplicate_count == 0
        assert {one.reason for one in cache.damages} <= {"torn_line"}
        return len(cache)

    def lost(self) -> int:
        """Return how many requests reached the server without a reply that is kept."""
        kept = self.kept()
        return len(self.server.received) - kept


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Study]:
    (tmp_path / "cases").mkdir()
    for label in LABELS:
        (tmp_path / "cases" / f"{label}.md").write_text(STUDY.replace("Ferrol", label.title()))
        lines = ["14 events above 60% of the design load", "Repair costs fell by 21%"]
        write_pptx(tmp_path / "decks" / "acme" / f"{label}.pptx", lines)
    with serving(model_stand_in.answer) as server:
        server.delay = 0.05
        monkeypatch.setenv("PODIUM_JUDGE_BASE_URL", server.base_url)
        monkeypatch.setenv("PODIUM_JUDGE_MODEL", "stand-in-1")
        monkeypatch.setenv("PODIUM_JUDGE_CONCURRENCY", str(CONCURRENCY))
        yield Study(tmp_path, server)


@pytest.fixture
def whole(study: Study) -> tuple[Results, int]:
    """Return what an undisturbed run leaves, and how many requests it takes."""
    tree = run(study.root, study.root / "cases", "whole", JudgeChoice("endpoint"))
    count = len(study.server.received)
    study.server.received.clear()
    return results(tree), count


@pytest.mark.parametrize("chain", range(CHAINS))
def test_a_run_that_is_killed_again_and_again_pays_once_and_ends_the_same(
    chain: int, study: Study, whole: tuple[Results, int]
) -> None:
    expected, count = whole
    draw = random.Random(chain)
    lost = 0
    for number in range(KILLS):
        # Every other run has a limit that it does not live to reach.
        limit = ("--max-requests", str(count)) if number % 2 else ()
        process = study.start(*limit)
        goal = len(study.server.received) + draw.randint(1, count // (KILLS + 2))
        study.wait(process, lambda goal=goal: len(study.server.received) >= goal)  # type: ignore[misc]
        process.kill()
        assert process.wait(timeout=60) == -signal.SIGKILL
        now_lost = study.lost()
        assert 0 <= now_lost - lost <= CONCURRENCY
        lost = now_lost
    # A run that its limit has stopped is killed while it lands and builds what there is.
    process = study.start("--max-requests", str((count - study.kept()) // 2))
    study.wait(process, lambda: b"stopped: " in (study.root / "said").read_bytes())
    time.sleep(draw.uniform(0, 3))
    process.kill()
    assert process.wait(timeout=60) == -signal.SIGKILL
    assert study.lost() == lost
    done = podium(*study.arguments)
    assert done.returncode == 0, done.stderr
    assert (study.kept(), study.lost()) == (count, lost)
    assert results(study.tree) == expected
    assert_calls_are_landed(study, count)


def assert_calls_are_landed(study: Study, count: int) -> None:
    counted = podium(
        "query",
        "select count(distinct request_key) as requests, count(*) as calls from fct_judge_calls "
        "where status = 'answered' and not is_cached",
        "--json",
        "--warehouse",
        str(study.warehouse),
    )
    ((requests, calls),) = [(one["requests"], one["calls"]) for one in json.loads(counted.stdout)]
    assert requests == count <= calls <= len(study.server.received)


def test_ctrl_c_ends_with_130_asks_nothing_more_and_keeps_what_was_answered(
    study: Study, whole: tuple[Results, int]
) -> None:
    expected, count = whole
    process = study.start()
    study.wait(process, lambda: len(study.server.received) >= count // 2)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 130
    said = (study.root / "said").read_text()
    assert "Traceback" not in said
    lost = study.lost()
    assert lost <= CONCURRENCY
    asked = len(study.server.received)
    assert asked < count
    tree = run(study.root, study.root / "cases", "warehouse", JudgeChoice("endpoint"))
    assert len(study.server.received) == count + lost
    assert results(tree) == expected
