"""Words of answers: what is one token, what is left out, what never is."""

from __future__ import annotations

import pytest

from ingest.slideagent.tokens import STOP_WORDS, is_exact, tokens_of


@pytest.mark.parametrize(
    ("text", "telling"),
    [
        ("The North America Office.", ["north", "america", "office"]),
        ("no change", ["no", "change"]),
        ("A", ["a"]),
        ("The The", ["the", "the"]),
        ("above", ["above"]),
        ("three thousand", ["three", "thousand"]),
        ("3.14", ["3.14"]),
        ("-5", ["-5"]),
        ("1,234", ["1,234"]),
        ("17.5%", ["17.5%"]),
        ("state-of-the-art", ["state", "art"]),
        ("2019-2020", ["2019-2020"]),
        ("dock's", ["dock"]),
        ("docks\u2019 cranes", ["docks", "cranes"]),
        ("\u201cDone\u201d", ["done"]),
        ("Caf\u00e9", ["caf\u00e9"]),
        ("Cafe\u0301", ["caf\u00e9"]),
        ("\u6771\u4eac", ["\u6771", "\u4eac"]),
        ("May", ["may"]),
        ("?!", []),
        ("", []),
    ],
)
def test_the_words_of_an_answer(text: str, telling: list[str]) -> None:
    assert list(tokens_of(text).telling) == telling


def test_no_word_that_answers_are_made_of_is_left_out() -> None:
    answers = """no not nor none yes up down on off in out above below over under top bottom left
        right both few more most same one two three ten first third may us it who am i k m"""
    assert not STOP_WORDS & set(answers.split())


@pytest.mark.parametrize(
    ("gold", "answer", "expected"),
    [
        ("North America", "north america.", True),
        ("North America", "America North", False),
        ("175", "17.5", False),
        ("5", "-5", False),
        ("the yard", "yard", False),
        ("?", "!", False),
        ("?", " ? ", True),
    ],
)
def test_exact_match(gold: str, answer: str, expected: bool) -> None:
    assert is_exact(gold, answer) is expected
