"""Passports: what a mean takes of a row, when sums agree, which probes are included."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest

from warehouse import passport, passport_probes
from warehouse.passport import Sum

Row = dict[str, Any]


def counted(metric: str = "coverage", policy: str = "failed_as_zero", **row: Any) -> float | None:
    cell = {"metric": metric, "policy": policy, "judge_kind": "llm"}
    failed = {"value": None, "evaluation_status": "deck_failed", "available_utility": 2.0}
    return passport._counted(cell, {**failed, **row})


def test_a_failed_deck_counts_as_zero_by_its_policy_alone() -> None:
    assert counted() == 0.0
    assert counted(metric="efficiency_time") == 0.0
    assert counted(policy="exclude_failed") is None


def test_a_failed_deck_is_no_zero_where_nothing_was_to_be_had() -> None:
    assert counted(available_utility=0.0) is None
    assert counted(available_utility=None) is None
    assert counted(metric="correctness") is None
    assert counted(evaluation_status="not_run") is None


@pytest.mark.parametrize(
    ("recomputed", "published", "agrees"),
    [
        (0.5, 0.5 + 5e-13, True),
        (0.5, 0.5 + 2e-12, False),
        (5000.0, 5000.0 + 2e-9, True),
        (None, None, True),
        (0.0, None, False),
        (None, 0.0, False),
    ],
)
def test_sums_agree_to_their_tolerance(
    recomputed: float | None, published: float | None, agrees: bool
) -> None:
    assert Sum("estimate", "coverage", recomputed, published).agrees is agrees


def probes(weights: list[Row], scores: list[Row], tau: int = 700) -> list[Row]:
    """Run the query of a passport over hand-made rows, one probe a weight."""
    with duckdb.connect() as connection:
        connection.execute("create schema xslides")
        connection.execute("attach ':memory:' as published")
        connection.execute(
            "create table published.main.dim_xslides__probes as select 'bank' as bank_id, "
            "'p' || range as probe_id, 'method' as domain, 'stated' as domain_rule from range(9)"
        )
        connection.execute(
            "create table xslides.evaluations as "
            "select 'e' as evaluation_id, 'bank' as bank_id, 'set' as weight_set_id"
        )
        connection.execute(
            "create table xslides.probes (bank_id text, probe_id text, question text, "
            "source_file text, source_line bigint)"
        )
        connection.execute(
            "create table xslides.weights (weight_set_id text, probe_id text, "
            "utility_weight double, sample_count bigint, sample_tenths_sum bigint, reason text, "
            "source_file text, source_line bigint)"
        )
        connection.execute(
            "create table xslides.probe_scores (evaluation_id text, probe_id text, "
            "covered boolean, verdict text, judgment_status text, answer text, "
            "cited_evidence text, source_file text, source_line bigint)"
        )
        for number, (weight, score) in enumerate(zip(weights, scores, strict=True)):
            name = f"p{number}"
            connection.execute("insert into xslides.probes values ('bank', ?, 'q', 'f', 1)", [name])
            if weight:
                values = [name, weight.get("w"), weight.get("k"), weight.get("s")]
                connection.execute(
                    "insert into xslides.weights values ('set', ?, ?, ?, ?, '', 'f', 1)", values
                )
            if score:
                connection.execute(
                    "insert into xslides.probe_scores values ('e', ?, ?, ?, ?, '', '', 'f', 1)",
                    [name, score["covered"], score["verdict"], score["status"]],
                )
        return passport_probes._run(
            connection, passport_probes._PROBES, evaluation_id="e", tau=tau, domain=None
        )


COVERED = {"covered": True, "verdict": "covered", "status": "judged"}


@pytest.mark.parametrize(
    ("weight", "is_included"),
    [
        ({"w": 0.6999999, "k": 6, "s": 42}, True),
        ({"w": 0.7, "k": 6, "s": 41}, False),
        ({"w": 0.7}, True),
        ({"w": 0.7 - 9e-10}, True),
        ({"w": 0.7 - 2e-9}, False),
        ({}, None),
    ],
)
def test_inclusion_is_exact_with_samples_and_has_slack_without(
    weight: Row, is_included: bool | None
) -> None:
    (probe,) = probes([weight], [COVERED])
    assert probe["is_included"] is is_included


def test_only_judged_coverage_is_recovered() -> None:
    scores: list[Row] = [
        COVERED,
        {**COVERED, "status": "filled"},
        {**COVERED, "status": "failed"},
        {"covered": False, "verdict": "abstain", "status": "judged"},
        {},
    ]
    found = probes([{"w": 1.0}] * 5, scores)
    assert [one["is_covered"] for one in found] == [True, False, False, False, False]
    assert found[-1]["judgment_status"] == "missing"


def test_utilities_are_exact_for_every_kind_of_weight() -> None:
    weights = [{"w": 0.0, "k": 3, "s": 22}, {"w": 0.0, "k": 17, "s": 170}, {"w": 0.9}]
    found = probes(weights, [COVERED] * 3)
    assert passport_probes._utility(found) == pytest.approx(22 / 30 + 1.0 + 0.9, abs=1e-12)
