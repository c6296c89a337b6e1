"""Decisions: whether a question is scored by its numbers or by its words, once for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ingest.numbers.answers import asks_quantity, parse_answer
from ingest.numbers.parsed import (
    AMBIGUOUS,
    IDENTIFIER,
    INVALID,
    MISSING,
    NUMBER,
    PERIOD,
    TEXT,
    TIME,
    YEAR,
    ParsedNumbers,
)
from ingest.numbers.policy import DEFAULT, NumberPolicy

OVERRIDE, RULE = "override", "rule"
ONLY_NUMBERS, NUMBER_WITH_NOUN, QUANTITY_ASKED, STATED, WORDS, NO_GOLD = (
    "only_numbers", "number_with_noun", "quantity_asked", "stated", "words", "no_gold",
)  # fmt: skip
REASONS = (
    ONLY_NUMBERS, NUMBER_WITH_NOUN, QUANTITY_ASKED, STATED, WORDS, NO_GOLD, AMBIGUOUS, INVALID,
    MISSING, TEXT, PERIOD, TIME, IDENTIFIER,
)  # fmt: skip
_MOST_COUNTED_WORDS = 2


@dataclass(frozen=True)
class NumericDecision:
    """Whether the answers to a question are compared as numbers.

    Attributes:
        is_numeric: the decision; it holds for every system, whatever it answered.
        reason: one of `REASONS`.
        source: `rule`, or `override` where the data state it.
        policy: name of the policy that gold answers were read with.
    """

    is_numeric: bool
    reason: str
    source: str
    policy: str


def is_numeric_answer(
    gold_texts: Sequence[str],
    question: str | None = None,
    override: bool | None = None,
    policy: NumberPolicy = DEFAULT,
) -> NumericDecision:
    """Decide once how a question is scored.

    Args:
        gold_texts: every gold answer; the question is numeric only if all of them are.
        question: decides names that look like numbers, and golds with other words.
        override: stated by the data; wins.
        policy: how gold answers are read.
    """
    if override is not None:
        return NumericDecision(override, STATED, OVERRIDE, policy.name)
    if not gold_texts:
        return NumericDecision(False, NO_GOLD, RULE, policy.name)
    reasons = [_reason(parse_answer(gold, policy, question), question) for gold in gold_texts]
    against = next((reason for is_numeric, reason in reasons if not is_numeric), None)
    if against is not None:
        return NumericDecision(False, against, RULE, policy.name)
    return NumericDecision(True, reasons[0][1], RULE, policy.name)


def _reason(gold: ParsedNumbers, question: str | None) -> tuple[bool, str]:
    if gold.status in (AMBIGUOUS, INVALID, MISSING):
        return False, gold.status
    if gold.status != NUMBER:
        return False, gold.kind
    if gold.is_whole:
        return True, ONLY_NUMBERS
    # A year in a sentence dates it; it is not the quantity that is asked for.
    if asks_quantity(question) and gold.kind != YEAR:
        return True, QUANTITY_ASKED
    is_counted = len(gold.words) <= _MOST_COUNTED_WORDS and all(
        word.islower() and word.isalpha() for word in gold.words
    )
    return (True, NUMBER_WITH_NOUN) if is_counted else (False, WORDS)
