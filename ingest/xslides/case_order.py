"""The order in which cases are worked on: drawn, so that whatever is done first is a sample.

A run that a budget stops has whole cases and cases that it never saw. In the order of their
labels, or system by system, the whole ones would say nothing about the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

from ingest.judge.interface import Judge, JudgeStoppedError
from warehouse import storage

T = TypeVar("T")


def drawn(items: Sequence[T], seed: int, label_of: Callable[[T], str]) -> list[T]:
    """Return items in the order that a seed draws.

    An item's place comes of its own hash, so that further cases push themselves in between and
    leave the order of the others as it is.
    """
    return sorted(items, key=lambda item: (_rank(label_of(item), seed), label_of(item)))


def work_through(items: Sequence[T], work: Callable[[T], None], judge: Judge) -> str:
    """Work on items, the first first, and return why the judge stopped, blank when it did not.

    As many items are under way as the judge takes requests, so that it never waits for one
    item's last answer; a judge of one request at a time is asked from this thread alone. An
    item is one worker's: what `work` writes for it needs no lock.

    Args:
        items: in the order in which they are begun.
        work: does one item; `JudgeStoppedError` ends it and begins no further one.
        judge: who is asked.
    """
    if judge.max_in_flight <= 1 or len(items) <= 1:
        for item in items:
            try:
                work(item)
            except JudgeStoppedError as stopped:
                return stopped.render()
        return ""
    return _together(items, work, judge)


def _together(items: Sequence[T], work: Callable[[T], None], judge: Judge) -> str:
    reasons: list[str] = []

    def begin(item: T) -> None:
        if reasons:
            return
        try:
            work(item)
        except JudgeStoppedError as stopped:
            reasons.append(stopped.render())

    with ThreadPoolExecutor(min(judge.max_in_flight, len(items)), "podium-case") as pool:
        running = [pool.submit(begin, item) for item in items]
        try:
            for one in as_completed(running):
                one.result()
        except BaseException:
            # Ctrl-C or a full disk: what is under way must not go on paying.
            judge.stop()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return reasons[0] if reasons else ""


def _rank(label: str, seed: int) -> str:
    return storage.sha256_bytes(f"{seed}\n{label}".encode("utf-8", "surrogatepass"))
