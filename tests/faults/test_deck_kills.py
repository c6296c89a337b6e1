"""A runner of decks that is stopped or killed: its commands end, nothing is lost or done twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ingest.xslides.decks import files as deck_files
from ingest.xslides.decks import rows as deck_rows
from ingest.xslides.decks.run_sheet import read_run_sheet
from ingest.xslides.decks.runner import RunnerOptions, run_decks
from ingest.xslides.decks.status import generation_folder, status_file, work_folder
from ingest.xslides.tree import ArtifactTree, DeckKey
from tests.support.deck_workshop import (
    RUN,
    SYSTEM,
    calls,
    generator,
    shop,
    small_tree,
    with_sheet,
)

pytestmark = pytest.mark.faults
SECONDS = 30.0
MAIN = "from podium.cli.main import main; main()"


@pytest.fixture
def tree(tmp_path: Path) -> ArtifactTree:
    made = small_tree(tmp_path, ("first", "second"))
    with_sheet(made, conditions=("agnostic",))
    return made


def start(tmp_path: Path, tree: ArtifactTree, what: str) -> subprocess.Popen[bytes]:
    """Start a runner that hangs in the second case."""
    env = {**os.environ, "CALLS": str(tmp_path / "calls"), "PIDS": str(tmp_path / "pids")}
    command = " ".join(f"'{part}'" for part in generator(tmp_path, *what.split()).argv)
    arguments = ("--run", RUN, "--system", SYSTEM, "--case", "second", "--command", command)
    return subprocess.Popen(
        [sys.executable, "-c", MAIN, *decks_run(tree), *arguments],
        env=env,
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )


def decks_run(tree: ArtifactTree) -> tuple[str, ...]:
    return ("xslides", "decks", "run", str(tree.root))


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, "the condition never came true"
        time.sleep(0.02)


def pids(tmp_path: Path) -> list[int]:
    path = tmp_path / "pids"
    wait_for(lambda: path.is_file() and len(path.read_text().split()) == 2)
    return [int(text) for text in path.read_text().split()]


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    if not Path("/proc/self/stat").is_file():
        return True
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    # A process that nobody has reaped yet has ended all the same.
    return state != "Z"


@pytest.mark.parametrize(
    ("number", "what"),
    [(signal.SIGKILL, "sleep"), (signal.SIGINT, "sleep"), (signal.SIGTERM, "sleep stubborn")],
)
def test_a_stopped_runner_ends_its_commands_and_the_next_one_goes_on(
    tmp_path: Path, tree: ArtifactTree, number: signal.Signals, what: str
) -> None:
    first = generator(tmp_path, "deck", "{case_label}")
    options = RunnerOptions(shop(tree, tmp_path))
    with_first = replace(options, rows=replace(options.rows, cases=frozenset({"first"})))
    assert run_decks(tree, RUN, {SYSTEM: first}, with_first).done == 1
    process = start(tmp_path, tree, what)
    started = pids(tmp_path)
    process.send_signal(number)
    code = process.wait(SECONDS)
    wait_for(lambda: not any(is_running(pid) for pid in started))
    key = DeckKey(SYSTEM, "agnostic", "agnostic", "second")
    if number is signal.SIGKILL:
        assert code == -signal.SIGKILL and not status_file(tree, RUN, key).exists()
    else:
        assert code == 130
        assert json.loads(status_file(tree, RUN, key).read_text())["status"] == "interrupted"
        batches = [json.loads(p.read_text()) for p in generation_folder(tree, RUN).glob("b*/*")]
        assert sorted(one["counts"]["interrupted"] for one in batches) == [0, 1]
    report = run_decks(tree, RUN, {SYSTEM: first}, options)
    assert (report.done, report.skipped, report.findings) == (1, 1, ())
    assert calls(tmp_path) == ["first.pptx", "second.pptx", "second.pptx"]
    assert list(work_folder(tree, RUN, key).iterdir()) == []


@pytest.mark.parametrize("what", ["sleep", "sleep stubborn"])
def test_the_whole_group_of_a_command_that_takes_too_long_is_ended(
    tmp_path: Path, tree: ArtifactTree, what: str
) -> None:
    adapter = replace(generator(tmp_path, *what.split()), timeout=1.0)
    options = RunnerOptions(shop(tree, tmp_path))
    options = replace(options, rows=replace(options.rows, cases=frozenset({"first"})))
    assert run_decks(tree, RUN, {SYSTEM: adapter}, options).failed == 1
    wait_for(lambda: not any(is_running(pid) for pid in pids(tmp_path)))


def test_what_a_command_leaves_running_is_ended(tmp_path: Path, tree: ArtifactTree) -> None:
    options = RunnerOptions(shop(tree, tmp_path))
    options = replace(options, rows=replace(options.rows, cases=frozenset({"first"})))
    report = run_decks(tree, RUN, {SYSTEM: generator(tmp_path, "leave")}, options)
    assert report.done == 1
    wait_for(lambda: not any(is_running(pid) for pid in pids(tmp_path)))


@pytest.mark.parametrize("before_move", [True, False])
def test_a_kill_between_judging_a_deck_and_recording_it_makes_no_deck_twice(
    tmp_path: Path, tree: ArtifactTree, monkeypatch: pytest.MonkeyPatch, before_move: bool
) -> None:
    real = deck_files.place

    def dies(staged: Path, target: Path) -> None:
        if not before_move:
            real(staged, target)
        raise KeyboardInterrupt

    (row, *_) = read_run_sheet(tree, RUN)[0]
    adapter = generator(tmp_path)
    workshop = shop(tree, tmp_path)
    monkeypatch.setattr(deck_files, "place", dies)
    with pytest.raises(KeyboardInterrupt):
        deck_rows.make_deck(workshop, deck_rows.DeckTask(row), adapter)
    monkeypatch.undo()
    record = deck_rows.make_deck(workshop, deck_rows.DeckTask(row), adapter)
    assert record.status is deck_rows.RowStatus.SKIPPED
    assert calls(tmp_path) == ["first.pptx"]
    assert tree.deck_keys(RUN) == [row.key]
    assert json.loads(status_file(tree, RUN, row.key).read_text())["status"] == "done"


def test_two_runners_of_one_row_do_not_both_make_it(tmp_path: Path, tree: ArtifactTree) -> None:
    (row, *_) = read_run_sheet(tree, RUN)[0]
    slow, workshop = generator(tmp_path, "sleep"), shop(tree, tmp_path)
    thread = threading.Thread(
        target=deck_rows.make_deck, args=(workshop, deck_rows.DeckTask(row), slow)
    )
    thread.start()
    try:
        pids(tmp_path)
        other = shop(tree, tmp_path)
        record = deck_rows.make_deck(other, deck_rows.DeckTask(row), generator(tmp_path))
        assert record.status is deck_rows.RowStatus.SKIPPED
        assert record.message == "another runner has this row"
    finally:
        workshop.stop.set()
        thread.join(SECONDS)
    assert calls(tmp_path) == ["first.pptx"]
