"""F1 of random answers: the same as exact rationals say, within 0 and 1, never of nothing."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.slideagent.tokens import STOP_WORDS, is_exact, tokens_of
from tests.support import resampling
from tests.support.golden_scores import MANY_QUESTIONS, draw
from tests.support.worlds import World

FAST = settings(max_examples=300, deadline=None)


def f1(gold: str, answer: str) -> Fraction:
    golds, answers = Counter(tokens_of(gold).telling), Counter(tokens_of(answer).telling)
    if not golds and not answers:
        return Fraction(gold.strip() == answer.strip())
    return Fraction(2 * (golds & answers).total(), golds.total() + answers.total())


def test_f1_and_exact_match_are_the_exact_ones(scores_world: World) -> None:
    questions, answers = draw(11)
    asked = {one["question_id"]: one for one in questions}
    rows = scores_world.rows(
        "select * from marts.fct_slideagent__answer_scores where run_id = 'drawn/run'"
    )
    found = {(row["question_id"], row["system_id"]): row for row in rows}
    assert len(found) == len(rows) == len(answers)
    values = set()
    for one in answers:
        row = found[one["question_id"], one["system_id"]]
        question = asked[one["question_id"]]
        golds = question["gold_answers"]
        golds = [" ".join(golds)] if question["gold_mode"] == "all" else golds
        if not one["answer"]:
            assert (row["answer_status"], row["f1"], row["em"]) == ("missing", None, None)
            continue
        best = max(f1(gold, one["answer"]) for gold in golds)
        assert row["f1"] == float(best), one
        assert row["em"] == any(is_exact(gold, one["answer"]) for gold in golds), one
        values.add(best)
    assert {Fraction(0), Fraction(1)} < values


def test_an_interval_of_many_questions_is_that_of_the_reference(scores_world: World) -> None:
    row = scores_world.one(
        "select * from marts.rpt_metric_summaries where run_id = 'many/run' and metric = 'num' "
        "and slice_type = 'all' and policy = 'missing_as_zero'"
    )
    values = np.array([int(number % 3 == 0) for number in range(MANY_QUESTIONS)], dtype=np.int64)
    # A question set is a stratum, with a stream of draws of its own.
    sums = np.sort(resampling.counts(MANY_QUESTIONS, stream=1) @ values)
    assert row["n_included"] == MANY_QUESTIONS
    low, high = (sums[rank - 1] * 1e9 / MANY_QUESTIONS / 1e9 for rank in (250, 9_751))
    assert (row["percentile_low"], row["percentile_high"]) == (low, high)


@given(st.text(max_size=40), st.text(max_size=40))
@FAST
def test_f1_is_a_share_and_takes_no_side(gold: str, answer: str) -> None:
    assert 0 <= f1(gold, answer) <= 1
    assert f1(gold, answer) == f1(answer, gold)
    assert f1(gold, gold) == 1


@given(st.lists(st.sampled_from(sorted(STOP_WORDS)), min_size=1, max_size=4))
@FAST
def test_stop_words_alone_stay(words: list[str]) -> None:
    assert list(tokens_of(" ".join(words)).telling) == words


@given(st.text(max_size=60))
@FAST
def test_what_holds_a_letter_or_a_digit_has_a_token(text: str) -> None:
    tokens = tokens_of(text)
    assert bool(tokens.telling) == bool(tokens.all)
    if any(one.isascii() and one.isalnum() for one in text):
        assert tokens.all
