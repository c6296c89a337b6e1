"""When two answers have the same numbers: strictly, and by each named variant."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ingest.numbers.answers import parse_answer
from ingest.numbers.comparisons import (
    NUMBER_METRICS,
    NumberMatch,
    all_of,
    match_numbers,
    question_scale,
)
from ingest.numbers.policy import NumberPolicy
from warehouse.errors import UsageError


def match(gold: str, answer: str, question: str | None = None) -> NumberMatch:
    return match_numbers(parse_answer(gold), parse_answer(answer), question)


def held(gold: str, answer: str, question: str | None = None) -> list[str]:
    found = match(gold, answer, question)
    return [name for name in NUMBER_METRICS if getattr(found, name)]


ALL_HOLD = list(NUMBER_METRICS)
LENIENT = ["num_qscale", "num_rounded", "num_tol1pct"]


@pytest.mark.parametrize(
    ("gold", "answer", "is_same"),
    [
        ("17000", "17k", True),
        ("97%", "0.97", True),
        ("97%", "97", False),
        ("100%", "1", True),
        ("2/3", "0.6667", False),
        ("10-15", "between 10 and 15", True),
        ("10-15", "15 to 10", False),
        ("12 and 15", "15, 12", True),
        ("12 and 12", "12", False),
        ("5", "5 5 5", False),
        ("1 in 4", "0.25", False),
        ("17.5%", "17.5", False),
        ("-5", "5", False),
        ("5", "north america", False),
        ("0", "", False),
        ("5 million", "In 2019, revenue was $5 million", False),
    ],
)
def test_strict(gold: str, answer: str, is_same: bool) -> None:
    assert match(gold, answer).num is is_same


def test_any_number_of_a_sentence() -> None:
    assert held("5 million", "In 2019, revenue was $5 million") == ALL_HOLD[1:]
    assert held("3 and 5", "1, 3, 4 and 5") == ALL_HOLD[1:]
    assert held("5 and 5", "1, 3, 4 and 5") == []
    assert held("3-5", "5, 4 and 3") == []


@pytest.mark.parametrize(
    ("gold", "answer"),
    [("$1,577", "$1.577 billion"), ("1577 million", "1,577"), ("$1577.00", "1577000000")],
)
def test_the_scale_that_a_question_names(gold: str, answer: str) -> None:
    assert held(gold, answer, "What was it in USD millions?") == LENIENT
    assert held(gold, answer) == []


def test_a_number_with_a_scale_of_its_own_takes_no_other() -> None:
    assert held("5", "5 thousand", "in thousands?") == LENIENT
    assert held("5 million", "5 thousand", "in thousands?") == []


@pytest.mark.parametrize(
    ("question", "scale"),
    [
        ("What was it (in thousands)?", 1000),
        ("in USD millions", 10**6),
        ("in millions of dollars", 10**6),
        ("Answer in $ billion.", 10**9),
        ("as a percentage", Fraction(1, 100)),
        ("(USD billions)", 10**9),
        ("in 2019, how many millions", None),
        ("in 5 million cases", None),
        ("in millions or in billions", None),
        ("how many?", None),
        (None, None),
    ],
)
def test_scales_of_questions(question: str | None, scale: int | Fraction | None) -> None:
    assert question_scale(question) == scale


def test_rounding_goes_to_the_last_digit_of_the_gold() -> None:
    assert held("12.3", "12.34") == ["num_rounded", "num_tol1pct"]
    assert held("0.5", "0.54") == ["num_rounded"]
    assert held("0.5", "0.55") == []
    assert held("-0.5", "-0.45") == ["num_rounded"]
    assert held("17k", "17,342") == ["num_rounded"]
    assert held("12.34", "12.3") == ["num_tol1pct"]
    assert held("2/3", "0.667") == ["num_tol1pct"]


def test_tolerance_is_one_percent_of_the_gold_and_includes_its_bounds() -> None:
    assert held("1000", "1010") == ["num_tol1pct"]
    assert held("1000", "990") == ["num_tol1pct"]
    assert held("1000", "1010.001") == []
    assert held("0", "0.001") == ["num_rounded"]


@pytest.mark.parametrize(
    ("gold", "answer"), [("2019", "2018"), ("100th", "101st"), ("#100", "#101")]
)
def test_years_ordinals_and_ranks_are_exact_by_every_metric(gold: str, answer: str) -> None:
    assert held(gold, answer) == []


def test_tolerant_lists_find_the_pairing_that_exists() -> None:
    # The first gold number fits both, the second only the one that greed would take.
    assert "num_tol1pct" in held("1000 and 1010", "1005 and 995")
    assert "num_tol1pct" not in held("1000 and 1010", "1005 and 900")


def test_beyond_the_bound_of_pairs_variants_are_what_strict_is() -> None:
    short, long = (", ".join(map(str, range(count))) for count in (200, 400))
    assert held(short, f"{short}, 7") == ALL_HOLD[1:]
    assert held(long, long) == ALL_HOLD
    assert held(long, f"{long}, 7") == []


@pytest.mark.parametrize(
    ("gold", "answer", "is_flagged"),
    [
        ("97%", "97", True),
        ("100%", "1", True),
        ("97", "97%", True),
        ("97%", "97 percent", False),
        ("97%", "96", False),
        ("97", "97", False),
        ("50%", "5,000 and 3", False),
    ],
)
def test_percent_forms_that_differ_are_flagged(gold: str, answer: str, is_flagged: bool) -> None:
    assert match(gold, answer).percent_form_mismatch is is_flagged


def test_an_ambiguous_answer_is_flagged() -> None:
    assert match("5", "5 of them in 2019 and 7").ambiguous
    assert not match("5", "5").ambiguous


def test_golds_that_are_all_required_are_one_list() -> None:
    gold = all_of([parse_answer("12%"), parse_answer("15%")])
    assert (gold.values, gold.kind) == (("0.12", "0.15"), "list")
    assert match_numbers(gold, parse_answer("15% and 12%")).num
    assert not match_numbers(gold, parse_answer("12%")).num
    assert all_of([parse_answer("10-15")]).kind == "range"


def test_two_policies_never_meet() -> None:
    with pytest.raises(UsageError, match="two policies"):
        match_numbers(parse_answer("5"), parse_answer("5", NumberPolicy("other")))


def test_a_gold_without_numbers_is_refused() -> None:
    with pytest.raises(UsageError, match="without a number"):
        match("Q3 2019", "5")
