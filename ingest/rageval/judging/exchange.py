"""What is judged, and what a judge says of it: the same for rules and for models."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

FASTRAGEVAL, CONSISTENCY = "fastrageval", "consistency"
METRICS = (FASTRAGEVAL, CONSISTENCY)
SCORED, NULL, MISSING, INVALID, ABSTAINED = "scored", "null", "missing", "invalid", "abstained"
REFERENCE, RESPONSE, SOURCE = "reference", "response", "source"

# What the statements of each side are held against.
PREMISES = {
    FASTRAGEVAL: {REFERENCE: RESPONSE, RESPONSE: REFERENCE},
    CONSISTENCY: {RESPONSE: SOURCE},
}


@dataclass(frozen=True)
class AnswerToJudge:
    """One answer with all that it may be held against.

    Attributes:
        system_id: who answered.
        question_id: what was asked.
        answer_status: answered, refused, missing or invalid.
        question: text of the question; empty where it is not known.
        reference: gold answer; None when there is none.
        response: the answer; None when there is none.
        passages: what the generator saw, in its order.
    """

    system_id: str
    question_id: str
    answer_status: str
    question: str
    reference: str | None
    response: str | None
    passages: tuple[str, ...] = ()


@dataclass(frozen=True)
class Statement:
    """One statement of a side, and the label that it got against its premise."""

    side: str
    number: int
    text: str
    label: str


@dataclass(frozen=True)
class Usage:
    """What judging one answer took; None where nothing tells it."""

    call_count: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: Decimal | None = None


@dataclass(frozen=True)
class Judged:
    """How judging one answer ended; only `scored` and `abstained` carry statements."""

    status: str
    reason: str | None = None
    statements: tuple[Statement, ...] = ()
    usage: Usage = field(default_factory=Usage)

    def count(self, side: str) -> int:
        """Return the statements of one side."""
        return sum(one.side == side for one in self.statements)


def unasked(metric: str, answer: AnswerToJudge) -> Judged | None:
    """Return how judging ends where there is nothing to ask; None where there is.

    A refusal abstains and a missing answer is missing: neither is an answer that scores 0.
    """
    if answer.answer_status == "refused":
        return Judged(ABSTAINED, "answer_refused")
    if answer.answer_status == INVALID:
        return Judged(INVALID, "answer_invalid")
    if answer.response is None or not answer.response.strip():
        return Judged(MISSING, "answer_missing")
    if metric == FASTRAGEVAL and not (answer.reference or "").strip():
        return Judged(NULL, "no_reference")
    if metric == CONSISTENCY and not any(one.strip() for one in answer.passages):
        return Judged(NULL, "no_source")
    return None


def settled(metric: str, statements: tuple[Statement, ...], usage: Usage) -> Judged:
    """Return what statements make of a judgment: scored, abstained, or invalid with a reason."""
    sides = {one.side for one in statements}
    if any(not one.text.strip() for one in statements):
        return Judged(INVALID, "blank_statement", usage=usage)
    if metric == FASTRAGEVAL and REFERENCE not in sides:
        return Judged(INVALID, "no_reference_statement", usage=usage)
    if RESPONSE not in sides:
        return Judged(ABSTAINED, "no_response_statement", statements, usage)
    return Judged(SCORED, None, statements, usage)
