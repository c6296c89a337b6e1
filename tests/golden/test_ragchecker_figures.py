"""Figures of judged answers that were worked out by hand, as fractions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.support.worlds import World

SCORE = "select * from marts.fct_rageval__judgment_scores where dataset_id = 'by_hand'"

# Claims of the reference: 1 recalled of 3, passages entail 2, and 1 of these is used. Passages
# 1 and 2 of 3 are relevant. Claims of the response: 1 right from a relevant passage, 1 wrong
# from the irrelevant one, 1 wrong from both, 1 right and 1 wrong from none.
HARBOUR = {
    "answer_precision": Fraction(2, 5),
    "answer_recall": Fraction(1, 3),
    "answer_f1": Fraction(4, 11),
    "contradiction_rate": Fraction(1, 5),
    "unsupported_rate": Fraction(2, 5),
    "claim_recall": Fraction(2, 3),
    "context_precision": Fraction(2, 3),
    "context_utilization": Fraction(1, 2),
    "noise_sensitivity_in_relevant": Fraction(1, 5),
    "noise_sensitivity_in_irrelevant": Fraction(1, 5),
    "hallucination": Fraction(1, 5),
    "self_knowledge": Fraction(1, 5),
    "faithfulness": Fraction(3, 5),
}
# Without passages nothing can be said of them; what the reference says still can.
MILL = {
    **dict.fromkeys(HARBOUR),
    "answer_precision": Fraction(1, 3),
    "answer_recall": Fraction(1, 2),
    "answer_f1": Fraction(2, 5),
    "contradiction_rate": Fraction(1, 3),
    "unsupported_rate": Fraction(1, 3),
    "claim_recall": Fraction(0),
}


@pytest.mark.parametrize(("question_id", "expected"), [("harbour", HARBOUR), ("mill", MILL)])
def test_an_answer_by_hand(
    answers_world: World, question_id: str, expected: dict[str, Fraction | None]
) -> None:
    row = answers_world.one(f"{SCORE} and question_id = ?", question_id)
    assert {name: row[name] for name in expected} == {
        name: None if value is None else float(value) for name, value in expected.items()
    }


@pytest.mark.parametrize(
    ("metric", "policy", "macro", "pooled", "n_included"),
    [
        ("ragchecker_precision", "scored_only", Fraction(11, 30), Fraction(3, 8), 2),
        ("ragchecker_precision", "zero_fill", Fraction(11, 30), Fraction(3, 8), 2),
        ("ragchecker_recall", "zero_fill", Fraction(5, 12), Fraction(2, 5), 2),
        ("ragchecker_f1", "zero_fill", Fraction(21, 55), None, 2),
        ("ragchecker_faithfulness", "scored_only", Fraction(3, 5), Fraction(3, 5), 1),
        ("ragchecker_faithfulness", "zero_fill", Fraction(3, 10), Fraction(3, 5), 2),
        ("ragchecker_context_utilization", "zero_fill", Fraction(1, 4), Fraction(1, 2), 2),
    ],
)
def test_a_mean_and_a_pooled_share_by_hand(
    answers_world: World,
    metric: str,
    policy: str,
    macro: Fraction,
    pooled: Fraction | None,
    n_included: int,
) -> None:
    row = answers_world.one(
        "select * from marts.rpt_rageval__answer_metrics "
        "where run_id = 'by_hand/imported' and metric = ? and policy = ?",
        metric,
        policy,
    )
    assert row["macro_estimate"] == pytest.approx(float(macro), abs=1e-15)
    assert row["pooled_estimate"] == (None if pooled is None else float(pooled))
    assert (row["n_total"], row["n_scored"], row["n_included"]) == (2, 2, n_included)


@pytest.mark.parametrize(
    ("metric", "policy", "macro", "pooled", "counts"),
    [
        ("claims_entailment_rate", "scored_only", Fraction(3, 8), Fraction(3, 5), (3, 2, 2)),
        ("claims_entailment_rate", "zero_fill", Fraction(1, 4), Fraction(3, 5), (3, 2, 3)),
        ("claims_contradiction_rate", "zero_fill", Fraction(1, 12), Fraction(1, 5), (3, 2, 3)),
        ("claims_neutral_rate", "scored_only", Fraction(1, 2), Fraction(1, 5), (3, 2, 2)),
    ],
)
def test_labels_of_people_by_hand(
    answers_world: World,
    metric: str,
    policy: str,
    macro: Fraction,
    pooled: Fraction,
    counts: tuple[int, int, int],
) -> None:
    row = answers_world.one(
        "select * from marts.rpt_rageval__answer_metrics "
        "where run_id = 'labels/zero' and metric = ? and policy = ?",
        metric,
        policy,
    )
    assert row["macro_estimate"] == pytest.approx(float(macro), abs=1e-15)
    assert row["pooled_estimate"] == float(pooled)
    assert (row["n_total"], row["n_scored"], row["n_included"]) == counts
    assert (row["judge_id"], row["judge_kind"]) == ("human", "human")


@pytest.mark.parametrize(
    ("policy", "macro", "counts"),
    [
        ("scored_only", Fraction(5, 8), (3, 2, 2)),
        ("zero_fill", Fraction(5, 12), (3, 2, 3)),
    ],
)
def test_consistency_by_hand(
    answers_world: World, policy: str, macro: Fraction, counts: tuple[int, int, int]
) -> None:
    row = answers_world.one(
        "select * from marts.rpt_rageval__answer_metrics "
        "where run_id = 'said/imported' and metric = 'consistency' and policy = ?",
        policy,
    )
    assert row["macro_estimate"] == pytest.approx(float(macro), abs=1e-15)
    # Codes would have made (1 + 1 + 0 + 1 - 1 + 1) / 6 of the same labels.
    assert row["pooled_estimate"] == 4 / 6
    assert (row["n_total"], row["n_scored"], row["n_included"]) == counts
