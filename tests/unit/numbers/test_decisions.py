"""One decision for each question: numbers or words, and why."""

from __future__ import annotations

import pytest

from ingest.numbers.decisions import OVERRIDE, RULE, is_numeric_answer
from ingest.numbers.policy import DEFAULT


@pytest.mark.parametrize(
    ("golds", "question", "is_numeric", "reason"),
    [
        (["97%"], None, True, "only_numbers"),
        (["2019"], "When was it founded?", True, "only_numbers"),
        (["10-15", "10 to 15"], None, True, "only_numbers"),
        (["53 countries"], None, True, "number_with_noun"),
        (["unrealized losses of $6.4 million"], None, True, "number_with_noun"),
        (["growth in Asia of 5%"], None, False, "words"),
        (["growth in Asia of 5%"], "How much was it?", True, "quantity_asked"),
        (["As of 2018 the company had no debt"], "How much was it?", False, "words"),
        (["3M"], "Which company is it?", False, "identifier"),
        (["3M"], "How many units were sold?", True, "only_numbers"),
        (["10-K"], None, False, "identifier"),
        (["Q3 2019"], None, False, "period"),
        (["12:30"], None, False, "time"),
        (["north america"], None, False, "text"),
        (["none"], "How many plants were closed?", True, "only_numbers"),
        (["none"], None, False, "text"),
        (["In 2019, revenue was $5 million"], None, False, "ambiguous"),
        (["1e400"], None, False, "invalid"),
        ([""], None, False, "missing"),
        (["12", "a dozen"], None, True, "only_numbers"),
        (["12", "a jury"], None, False, "text"),
        ([], None, False, "no_gold"),
    ],
)
def test_the_golds_decide(
    golds: list[str], question: str | None, is_numeric: bool, reason: str
) -> None:
    decision = is_numeric_answer(golds, question)
    assert (decision.is_numeric, decision.reason) == (is_numeric, reason)
    assert (decision.source, decision.policy) == (RULE, DEFAULT.name)


@pytest.mark.parametrize("stated", [True, False])
def test_what_the_data_state_wins(stated: bool) -> None:
    decision = is_numeric_answer(["97%"] if not stated else ["words"], override=stated)
    assert (decision.is_numeric, decision.reason, decision.source) == (stated, "stated", OVERRIDE)
