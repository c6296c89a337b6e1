"""Scores of answers that were worked out by hand, as fractions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.support.worlds import World

SCORES = (
    "select * from marts.fct_slideagent__answer_scores where run_id = 'by_hand/run' "
    "and system_id = ? and setting = ? and question_id = ?"
)
REPORT = (
    "select * from marts.rpt_slideagent__scores where run_id = 'by_hand/run' and system_id = ? "
    "and setting = ? and slice_type = ? and slice = ? and policy = ?"
)
WRONG = {"num": 0, "num_any": 0, "num_qscale": 0, "num_rounded": 0, "num_tol1pct": 0}
RIGHT = dict.fromkeys(WRONG, 1)
NO_NUMBERS = dict.fromkeys(WRONG)


@pytest.mark.parametrize(
    ("system", "setting", "question", "expected"),
    [
        ("one", "end_to_end", "cranes",
         {**RIGHT, "score": 1, "f1": 0, "em": 0, "evidence_f1": None}),
        # Against `North America`: 2 shared of 2 and 3 tokens; the longer gold gives 4/6.
        ("one", "end_to_end", "region",
         {**NO_NUMBERS, "f1": Fraction(4, 5), "score": Fraction(4, 5), "em": 0,
          "evidence_f1": Fraction(1, 2)}),
        ("one", "end_to_end", "yard",
         {**NO_NUMBERS, "f1": None, "score": None, "em": None, "evidence_f1": None}),
        # 97 is not 97 %; words of both are compared, yet they are no score of this question.
        ("one", "end_to_end", "share", {**WRONG, "score": 0, "evidence_f1": 0}),
        ("one", "end_to_end", "open", {**NO_NUMBERS, "f1": 1, "score": 1, "em": 1}),
        ("one", "oracle", "cranes", {**RIGHT, "score": 1, "em": 0}),
        ("one", "oracle", "yard", {"f1": 1, "score": 1, "em": 0}),
        ("one", "oracle", "share", {**RIGHT, "score": 1, "evidence_f1": None}),
        ("one", "oracle", "open", {"f1": 0, "score": 0, "em": 0}),
        # Two numbers, one of them right, and the other within one per cent of it.
        ("two", "end_to_end", "cranes", {**RIGHT, "num": 0, "score": 0}),
        # A multiset: the second `north america` finds no partner, 2 * 2 / (2 + 4).
        ("two", "end_to_end", "region", {"f1": Fraction(2, 3), "em": 0}),
        # Its words are half right; a numeric question never takes that.
        ("two", "end_to_end", "share", {**RIGHT, "num": 0, "f1": Fraction(2, 3), "score": 0}),
        ("two", "end_to_end", "open", {"score": None, "f1": None}),
        ("one", "end_to_end", "colours", {"f1": Fraction(1, 2), "score": Fraction(1, 2)}),
        ("one", "end_to_end", "sizes", {**RIGHT, "score": 1}),
    ],
)  # fmt: skip
def test_an_answer_by_hand(
    scores_world: World,
    system: str,
    setting: str,
    question: str,
    expected: dict[str, Fraction | int | None],
) -> None:
    row = scores_world.one(SCORES, system, setting, question)
    assert {name: row[name] for name in expected} == {
        name: None if value is None else float(value) for name, value in expected.items()
    }


def test_a_percentage_in_another_form_is_told(scores_world: World) -> None:
    row = scores_world.one(SCORES, "one", "end_to_end", "share")
    assert row["is_percent_form_mismatch"] is True
    row = scores_world.one(SCORES, "one", "oracle", "share")
    assert row["is_percent_form_mismatch"] is False


@pytest.mark.parametrize(
    ("slice_type", "name", "policy", "figures", "counts"),
    [
        ("dataset", "alpha", "missing_as_zero",
         (Fraction(1, 2), Fraction(3, 5), Fraction(14, 25), Fraction(11, 20)), (5, 4, 5, 2, 3)),
        ("dataset", "alpha", "scored_only",
         (Fraction(1, 2), Fraction(9, 10), Fraction(7, 10), Fraction(7, 10)), (5, 4, 4, 2, 3)),
        ("dataset", "beta", "missing_as_zero",
         (Fraction(1), Fraction(1, 2), Fraction(3, 4), Fraction(3, 4)), (2, 2, 2, 1, 1)),
        ("all", "all", "missing_as_zero",
         (Fraction(2, 3), Fraction(23, 40), Fraction(43, 70), Fraction(149, 240)),
         (7, 6, 7, 3, 4)),
        ("question_type", "span", "missing_as_zero",
         (None, Fraction(2, 5), Fraction(2, 5), None), (2, 1, 2, 0, 2)),
        ("page_band", "2-20", "missing_as_zero",
         (None, Fraction(4, 5), Fraction(4, 5), None), (1, 1, 1, 0, 1)),
        ("page_band", "unknown", "missing_as_zero",
         (Fraction(1), Fraction(3, 4), Fraction(5, 6), Fraction(7, 8)), (3, 3, 3, 1, 2)),
    ],
)  # fmt: skip
def test_figures_of_a_system_by_hand(
    scores_world: World,
    slice_type: str,
    name: str,
    policy: str,
    figures: tuple[Fraction | None, ...],
    counts: tuple[int, ...],
) -> None:
    row = scores_world.one(REPORT, "one", "end_to_end", slice_type, name, policy)
    names = ("num", "f1", "overall_item", "overall_macro")
    expected = [None if one is None else pytest.approx(float(one), abs=1e-15) for one in figures]
    assert [row[one] for one in names] == expected
    names = ("n_total", "n_scored", "n_included", "n_num", "n_lex")
    assert tuple(row[one] for one in names) == counts


def test_what_was_not_answered_stays_in_the_grid(scores_world: World) -> None:
    row = scores_world.one(REPORT, "two", "end_to_end", "all", "all", "missing_as_zero")
    # Three answers of five; nothing of the question set that it never took.
    assert (row["n_total"], row["n_scored"]) == (5, 3)
    assert row["overall_item"] == pytest.approx(2 / 15, abs=1e-15)


@pytest.mark.parametrize(
    ("policy", "oracle", "end_to_end", "difference", "n_pairs"),
    [
        ("missing_as_zero", Fraction(4, 5), Fraction(14, 25), Fraction(6, 25), 5),
        ("scored_only", Fraction(3, 4), Fraction(7, 10), Fraction(1, 20), 4),
    ],
)
def test_what_retrieval_costs_by_hand(
    scores_world: World,
    policy: str,
    oracle: Fraction,
    end_to_end: Fraction,
    difference: Fraction,
    n_pairs: int,
) -> None:
    row = scores_world.one(
        "select * from marts.rpt_slideagent__retrieval_costs where run_id = 'by_hand/run' "
        "and system_id = 'one' and dataset = 'alpha' and metric = 'overall_item' and policy = ?",
        policy,
    )
    names = ("oracle_estimate", "end_to_end_estimate", "difference")
    expected = [pytest.approx(float(one), abs=1e-12) for one in (oracle, end_to_end, difference)]
    assert [row[one] for one in names] == expected
    assert row["n_pairs"] == n_pairs
    assert row["percentile_low"] <= row["difference"] <= row["percentile_high"]
    # A whole of a run would mix question sets that one setting has and the other lacks.
    whole = scores_world.one(
        "select * from marts.rpt_slideagent__retrieval_costs where run_id = 'by_hand/run' "
        "and dataset = 'all' and metric = 'overall_item' and policy = ?",
        policy,
    )
    assert whole["n_pairs"] == n_pairs


def test_settings_are_never_averaged(scores_world: World) -> None:
    rows = scores_world.rows(
        "select distinct condition from marts.rpt_metric_summaries "
        "where benchmark = 'slideagent' and run_id = 'by_hand/run' and system_id = 'one'"
    )
    assert {row["condition"] for row in rows} == {"end_to_end", "oracle"}
