"""One answer held against the gold answers of its question: words and numbers, never a score.

Scores are made in SQL from these rows. Number reading costs most of landing, so each text is
read once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ingest.numbers.answers import parse_answer
from ingest.numbers.comparisons import NUMBER_METRICS, all_of, match_numbers
from ingest.numbers.decisions import NumericDecision, is_numeric_answer
from ingest.numbers.parsed import ParsedNumbers
from ingest.numbers.policy import DEFAULT, NumberPolicy
from ingest.slideagent.records import ALL, Answer, Question
from ingest.slideagent.tokens import WORD_POLICY, Tokens, is_exact, tokens_of
from warehouse.landing import Row

ALL_GOLDS = 0
"""Number of the gold answer that stands for all of them together."""


@dataclass
class Readings:
    """What texts say, each read once under one number policy."""

    policy: NumberPolicy = DEFAULT
    _numbers: dict[tuple[str | None, str], ParsedNumbers] = field(default_factory=dict)
    _tokens: dict[str, Tokens] = field(default_factory=dict)

    def numbers(self, text: str | None, question: str) -> ParsedNumbers:
        """Return the numbers of an answer to a question."""
        key = (text, question)
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = parse_answer(text, self.policy, question)
        return found

    def tokens(self, text: str) -> Tokens:
        """Return the words of an answer."""
        found = self._tokens.get(text)
        if found is None:
            found = self._tokens[text] = tokens_of(text)
        return found

    def decision(self, question: Question) -> NumericDecision:
        """Return the one decision how a question is scored."""
        return is_numeric_answer(
            question.gold_answers, question.question, question.is_numeric, self.policy
        )


def golds_of(question: Question) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield what an answer is held against: each gold answer by number, or all as number 0."""
    if question.gold_mode == ALL:
        yield ALL_GOLDS, question.gold_answers
        return
    for number, gold in enumerate(question.gold_answers, start=1):
        yield number, (gold,)


def comparison_rows(
    question: Question, answer: Answer, is_numeric: bool, readings: Readings
) -> list[Row]:
    """Return the comparisons of one answer; none where there is no answer or no gold answer."""
    if answer.answer is None or not answer.answer.strip():
        return []
    return [
        _row(question, answer, number, golds, is_numeric, readings)
        for number, golds in golds_of(question)
        if golds
    ]


def _row(
    question: Question,
    answer: Answer,
    number: int,
    golds: Sequence[str],
    is_numeric: bool,
    readings: Readings,
) -> Row:
    said = answer.answer or ""
    joined = " ".join(golds)
    return {
        "gold_number": number,
        "gold_tokens": list(readings.tokens(joined).telling),
        "answer_tokens": list(readings.tokens(said).telling),
        "is_exact": is_exact(joined, said),
        **_numbers(question, golds, said, is_numeric, readings),
        "token_policy": WORD_POLICY,
        "number_policy": readings.policy.name,
    }


def _numbers(
    question: Question, golds: Sequence[str], said: str, is_numeric: bool, readings: Readings
) -> Row:
    """Return how the numbers agree; NULL where the question is not scored by numbers.

    A question that the data call numeric although a gold answer has no number agrees with
    nothing by numbers: the data say so, and the row tells.
    """
    names = (*NUMBER_METRICS, "is_percent_form_mismatch", "is_ambiguous")
    if not is_numeric:
        return dict.fromkeys(names)
    parsed = [readings.numbers(gold, question.question) for gold in golds]
    if not all(one.numbers for one in parsed):
        return dict.fromkeys(names, False)
    match = match_numbers(
        all_of(parsed), readings.numbers(said, question.question), question.question
    )
    return {
        **{name: getattr(match, name) for name in NUMBER_METRICS},
        "is_percent_form_mismatch": match.percent_form_mismatch,
        "is_ambiguous": match.ambiguous,
    }


def number_rows(text: str | None, question: Question, readings: Readings) -> list[Row]:
    """Return what was read out of one text: a row a number, or one row that there is none."""
    parsed = readings.numbers(text, question.question)
    common = {
        "parse_status": parsed.status,
        "answer_kind": parsed.kind,
        "number_count": parsed.count,
        "number_policy": parsed.policy,
    }
    if not parsed.numbers:
        nothing = dict.fromkeys(("value", "value_kind", "unit", "qualifier"))
        return [{**common, "position": 0, **nothing}]
    return [
        {
            **common,
            "position": position,
            "value": one.text,
            "value_kind": one.kind,
            "unit": one.unit,
            "qualifier": one.qualifier,
        }
        for position, one in enumerate(parsed.numbers, start=1)
    ]
