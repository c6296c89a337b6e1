"""What becomes of judgments that are missing, failed or refused in published numbers (J, C)."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from tests.support.landed import findings_of, read_landed
from tests.support.trees import Tree, probe, score, weight
from tests.support.worlds import Row, World, build_world

pytestmark = pytest.mark.faults
AUDIENCE = "learners"
NOT_JUDGED = {"confidence": 0.0, "verdict": "uncovered"}
# Judgments of each case's deck: covered, uncovered, filled, failed, or a row that is not there.
CASES = {
    "whole": ("covered", "covered", "uncovered", "uncovered"),
    "one_of_three": ("covered", "filled", "filled"),
    "rate_limited": ("covered", "covered", "failed", "failed"),
    "torn": ("covered", "missing"),
    "never_judged": (),
    "without_a_weight": ("covered", "covered"),
}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    root = tmp_path_factory.mktemp("judging")
    tree = Tree(root / "judged")
    for case, kinds in CASES.items():
        names = [f"pb_{number:04d}" for number in range(1, (len(kinds) or 3) + 1)]
        weights: list[Row] = [weight(name, AUDIENCE, [1.0, 1.0]) for name in names]
        if case == "without_a_weight":
            del weights[1]["utility_weight"]
        tree.case(case, [probe(name, case) for name in names], {AUDIENCE: weights})
        if kinds:
            scores = [
                judgment(name, kind)
                for name, kind in zip(names, kinds, strict=True)
                if kind != "missing"
            ]
            labels = ["failed"] * 3 if case == "torn" else ["supported", "failed", "contradicted"]
            tree.evaluation(case, AUDIENCE, scores, claims=labels)
    lines = [f"system_a,agnostic,agnostic,{case}\n" for case in CASES]
    sheet = tree.root / "runs" / "run" / "run_sheet.csv"
    sheet.write_text("system_id,condition,audience,case_label\n" + "".join(lines))
    made = build_world(root, [tree.root])
    yield made
    made.connection.close()


def judgment(name: str, kind: str) -> Row:
    if kind in ("filled", "failed"):
        return score(name, False, judgment_status=kind, **NOT_JUDGED)
    return score(name, kind == "covered")


def fact(world: World, case: str) -> Row:
    return world.one(
        "select * from marts.fct_xslides__deck_audience_scores "
        "where case_id = ? and tau_a_thousandths = 700",
        case,
    )


def cell(world: World, metric: str) -> Row:
    return world.one(
        "select * from marts.rpt_metric_summaries where metric = ? and slice_type = 'all' "
        "and tau_a_thousandths = 700 and policy = 'exclude_failed' "
        "and weight_scope <> 'none'",
        metric,
    )


def test_j01_the_denominator_is_what_was_asked(world: World) -> None:
    row = fact(world, "one_of_three")
    assert (row["included_probe_count"], row["covered_probe_count"]) == (3, 1)
    assert row["coverage"] == row["coverage_unweighted"] == pytest.approx(1 / 3)
    assert (row["coverage_low"], row["coverage_high"]) == (pytest.approx(1 / 3), 1.0)
    assert (row["n_filled"], row["n_failed"], row["n_missing"]) == (2, 0, 0)


def test_a_row_that_failed_stays_in_the_denominator(world: World) -> None:
    row = fact(world, "rate_limited")
    assert row["included_probe_count"] == 4
    # Without the two that met a rate limit it would be 1.
    assert (row["coverage"], row["coverage_low"], row["coverage_high"]) == (0.5, 0.5, 1.0)
    assert (row["n_filled"], row["n_failed"], row["n_missing"]) == (0, 2, 0)


def test_a_row_that_is_not_there_stays_in_the_denominator(world: World) -> None:
    row = fact(world, "torn")
    assert row["evaluation_status"] == "incomplete_scores"
    assert (row["coverage"], row["coverage_high"], row["n_missing"]) == (0.5, 1.0, 1)
    told = [one.outcome.value for one in findings_of(world.paths) if "torn" in one.subject]
    assert "incomplete" in told


def test_j07_what_was_not_judged_is_null_with_a_reason_and_counted(world: World) -> None:
    row = fact(world, "never_judged")
    assert row["evaluation_status"] == "not_run"
    values = [row[name] for name in ("coverage", "efficiency_time", "correctness")]
    assert values == [None, None, None]
    # Claims that all failed give no share of supported ones either.
    torn = fact(world, "torn")
    assert (torn["correctness"], torn["claim_count"], torn["settled_claim_count"]) == (None, 3, 0)
    coverage, correctness = cell(world, "coverage"), cell(world, "correctness")
    assert (coverage["n_total"], coverage["n_scored"], coverage["n_included"]) == (6, 4, 4)
    assert coverage["estimate"] == pytest.approx((0.5 + 1 / 3 + 0.5 + 0.5) / 4)
    assert correctness["n_included"] == 3
    assert correctness["estimate"] == 0.5
    numbers = [value for value in coverage.values() if isinstance(value, float)]
    assert all(map(math.isfinite, numbers))


def test_j10_a_missing_input_is_named_and_its_metrics_are_null(world: World) -> None:
    row = fact(world, "without_a_weight")
    assert row["evaluation_status"] == "incomplete_weights"
    assert [row[name] for name in ("available_utility", "coverage")] == [None, None]
    (reject,) = read_landed(world.paths, "core.rejects")
    assert reject["reason"] == "missing_field"
    assert "utility_weight" in str(reject)
    checks = {(one.check, one.subject) for one in findings_of(world.paths)}
    assert ("every_probe_has_a_weight", f"without_a_weight/{AUDIENCE}/pb_0002") in checks
