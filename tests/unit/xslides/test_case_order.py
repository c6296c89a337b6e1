"""The order of cases: drawn, stable, and what a stop in the middle leaves."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field

import pytest

from ingest.judge.interface import JudgeStoppedError
from ingest.judge.offline import OfflineJudge
from ingest.xslides.case_order import drawn, work_through

LABELS = [f"case_{number:03d}" for number in range(60)]


@dataclass
class Wide(OfflineJudge):
    """A judge that takes several requests at once."""

    max_in_flight: int = 4
    is_stopped: threading.Event = field(default_factory=threading.Event)

    def stop(self) -> None:
        self.is_stopped.set()


def test_a_seed_draws_one_order_whatever_the_order_of_the_items() -> None:
    order = drawn(LABELS, 7, str)
    assert sorted(order) == LABELS
    assert order != LABELS
    assert drawn(LABELS[::-1], 7, str) == order
    assert drawn(LABELS, 8, str) != order


def test_further_cases_leave_the_order_of_the_others_as_it_is() -> None:
    more = [*LABELS, *(f"late_{number}" for number in range(20))]
    kept = [label for label in drawn(more, 0, str) if label in LABELS]
    assert kept == drawn(LABELS, 0, str)


def test_every_case_is_early_equally_often() -> None:
    """Of 600 seeds, each of 60 cases is among the first six about 60 times."""
    early = Counter(label for seed in range(600) for label in drawn(LABELS, seed, str)[:6])
    assert min(early.values()) > 30
    assert max(early.values()) < 95


@pytest.mark.parametrize("width", [1, 4])
def test_a_stop_begins_nothing_more_and_is_told(width: int) -> None:
    begun: list[str] = []

    def work(label: str) -> None:
        begun.append(label)
        if len(begun) > 10:
            raise JudgeStoppedError("nothing more may be asked")

    reason = work_through(LABELS, work, Wide(width))
    assert "nothing more may be asked" in reason
    assert begun[:11] == LABELS[:11]
    assert len(begun) <= 10 + 2 * width


def test_as_many_cases_as_requests_are_under_way() -> None:
    meeting = threading.Barrier(4, timeout=10)
    done: list[str] = []

    def work(label: str) -> None:
        meeting.wait()
        done.append(label)

    assert work_through(LABELS[:8], work, Wide(4)) == ""
    assert sorted(done) == LABELS[:8]


def test_an_interrupt_stops_the_judge_and_is_not_swallowed() -> None:
    judge = Wide(2)

    def work(label: str) -> None:
        if label == LABELS[0]:
            raise KeyboardInterrupt
        assert judge.is_stopped.wait(10)

    with pytest.raises(KeyboardInterrupt):
        work_through(LABELS[:3], work, judge)
    assert judge.is_stopped.is_set()


def test_an_error_of_one_case_is_not_lost_behind_a_stop() -> None:
    both = threading.Barrier(2, timeout=10)

    def work(label: str) -> None:
        both.wait()
        if label == LABELS[1]:
            raise OSError("disk full")
        raise JudgeStoppedError("stopped")

    with pytest.raises(OSError, match="disk full"):
        work_through(LABELS[:2], work, Wide(2))
