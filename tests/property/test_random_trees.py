"""200 random trees through the whole warehouse, against exact fractions."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from tests.support.reference import DOMAINS, TAUS, Evaluation
from tests.support.reference_files import read_tree
from tests.support.reference_summaries import CellKey, summarize
from tests.support.worlds import World

TOLERANCE = 1e-9
COUNTS = ("n_total", "n_scored", "n_included", "n_undefined")


def differs(got: Any, expected: Any) -> bool:
    if got is None or expected is None:
        return (got is None) != (expected is None)
    return math.isnan(got) or abs(got - float(expected)) > TOLERANCE * max(1, abs(float(expected)))


def place(row: dict[str, Any]) -> tuple[str, ...]:
    names = ("run_id", "system_id", "condition", "audience", "case_id", "variant")
    return tuple(row[name] for name in names)


def expected_evaluations(world: World) -> dict[tuple[str, ...], Evaluation]:
    found: dict[tuple[str, ...], Evaluation] = {}
    for dataset_id in world.reports:
        for one in read_tree(world.root / dataset_id):
            key = (f"{dataset_id}/{one.run}", one.system_id, one.condition, one.audience)
            found[(*key, one.case_id, one.variant)] = one
    return found


def test_every_metric_of_every_evaluation(random_world: World) -> None:
    expected = expected_evaluations(random_world)
    rows = random_world.rows("select * from marts.fct_xslides__deck_audience_scores")
    assert len(rows) == len(expected) * len(TAUS)
    assert {place(row) for row in rows} == set(expected)
    wrong: list[tuple[Any, ...]] = []
    compared: Counter[str] = Counter()
    for row in rows:
        one = expected[place(row)]
        identity = (one.status, one.judge_id, one.weight_scope)
        if (row["evaluation_status"], row["judge_id"], row["weight_scope"]) != identity:
            wrong.append((place(row), "identity", identity, row))
        for name, value in one.metrics(row["tau_a_thousandths"]).items():
            compared[name] += value is not None
            if differs(row[name], value):
                wrong.append((place(row), row["tau_a_thousandths"], name, row[name], value))
    assert not wrong, (len(wrong), wrong[:5])
    assert min(compared.values()) > 100, compared


def test_every_count_of_judgments(random_world: World) -> None:
    expected = expected_evaluations(random_world)
    for row in random_world.rows("select * from marts.fct_xslides__deck_audience_scores"):
        one = expected[place(row)]
        statuses = Counter(judgment.status for judgment in one.judgments.values())
        abstained = sum(
            judgment.status == "judged" and judgment.verdict == "abstain"
            for judgment in one.judgments.values()
        )
        counts = (
            len(one.domains),
            len(one.judgments),
            len(one.domains) - len(one.judgments),
            statuses["filled"],
            statuses["failed"],
            abstained,
        )
        names = ("probe_count", "score_count", "n_missing", "n_filled", "n_failed", "n_abstained")
        assert tuple(row[name] for name in names) == counts, place(row)


def test_every_domain_recovery(random_world: World) -> None:
    expected = expected_evaluations(random_world)
    rows = random_world.rows("select * from marts.fct_xslides__domain_recoveries")
    assert len(rows) == len(expected) * len(TAUS) * len(DOMAINS)
    wrong: list[tuple[Any, ...]] = []
    for row in rows:
        one = expected[place(row)]
        sums = one.sums(row["tau_a_thousandths"], row["domain"])
        values = {
            "included_probe_count": sums.included if one.has_all_weights else None,
            "available_utility": sums.available if one.has_all_weights else None,
            "covered_probe_count": sums.covered if one.is_scored else None,
            "recovered_utility": sums.recovered if one.is_scored else None,
            "coverage": sums.recovered / sums.available
            if one.is_scored and sums.available
            else None,
        }
        wrong += [
            (place(row), row["tau_a_thousandths"], row["domain"], name, row[name], value)
            for name, value in values.items()
            if differs(row[name], value)
        ]
    assert not wrong, (len(wrong), wrong[:5])


def test_domains_add_up_to_the_whole(random_world: World) -> None:
    assert not random_world.rows(
        """
        select evaluation_id, tau_a_thousandths
        from marts.fct_xslides__deck_audience_scores as whole
        inner join (
            select
                evaluation_id,
                tau_a_thousandths,
                sum(available_utility) as available,
                sum(recovered_utility) as recovered,
                sum(included_probe_count) as included
            from marts.fct_xslides__domain_recoveries
            group by all
        ) as parts using (evaluation_id, tau_a_thousandths)
        where abs(available - available_utility) > 1e-9
            or abs(recovered - recovered_utility) > 1e-9
            or included <> included_probe_count
            or (available is null) <> (available_utility is null)
        """
    )


def test_every_summary_cell(random_world: World) -> None:
    expected = {}
    for dataset_id in random_world.reports:
        expected.update(summarize(dataset_id, read_tree(random_world.root / dataset_id)))
    names = [*CellKey._fields, "estimate", "micro_estimate", "standard_error", *COUNTS]
    columns = ", ".join(name.replace("tau", "tau_a_thousandths") for name in names)
    query = f"select {columns}, scored_share from marts.rpt_metric_summaries"
    found = random_world.connection.execute(query).fetchall()
    width = len(CellKey._fields)
    keys = [CellKey(*row[:width]) for row in found]
    assert len(set(keys)) == len(keys)
    assert set(keys) == set(expected)
    wrong: list[tuple[Any, ...]] = []
    for row in found:
        cell = expected[CellKey(*row[:width])]
        estimates = (cell.estimate, cell.micro_estimate, cell.standard_error)
        counts = (cell.n_total, cell.n_scored, len(cell.values), cell.n_undefined)
        pairs = zip(row[width : width + 3], estimates, strict=True)
        if any(differs(*pair) for pair in pairs) or row[width + 3 : width + 7] != counts:
            wrong.append((row, estimates, counts))
        elif differs(row[-1], cell.n_scored / cell.n_total):
            wrong.append((row, cell.n_scored, cell.n_total))
    assert not wrong, (len(wrong), wrong[:5])


def test_the_trees_hold_what_they_should(random_world: World) -> None:
    statuses = {
        row["evaluation_status"]
        for row in random_world.rows("select * from marts.fct_xslides__deck_audience_scores")
    }
    assert statuses == {"ok", "incomplete_scores", "incomplete_weights", "deck_failed", "not_run"}
    ones = expected_evaluations(random_world).values()
    assert any(one.variant for one in ones)
    assert {one.condition for one in ones} == {"agnostic", "conditioned"}
    assert any(one.is_scored and not one.sums(700).available for one in ones)
    assert any("odd" in one.labels for one in ones)
    assert any(one.words == 0 and one.slides for one in ones if one.is_scored)
    assert not random_world.rows("select * from marts.fct_rejects")
