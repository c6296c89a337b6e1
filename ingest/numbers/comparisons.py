"""Comparisons: when the numbers of an answer are those of the gold, strictly and by variants."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ingest.numbers import lexicon
from ingest.numbers.parsed import (
    AMBIGUOUS,
    CURRENCY,
    LIST,
    MEASURE,
    ORDINAL,
    PERCENT,
    PLAIN,
    RANGE,
    RANK,
    RATIO,
    YEAR,
    Number,
    ParsedNumbers,
)
from ingest.numbers.policy import DEFAULT, NumberPolicy
from ingest.numbers.tokens import LITERAL, MONEY, Token, prepare, tokenize
from warehouse.errors import UsageError

NUM, NUM_ANY, NUM_QSCALE, NUM_ROUNDED, NUM_TOL1PCT = (
    "num", "num_any", "num_qscale", "num_rounded", "num_tol1pct",
)  # fmt: skip
NUMBER_METRICS = (NUM, NUM_ANY, NUM_QSCALE, NUM_ROUNDED, NUM_TOL1PCT)
TOLERANCE = Fraction(1, 100)
_EXACT_KINDS = (YEAR, ORDINAL, RANK)
_MOST_PAIRS = 100_000
_SCALE_REACH = 5

Agrees = Callable[[Number, Number], bool]


@dataclass(frozen=True)
class NumberMatch:
    """Whether an answer has the numbers of a gold answer, by each metric.

    Attributes:
        num: strict; all numbers and no other, equal as exact values.
        num_any: every gold number is among the numbers of the answer.
        num_qscale: the same, and the scale that the question names holds for numbers that
            state none.
        num_rounded: `num_qscale`, and numbers of the answer rounded to the gold's last digit.
        num_tol1pct: `num_qscale`, and numbers within 1 % of the gold's instead.
        percent_form_mismatch: one side is a percentage, the other is not, and they are equal or
            a hundredfold of each other: `97` for `97%`, or `1` for `100%`.
        ambiguous: the answer has several different numbers in running text.
        policy: name of the policy that both were read with.
    """

    num: bool
    num_any: bool
    num_qscale: bool
    num_rounded: bool
    num_tol1pct: bool
    percent_form_mismatch: bool
    ambiguous: bool
    policy: str


def match_numbers(
    gold: ParsedNumbers, answer: ParsedNumbers, question: str | None = None
) -> NumberMatch:
    """Return how the numbers of an answer agree with those of a gold answer.

    Kinds, units and qualifiers take no part. Order counts where the gold is a range, a ratio or
    a measure of several units; elsewhere numbers are compared as a multiset. An answer without
    numbers agrees with nothing. Every variant holds where the one before it holds, and
    `num_qscale` implies both that follow it.

    Raises:
        UsageError: when the gold has no number, or two policies meet.
    """
    if not gold.numbers:
        raise UsageError(
            "a gold answer without a number cannot be matched",
            expected="a question that `is_numeric_answer` calls numeric",
            got=f"status {gold.status}, kind {gold.kind}",
        )
    if gold.policy != answer.policy:
        raise UsageError(
            "numbers of two policies cannot be matched",
            expected=gold.policy,
            got=answer.policy,
            fix="parse both answers with one policy",
        )
    scale = question_scale(question)
    by_metric = {
        NUM_ANY: _equal,
        NUM_QSCALE: _on_readings(scale, _equal),
        NUM_ROUNDED: _on_readings(scale, _rounds_to),
        NUM_TOL1PCT: _on_readings(scale, _is_near),
    }
    is_same = _is_same(gold, answer)
    found = {
        name: is_same or _holds(gold, answer.numbers, agrees) for name, agrees in by_metric.items()
    }
    return NumberMatch(
        num=is_same,
        percent_form_mismatch=_percent_differs(gold, answer),
        ambiguous=answer.status == AMBIGUOUS,
        policy=gold.policy,
        **found,
    )


def all_of(golds: Sequence[ParsedNumbers]) -> ParsedNumbers:
    """Return several gold answers that are all required as one list."""
    numbers = tuple(number for gold in golds for number in gold.numbers)
    return golds[0] if len(golds) == 1 else replace(golds[0], kind=LIST, numbers=numbers)


def question_scale(question: str | None, policy: NumberPolicy = DEFAULT) -> Fraction | None:
    """Return the one scale that a question names: 10**6 for `in USD millions`.

    None without a question, without a scale, and where several different ones are named.
    """
    if question is None or len(question) > policy.most_characters:
        return None
    tokens = tokenize(prepare(question), policy)
    starts = (place for place, token in enumerate(tokens) if _leads(token))
    found = {_scale_behind(tokens, place + 1) for place in starts} - {None}
    return found.pop() if len(found) == 1 else None


def _leads(token: Token) -> bool:
    return token.lower in ("in", "as") or _is_currency(token)


def _is_currency(token: Token) -> bool:
    return (
        token.kind == MONEY
        or token.text in lexicon.CURRENCY_CODES
        or token.lower in lexicon.CURRENCY_WORDS
    )


def _scale_behind(tokens: list[Token], place: int) -> Fraction | None:
    for token in tokens[place : place + _SCALE_REACH]:
        if token.kind == LITERAL:
            return None
        factor = lexicon.SCALES.get(token.lower) or lexicon.SCALE_PLURALS.get(token.lower)
        if factor is not None:
            return Fraction(factor)
        if token.lower in lexicon.PERCENT_WORDS or token.text == "%":
            return Fraction(1, 100)
        is_passed = token.lower in ("a", "the", "us", "of", "as", "(") or _is_currency(token)
        if not is_passed:
            return None
    return None


def _is_same(gold: ParsedNumbers, answer: ParsedNumbers) -> bool:
    wanted = [number.value for number in gold.numbers]
    given = [number.value for number in answer.numbers]
    return wanted == given if _is_ordered(gold) else Counter(wanted) == Counter(given)


def _is_ordered(gold: ParsedNumbers) -> bool:
    return gold.kind in (RANGE, RATIO, MEASURE)


def _equal(gold: Number, given: Number) -> bool:
    return gold.value == given.value


def _rounds_to(gold: Number, given: Number) -> bool:
    if gold.step is None or gold.kind in _EXACT_KINDS:
        return gold.value == given.value
    return _round(given.value, gold.step) == gold.value


def _round(value: Fraction, step: Fraction) -> Fraction:
    """Return a value rounded to a multiple of a step, halves away from zero."""
    rounded = math.floor(abs(value) / step + Fraction(1, 2)) * step
    return -rounded if value < 0 else rounded


def _is_near(gold: Number, given: Number) -> bool:
    if gold.kind in _EXACT_KINDS:
        return gold.value == given.value
    return abs(gold.value - given.value) <= TOLERANCE * abs(gold.value)


def _on_readings(scale: Fraction | None, agrees: Agrees) -> Agrees:
    """Return a comparison that also tries the question's scale on numbers that state none."""

    def on_readings(gold: Number, given: Number) -> bool:
        return any(
            agrees(*pair)
            for pair in itertools.product(_readings(gold, scale), _readings(given, scale))
        )

    return on_readings


def _readings(number: Number, scale: Fraction | None) -> list[Number]:
    if scale is None or number.scale != 1 or number.kind not in (PLAIN, CURRENCY):
        return [number]
    step = None if number.step is None else number.step * scale
    return [number, replace(number, value=number.value * scale, step=step, scale=scale)]


def _holds(gold: ParsedNumbers, given: Sequence[Number], agrees: Agrees) -> bool:
    """Return whether every gold number finds a number of the answer of its own."""
    wanted = gold.numbers
    if len(wanted) == 1:
        return any(agrees(wanted[0], number) for number in given)
    if len(wanted) > len(given) or len(wanted) * len(given) > _MOST_PAIRS:
        return False
    if _is_ordered(gold):
        rest = iter(given)
        return all(any(agrees(number, one) for one in rest) for number in wanted)
    return _can_pair([[agrees(number, one) for one in given] for number in wanted])


def _can_pair(fits: list[list[bool]]) -> bool:
    """Return whether every row has a column of its own (augmenting paths, without recursion)."""
    row_of: dict[int, int] = {}
    for start in range(len(fits)):
        came_from: dict[int, int] = {}
        waiting, free = [start], None
        while waiting and free is None:
            row = waiting.pop()
            for column, is_fit in enumerate(fits[row]):
                if not is_fit or column in came_from:
                    continue
                came_from[column] = row
                if column not in row_of:
                    free = column
                    break
                waiting.append(row_of[column])
        if free is None:
            return False
        _augment(row_of, came_from, free, start)
    return True


def _augment(row_of: dict[int, int], came_from: dict[int, int], free: int, start: int) -> None:
    column_of = {row: column for column, row in row_of.items()}
    column = free
    while True:
        row = came_from[column]
        row_of[column] = row
        if row == start:
            return
        column = column_of[row]


def _percent_differs(gold: ParsedNumbers, answer: ParsedNumbers) -> bool:
    if gold.count != answer.count:
        return False
    return any(
        (one.kind == PERCENT) != (other.kind == PERCENT)
        and one.value in (other.value, 100 * other.value, other.value / 100)
        for one, other in zip(gold.numbers, answer.numbers, strict=True)
    )
