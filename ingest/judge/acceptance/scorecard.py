"""The scorecard of a judge: rates by kind with Wilson intervals, held against the bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from ingest.judge.acceptance.items import CONFIRMATION, KINDS, PARTS
from ingest.judge.exchange import Task
from ingest.judge.interface import Judge

if TYPE_CHECKING:
    # It imports the writers of decks, which take a second.
    from ingest.judge.acceptance.judging import Outcome

# Least share of right verdicts; kinds without a bar are reported only.
BARS = {
    "verbatim": 0.95,
    "near_verbatim": 0.95,
    "planted_gap": 0.95,
    "swapped_number": 0.95,
    "negation": 0.90,
}
# Most questions that a judge may leave undecided.
ABSTAIN_BAR = 0.15
ALL_QUESTIONS = "all questions"
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Line:
    """One line of a scorecard.

    Attributes:
        part: one of `items.PARTS`.
        kind: one of `items.KINDS`, or `all questions`.
        n: items.
        correct: items judged right.
        abstained: items left undecided.
        bar: least rate, most abstentions for `all questions`; None when only reported.
    """

    part: str
    kind: str
    n: int
    correct: int
    abstained: int
    bar: float | None

    @property
    def rate(self) -> float:
        """Return the share of right verdicts."""
        return self.correct / self.n

    @property
    def abstain_rate(self) -> float:
        """Return the share of items left undecided."""
        return self.abstained / self.n

    @property
    def interval(self) -> tuple[float, float]:
        """Return the Wilson 95 % interval of the rate."""
        return wilson_interval(self.correct, self.n)

    @property
    def is_met(self) -> bool | None:
        """Return whether the bar is reached; None without one."""
        if self.bar is None:
            return None
        if self.kind == ALL_QUESTIONS:
            return self.abstain_rate <= self.bar
        return self.rate >= self.bar

    def as_record(self) -> dict[str, Any]:
        """Return the line as JSON-serialisable fields."""
        low, high = self.interval
        return {
            "part": self.part,
            "kind": self.kind,
            "n": self.n,
            "correct": self.correct,
            "rate": self.rate,
            "low": low,
            "high": high,
            "abstained": self.abstained,
            "abstain_rate": self.abstain_rate,
            "bar": self.bar,
            "bar_is_on": "abstain_rate" if self.kind == ALL_QUESTIONS else "rate",
            "is_met": self.is_met,
        }


@dataclass(frozen=True)
class Scorecard:
    """What the acceptance kit says of one judge; `judges` names who did which task."""

    judge_id: str
    judge_kind: str
    model: str
    judges: dict[str, str]
    prompt_sha256: dict[str, str]
    lines: tuple[Line, ...]
    wrong: tuple[Outcome, ...]

    @property
    def is_accepted(self) -> bool:
        """Return whether no bar is missed."""
        return all(line.is_met is not False for line in self.lines)

    def as_record(self) -> dict[str, Any]:
        """Return the scorecard as JSON-serialisable fields."""
        return {
            "judge": {
                "id": self.judge_id,
                "kind": self.judge_kind,
                "model": self.model,
                "by_task": self.judges,
                "prompt_sha256": self.prompt_sha256,
            },
            "is_accepted": self.is_accepted,
            "lines": [line.as_record() for line in self.lines],
            "wrong": [
                {
                    "item_id": one.item_id,
                    "part": one.part,
                    "kind": one.kind,
                    "expected": one.expected,
                    "got": one.got,
                }
                for one in self.wrong
            ],
        }


def scorecard_of(judge: Judge, outcomes: Sequence[Outcome]) -> Scorecard:
    """Return the scorecard of a judge.

    The confirmation part is too small to be held to bars of 95 %; it is reported only.
    """
    lines = []
    for part in PARTS:
        has_bars = part != CONFIRMATION
        of_part = [one for one in outcomes if one.part == part]
        for kind in KINDS:
            members = [one for one in of_part if one.kind == kind]
            if members:
                lines.append(_line(part, kind, members, BARS.get(kind) if has_bars else None))
        questions = [one for one in of_part if one.kind != "claims"]
        if questions:
            lines.append(_line(part, ALL_QUESTIONS, questions, ABSTAIN_BAR if has_bars else None))
    return Scorecard(
        judge_id=judge.id_of(Task.VERIFICATION),
        judge_kind=judge.judge_kind,
        model=judge.id_of(Task.VERIFICATION),
        judges={task.value: judge.id_of(task) for task in (Task.ANSWERABILITY, Task.VERIFICATION)},
        prompt_sha256={
            task.value: judge.prompt_sha256(task)
            for task in (Task.ANSWERABILITY, Task.VERIFICATION)
        },
        lines=tuple(lines),
        wrong=tuple(one for one in outcomes if not one.is_correct),
    )


def wilson_interval(
    correct: int, total: int, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Return the Wilson score interval of a share; (0, 1) when nothing was counted.

    Args:
        correct: successes, 0 to `total`.
        total: trials.
        confidence: two-sided confidence, between 0 and 1.
    """
    if not total:
        return 0.0, 1.0
    score = NormalDist().inv_cdf((1 + confidence) / 2)
    share = correct / total
    weight = score**2 / total
    middle = (share + weight / 2) / (1 + weight)
    half = score * sqrt(share * (1 - share) / total + weight / (4 * total)) / (1 + weight)
    return max(0.0, middle - half), min(1.0, middle + half)


def _line(part: str, kind: str, members: Sequence[Outcome], bar: float | None) -> Line:
    return Line(
        part=part,
        kind=kind,
        n=len(members),
        correct=sum(one.is_correct for one in members),
        abstained=sum(one.is_abstention for one in members),
        bar=bar,
    )
