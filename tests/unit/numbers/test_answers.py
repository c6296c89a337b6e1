"""What answers say in figures: the table of cases, questions, policies, hostile texts."""

from __future__ import annotations

import csv
import time
from fractions import Fraction
from pathlib import Path

import pytest

from ingest.numbers import lexicon
from ingest.numbers.answers import parse_answer
from ingest.numbers.parsed import (
    ANSWER_KINDS,
    NOTES,
    QUALIFIERS,
    STATUSES,
    ParsedNumbers,
    canonical_text,
)
from ingest.numbers.policy import DEFAULT, FIRST, LAST, NumberPolicy
from warehouse.errors import UsageError

Row = dict[str, str]


def cases() -> list[Row]:
    with Path(__file__).with_name("cases.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def unescaped(text: str) -> str:
    return text.encode("ascii").decode("unicode_escape") if "\\" in text else text


def values(text: str, policy: NumberPolicy = DEFAULT, question: str | None = None) -> list[str]:
    return list(parse_answer(text, policy, question).values)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["text"] or "empty")
def test_an_answer_is_read_as_the_table_says(case: Row) -> None:
    parsed = parse_answer(unescaped(case["text"]))
    assert " ".join(parsed.values) == case["values"], case["rule"]
    found = (parsed.kind, parsed.status, parsed.unit or "", parsed.qualifier or "")
    assert found == (case["kind"], case["status"], case["unit"], case["qualifier"]), case["rule"]
    assert parsed.policy == DEFAULT.name


def test_the_table_has_every_way_to_decide_and_every_kind() -> None:
    assert {case["decided_by"] for case in cases()} == {"seed", "seed+", "convention", "policy"}
    assert {case["status"] for case in cases()} == set(STATUSES)
    assert {case["kind"] for case in cases()} == set(ANSWER_KINDS)
    assert {case["qualifier"] for case in cases()} == {"", *QUALIFIERS}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(-5, 1000), "-0.005"),
        (Fraction(17000), "17000"),
        (Fraction(2, 3), "2/3"),
        (Fraction(-22, 7), "-22/7"),
        (Fraction(1, 3 * 2**4), "1/48"),
        (Fraction(12345, 100), "123.45"),
    ],
)
def test_canonical_text(value: Fraction, text: str) -> None:
    assert canonical_text(value) == text


def test_no_answer_is_missing_and_not_zero() -> None:
    parsed = parse_answer(None)
    assert (parsed.status, parsed.values, parsed.count) == ("missing", (), 0)


@pytest.mark.parametrize("word", ["none", "None.", "nil"])
def test_none_is_zero_where_a_quantity_is_asked_for(word: str) -> None:
    assert values(word, question="How many plants were closed?") == ["0"]
    assert values(word, question="Which plants were closed?") == []


@pytest.mark.parametrize(
    ("text", "value"), [("3M", "3000000"), ("iPhone 6", "6"), ("3M dollars", "3000000")]
)
def test_a_name_is_a_number_where_a_quantity_is_asked_for(text: str, value: str) -> None:
    assert values(text, question="how much was spent?") == [value]


def test_a_currency_makes_a_number_of_a_name() -> None:
    assert values("$3M") == ["3000000"]


def test_the_same_suffix_is_money_or_measure() -> None:
    assert [parse_answer(text).unit for text in ("2.5 mm", "$2.5mm", "5 t", "$5t")] == [
        "mm", "$", "tonne", "$",
    ]  # fmt: skip
    assert values("$5t") == ["5000000000000"]


def test_a_decimal_comma_policy_reads_single_marks_the_other_way() -> None:
    comma = NumberPolicy("comma_all_1", decimal_mark=",")
    texts = ["1.234", "1,234", "1.234,50", "1,234.50"]
    assert [values(text, comma) for text in texts] == [["1234"], ["1.234"], ["1234.5"], ["1234.5"]]
    assert parse_answer("1.234", comma).policy == "comma_all_1"


@pytest.mark.parametrize(("extraction", "value"), [(FIRST, "2019"), (LAST, "5000000")])
def test_a_policy_may_pick_one_number_of_a_sentence(extraction: str, value: str) -> None:
    parsed = parse_answer(
        "In 2019, revenue was $5 million", NumberPolicy("one", extraction=extraction)
    )
    assert (parsed.status, parsed.values) == ("number", (value,))


def test_policies_switch_single_readings() -> None:
    plain = NumberPolicy(
        "plain",
        en_dash_is_minus=False,
        slash_is_fraction=False,
        spoken_years=False,
        first_year=2020,
    )
    assert values("\u20135", plain) == ["5"]
    assert values("3/4", plain) == []
    assert values("nineteen ninety", plain) == ["19", "90"]
    assert parse_answer("2019", plain).kind == "plain"


@pytest.mark.parametrize("wrong", [{"decimal_mark": ";"}, {"extraction": "best"}])
def test_a_policy_that_does_not_exist_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="is none"):
        NumberPolicy("wrong", **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("1,23", "decimal_comma"),
        ("1.234", "point_or_group"),
        ("1,234\u00b9", "footnote_dropped"),
        ("17 thousand (17,000)", "restated"),
    ],
)
def test_what_a_policy_decided_is_noted(text: str, note: str) -> None:
    assert note in NOTES
    assert parse_answer(text).notes == (note,)


def test_words_beside_a_number_are_kept_and_fillers_are_not() -> None:
    assert parse_answer("The revenue was $5 million.").words == ("revenue",)
    assert parse_answer("It is 5.").is_whole
    assert len(parse_answer("word " * 50 + "5").words) == 8


def test_a_step_is_the_place_of_the_last_digit() -> None:
    texts = ["2.5 million", "97%", "$1,577", "0.870", "two thirds", "three million"]
    steps = [parse_answer(text).numbers[0].step for text in texts]
    assert steps == [
        Fraction(100_000), Fraction(1, 100), Fraction(1), Fraction(1, 1000), None,
        Fraction(1_000_000),
    ]  # fmt: skip


def test_small_numbers_of_the_lexicon_are_read_back() -> None:
    for word, value in {**lexicon.SMALL, **lexicon.TENS}.items():
        assert values(word) == [str(value)], word
    for word, value in lexicon.ORDINALS.items():
        assert (values(word), parse_answer(word).kind) == ([str(value)], "ordinal"), word
    for word, factor in lexicon.SCALES.items():
        assert values(f"2 {word}") == [str(2 * factor)], word


HOSTILE = (
    "1 ", "9", "(", "-", "1-", "1.", "1,", "1/", "10^", "1e", "1\u0336", "one hundred and ",
    "thousand ", "half a ", "1 in ", "$", "~", "few hundred ", "2 hours ", "Q3 ", "no.", "10\u00b3",
    "\u0663", "\x00", "\u200b", "'", "and ", "between 1 and ", "1:", "\u00bd", "minus ",
)  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE, ids=ascii)
def test_time_is_linear_in_the_length(piece: str) -> None:
    def seconds(length: int) -> float:
        text = piece * (length // len(piece))
        start = time.process_time()
        parsed = parse_answer(text)
        assert parsed.status in STATUSES
        return time.process_time() - start

    seconds(100)
    short = seconds(1_500)
    # Quadratic work would take 64 times as long; the allowance is for a busy machine.
    assert seconds(12_000) < 24 * short + 0.1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("5 " * 500_000, "too_long"),
        ("9" * 5_000, "out_of_range"),
        ("1e" + "9" * 50_000, "out_of_range"),
        ("1e308 million", "out_of_range"),
        ("10^999999999", "out_of_range"),
        ("\u202e71", "reordered_characters"),
        ("about 1e999 or 5", "out_of_range"),
    ],
    ids=["long", "digits", "exponent", "scale", "power", "bidi", "among_others"],
)
def test_what_cannot_be_judged_is_invalid_with_a_reason(text: str, reason: str) -> None:
    assert parse_answer(text) == ParsedNumbers("invalid", "invalid", DEFAULT.name, reason=reason)
