"""What is NULL, what is 0, and what is counted: V = 0, empty domains, statuses, agnostic decks."""

from __future__ import annotations

from tests.support.golden_trees import AUDIENCES
from tests.support.worlds import World


def fact(world: World, dataset_id: str, case_id: str, tau: int = 700) -> dict[str, object]:
    return world.one(
        "select * from marts.fct_xslides__deck_audience_scores "
        "where dataset_id = ? and case_id = ? and tau_a_thousandths = ?",
        dataset_id,
        case_id,
        tau,
    )


def test_without_an_included_probe_ratios_are_null(golden_world: World) -> None:
    row = fact(golden_world, "edges", "nothing_included")
    assert row["evaluation_status"] == "ok"
    assert (row["included_probe_count"], row["available_utility"]) == (0, 0.0)
    assert row["recovered_utility"] == 0.0
    undefined = {name for name, value in row.items() if value is None}
    assert undefined == {
        "deck_audience",
        "injection_suspected_count",
        "coverage",
        "coverage_unweighted",
        "coverage_low",
        "coverage_high",
        "efficiency_time",
        "efficiency_slide",
        "efficiency_word",
        "efficiency_time_literal",
        "efficiency_word_literal",
        "safe_efficiency_time",
    }
    assert row["correctness"] == 0.5
    assert fact(golden_world, "edges", "nothing_included", 600)["coverage"] == 1.0


def test_undefined_values_are_counted_and_leave_the_mean(golden_world: World) -> None:
    row = golden_world.one(
        "select * from marts.rpt_metric_summaries where run_id = 'edges/run' "
        "and metric = 'coverage' and slice_type = 'all' and tau_a_thousandths = 700 "
        "and policy = 'exclude_failed'"
    )
    assert (row["n_total"], row["n_scored"], row["n_included"], row["n_undefined"]) == (2, 2, 1, 1)
    assert row["estimate"] == 1.0
    assert row["standard_error"] is None
    assert row["interval_method"] == "none"


def test_a_domain_with_none_is_a_row_with_null(golden_world: World) -> None:
    rows = golden_world.rows(
        "select domain, included_probe_count, available_utility, recovered_utility, coverage "
        "from marts.fct_xslides__domain_recoveries "
        "where dataset_id = 'edges' and case_id = 'few_domains' and tau_a_thousandths = 700"
    )
    found = {row.pop("domain"): tuple(row.values()) for row in rows}
    assert found["evidence"] == (1, 1.0, 1.0, 1.0)
    assert found["method"][0] == 1
    empty = (0, 0.0, 0.0, None)
    assert {name for name, row in found.items() if row == empty} == {
        "context",
        "implementation",
        "implications",
        "limitations",
        "unclassified",
    }


def test_an_agnostic_deck_counts_for_three_audiences(golden_world: World) -> None:
    rows = [row for row in golden_world.scores("agnostic_deck") if row["tau_a_thousandths"] == 700]
    assert sorted(row["audience"] for row in rows) == list(AUDIENCES)
    assert {row["deck_audience"] for row in rows} == {None}
    assert len({row["evaluation_id"] for row in rows}) == 3
    assert {row["correctness"] for row in rows} == {0.5}
    values = {
        row["audience"]: (
            row["included_probe_count"],
            row["available_utility"],
            row["recovered_utility"],
        )
        for row in rows
    }
    # Probes 1 and 2 are covered; the weights decide what that is worth.
    assert values == {
        "decision_makers": (3, 2.8, 1.0),
        "learners": (2, 2.0, 2.0),
        "specialists": (2, 1.8, 0.0),
    }
    summaries = golden_world.rows(
        "select audience, n_total from marts.rpt_metric_summaries "
        "where run_id = 'agnostic_deck/run' and metric = 'coverage' and slice_type = 'all' "
        "and tau_a_thousandths = 700 and policy = 'exclude_failed'"
    )
    assert sorted((row["audience"], row["n_total"]) for row in summaries) == [
        (audience, 1) for audience in AUDIENCES
    ]


def test_every_status_and_what_it_leaves_null(golden_world: World) -> None:
    found = {
        row["case_id"]: (
            row["evaluation_status"],
            row["available_utility"],
            row["recovered_utility"],
            row["coverage"],
            row["coverage_high"],
            row["correctness"],
            row["n_missing"],
        )
        for row in golden_world.scores("statuses")
        if row["tau_a_thousandths"] == 700
    }
    assert found == {
        "broken": ("deck_failed", 2.0, None, None, None, None, 0),
        "complete": ("ok", 2.0, 2.0, 1.0, 1.0, 1.0, 0),
        "gap_in_scores": ("incomplete_scores", 2.0, 1.0, 0.5, 1.0, 1.0, 1),
        "gap_in_weights": ("incomplete_weights", None, None, None, None, None, 0),
        "never_run": ("not_run", 2.0, None, None, None, None, 2),
    }


def test_policies_differ_by_the_failed_deck(golden_world: World) -> None:
    rows = golden_world.rows(
        "select policy, n_total, n_scored, n_included, scored_share, estimate, micro_estimate "
        "from marts.rpt_metric_summaries where run_id = 'statuses/run' "
        "and metric = 'coverage' and slice_type = 'all' and tau_a_thousandths = 700 "
        "and weight_scope = 'utility-a, k2'"
    )
    assert {row.pop("policy"): tuple(row.values()) for row in rows} == {
        "exclude_failed": (5, 2, 2, 0.4, 0.75, 0.75),
        "failed_as_zero": (5, 2, 3, 0.4, 0.5, 0.5),
    }
