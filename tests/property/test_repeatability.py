"""A judge's agreement with itself on 200 random trees, against its definition in fractions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from expectations import gate
from ingest.xslides.land import LandOptions, land
from tests.support import resampling, spoiled
from tests.support.random_trees import OTHER_JUDGE
from tests.support.reference_files import read_tree
from tests.support.reference_repeatability import RepeatKey, Repeats, repeats_of
from tests.support.trees import write_json
from tests.support.worlds import World
from warehouse.findings import Finding, Outcome
from warehouse.paths import WarehousePaths

RULED = frozenset({OTHER_JUDGE["id"]})
LOW, HIGH = 250, 9_751


@pytest.fixture(scope="module")
def expected(random_world: World) -> dict[RepeatKey, Repeats]:
    found: dict[RepeatKey, Repeats] = {}
    for dataset_id in random_world.reports:
        found |= repeats_of(dataset_id, read_tree(random_world.root / dataset_id), RULED)
    return found


@pytest.fixture(scope="module")
def rows(random_world: World) -> dict[RepeatKey, dict[str, Any]]:
    found = random_world.rows("select * from marts.rpt_judge_repeatability")
    keyed = {RepeatKey(*(row[name] for name in RepeatKey._fields)): row for row in found}
    assert len(keyed) == len(found)
    return keyed


def status_of(key: RepeatKey, cell: Repeats) -> str:
    if key.judge_id in RULED:
        return "deterministic_judge"
    if not cell.pairs:
        return "no_repeats"
    return "no_variation" if cell.alpha is None else "measured"


def test_every_cell_is_there_with_its_reason(
    expected: dict[RepeatKey, Repeats], rows: dict[RepeatKey, dict[str, Any]]
) -> None:
    assert rows.keys() == expected.keys()
    found = {key: row["repeatability_status"] for key, row in rows.items()}
    assert found == {key: status_of(key, cell) for key, cell in expected.items()}
    assert min(Counter(found.values())[name] for name in ("measured", "no_repeats")) > 15
    assert "deterministic_judge" in found.values()
    sampled = {key: status for key, status in found.items() if key.repeat_source == "repeats"}
    assert list(sampled.values()).count("measured") > 10
    assert {key.condition for key in sampled} == {"agnostic", "conditioned"}


def test_every_agreement_and_alpha(
    expected: dict[RepeatKey, Repeats], rows: dict[RepeatKey, dict[str, Any]]
) -> None:
    wrong: list[tuple[Any, ...]] = []
    for key, row in rows.items():
        cell = expected[key]
        for name, value in (
            ("agreement_share", cell.agreement),
            ("krippendorff_alpha", cell.alpha),
        ):
            got = row[name]
            if (got is None) != (value is None):
                wrong.append((key, name, got, value))
            elif value is not None and abs(got - float(value)) > 1e-12:
                wrong.append((key, name, got, float(value)))
    assert not wrong, wrong[:5]


def test_every_count(
    expected: dict[RepeatKey, Repeats], rows: dict[RepeatKey, dict[str, Any]]
) -> None:
    for key, row in rows.items():
        units, pairs = expected[key].units, expected[key].pairs
        assert row["n_repeated_probes"] == len(units), key
        assert row["n_unanimous_probes"] == sum(len(set(one)) == 1 for one in units), key
        assert row["n_ratings"] == sum(map(len, units)), key
        assert row["n_covered_ratings"] == sum(map(sum, units)), key
        assert row["n_rating_pairs"] == len(pairs), key
        assert row["n_disagreeing_pairs"] == sum(one != other for one, other in pairs), key
        assert row["unit_count"] == len(expected[key].by_case), key


def test_every_interval_resamples_cases(
    expected: dict[RepeatKey, Repeats], rows: dict[RepeatKey, dict[str, Any]]
) -> None:
    compared = 0
    for key, row in rows.items():
        by_case = np.array(expected[key].by_case, dtype=np.int64).reshape(-1, 2)
        if len(by_case) < 2:
            assert (row["percentile_low"], row["interval_method"]) == (None, "none"), key
            continue
        sums = resampling.counts(len(by_case)) @ by_case
        shares = np.sort(sums[:, 0] / sums[:, 1])
        assert row["percentile_low"] == shares[LOW - 1], key
        assert row["percentile_high"] == shares[HIGH - 1], key
        assert row["expanded_low"] <= row["percentile_low"], key
        assert row["expanded_high"] >= row["percentile_high"], key
        compared += 1
    assert compared > 10


# What one deck cannot differ in between the audiences that it is judged for.


def findings_on(root: Path, base: Path) -> tuple[Finding, ...]:
    paths = WarehousePaths(base / "warehouse")
    report = land(paths, root, LandOptions())
    return (*report.findings, *gate.check_landing(paths, "xslides").verdict.findings)


def test_claims_that_differ_between_audiences_of_one_deck_are_a_warning(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    folder = (root / spoiled.SCORES).parent
    claims = [{"claim_id": "c0", "text": "A claim.", "slide": 1, "label": "unsupported"}]
    write_json(folder / "correctness.json", {"claims": claims})
    (finding,) = findings_on(root, tmp_path)
    assert finding.check == "one_deck_has_one_set_of_claims"
    assert finding.subject == "system_a/agnostic/agnostic/case_001"
    assert finding.outcome is Outcome.WARNED


def test_counts_that_differ_between_audiences_of_one_deck_are_a_warning(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    folder = (root / spoiled.SCORES).parent
    write_json(folder / "deck_stats.json", {"slide_count": 9, "visible_word_count": 700})
    (finding,) = findings_on(root, tmp_path)
    assert finding.check == "one_deck_has_one_set_of_counts"
    assert finding.outcome is Outcome.WARNED


def test_an_unknown_origin_of_judgments_is_a_reject(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    tree = spoiled.plant(tmp_path / "data")
    tree.evaluation("case_001", "learners", [], stated={"judgments": "borrowed"})
    report = land(WarehousePaths(tmp_path / "warehouse"), root, LandOptions())
    (reject,) = report.rejects
    assert (reject.reason, reject.source_file) == ("unknown_value", spoiled.MANIFEST)
    assert "borrowed" in reject.message
