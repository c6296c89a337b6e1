"""Two judges of the same decks, against kappa in fractions and differences by numpy."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support import resampling
from tests.support.judge_pair_trees import DATASET, NO_HASH, RUNS
from tests.support.worlds import World

LOW, HIGH = 250, 9_751
CELL = ("first_run_id", "second_run_id", "system_id", "condition", "audience")
TASKS = {"answerability": 0, "verification": 1}
Cell = tuple[str, ...]
Pairs = dict[str, list[tuple[str, str]]]
METRICS = {
    "coverage": {"answerability"},
    "coverage_unweighted": {"answerability"},
    "efficiency_time": {"answerability"},
    "efficiency_slide": {"answerability"},
    "efficiency_word": {"answerability"},
    "correctness": {"verification"},
    "safe_efficiency_time": {"answerability", "verification"},
}


def labels_of(folder: Path, task: str) -> dict[Any, str]:
    """Return what one evaluation says of each thing: by probe, or by id and text of a claim."""
    if task == "verification":
        path = folder / "correctness.json"
        claims = json.loads(path.read_text())["claims"] if path.is_file() else []
        return {
            (one["claim_id"], one["text"]): one["label"]
            for one in claims
            if one["label"] != "failed"
        }
    rows = [json.loads(line) for line in (folder / "probe_scores.jsonl").read_text().splitlines()]
    return {
        row["probe_id"]: "covered" if row["covered"] else "uncovered"
        for row in rows
        if row["metadata"].get("judgment_status", "judged") == "judged"
    }


def matched(root: Path, task: str) -> dict[Cell, dict[str, tuple[Path, Path]]]:
    """Return the pairs of evaluations of the same deck under different judges, by cell and case."""
    found: dict[Cell, dict[str, tuple[Path, Path]]] = defaultdict(dict)
    for one, other in combinations(sorted(RUNS), 2):
        if RUNS[one][TASKS[task]] == RUNS[other][TASKS[task]]:
            continue
        for folder in sorted((root / "runs" / one / "evaluations").glob("*/*/*/*")):
            twin = root / "runs" / other / folder.relative_to(root / "runs" / one)
            case = folder.name
            if twin.is_dir() and case != NO_HASH and sha_of(folder) == sha_of(twin):
                cell = (f"{DATASET}/{one}", f"{DATASET}/{other}", *folder.parts[-4:-1])
                found[cell][case] = (folder, twin)
    return found


def sha_of(folder: Path) -> str:
    return str(json.loads((folder / "run_manifest.json").read_text())["deck_sha256"])


def kappa(pairs: list[tuple[str, str]]) -> Fraction | None:
    """Return Cohen's kappa by its definition."""
    n = len(pairs)
    if not n:
        return None
    observed = Fraction(sum(one == other for one, other in pairs), n)
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    chance = sum((Fraction(first[label] * second[label], n * n) for label in first), Fraction())
    return None if chance == 1 else (observed - chance) / (1 - chance)


def rows_of(world: World, mart: str, **where: Any) -> dict[Cell, dict[str, Any]]:
    clauses = " and ".join(f"{name} = ?" for name in where)
    rows = world.rows(
        f"select * from marts.{mart} where first_run_id like '{DATASET}/%' and {clauses}",
        *where.values(),
    )
    found = {tuple(row[name] for name in CELL): row for row in rows}
    assert len(found) == len(rows)
    return found


@pytest.mark.parametrize("task", TASKS)
def test_agreement_and_kappa_equal_fractions(task: str, golden_world: World) -> None:
    rows = rows_of(golden_world, "rpt_judge_agreements", task=task)
    expected = matched(golden_world.root / DATASET, task)
    assert rows.keys() == expected.keys()
    for cell, cases in expected.items():
        sides = [[labels_of(folder, task) for folder in pair] for pair in cases.values()]
        pairs = [(one[key], other[key]) for one, other in sides for key in one if key in other]
        row = rows[cell]
        assert row["n_compared"] == len(pairs)
        assert row["n_agreeing"] == sum(one == other for one, other in pairs)
        assert row["n_first_unmatched"] == sum(len(one) for one, _ in sides) - len(pairs)
        assert row["n_second_unmatched"] == sum(len(other) for _, other in sides) - len(pairs)
        value = kappa(pairs)
        assert (row["cohens_kappa"] is None) == (value is None), cell
        if value is not None:
            assert row["cohens_kappa"] == pytest.approx(float(value), abs=1e-15)
        if task == "answerability":
            assert row["n_first_covered"] == sum(one == "covered" for one, _ in pairs)
            assert row["n_second_covered"] == sum(other == "covered" for _, other in pairs)


@pytest.mark.parametrize("task", TASKS)
def test_intervals_of_agreement_resample_cases(task: str, golden_world: World) -> None:
    rows = rows_of(golden_world, "rpt_judge_agreements", task=task)
    compared = 0
    for cell, cases in matched(golden_world.root / DATASET, task).items():
        counts = []
        for _, (one, other) in sorted(cases.items()):
            first, second = labels_of(one, task), labels_of(other, task)
            both = first.keys() & second.keys()
            if both:
                counts.append((sum(first[key] == second[key] for key in both), len(both)))
        if len(counts) < 2:
            assert rows[cell]["percentile_low"] is None
            continue
        sums = resampling.counts(len(counts)) @ np.array(counts, dtype=np.int64)
        shares = np.sort(sums[:, 0] / sums[:, 1])
        assert rows[cell]["percentile_low"] == shares[LOW - 1], cell
        assert rows[cell]["percentile_high"] == shares[HIGH - 1], cell
        compared += 1
    assert compared > 10


@pytest.mark.parametrize("metric", METRICS)
def test_differences_equal_numpy(metric: str, golden_world: World) -> None:
    rows = rows_of(golden_world, "rpt_judge_differences", metric=metric)
    values = {
        (row["run_id"], row["system_id"], row["condition"], row["audience"], row["case_id"]): row
        for row in golden_world.rows(
            f"select *, {metric} as value from marts.fct_xslides__deck_audience_scores "
            "where dataset_id = ? and tau_a_thousandths = 700",
            DATASET,
        )
    }
    expected: dict[Cell, set[str]] = defaultdict(set)
    for task in METRICS[metric]:
        for cell, cases in matched(golden_world.root / DATASET, task).items():
            expected[cell] |= cases.keys()
    assert rows.keys() == expected.keys()
    for cell, cases in expected.items():
        one, other, *who = cell
        sides = [
            [values[run, *who, case]["value"] for run in (one, other)] for case in sorted(cases)
        ]
        defined = [pair for pair in sides if None not in pair]
        gaps = np.array([round(x * 1e9) - round(y * 1e9) for x, y in defined], dtype=np.int64)
        row = rows[cell]
        assert row["n_pairs"] == len(gaps)
        assert row["n_undefined"] == len(sides) - len(gaps)
        assert row["n_other_weights"] == 0
        if not len(gaps):
            assert row["difference"] is None
            continue
        assert row["difference"] == pytest.approx(gaps.sum() / len(gaps) / 1e9, abs=1e-15)
        if len(gaps) < 2:
            continue
        sums = np.sort(resampling.counts(len(gaps)) @ gaps)
        assert row["percentile_low"] == sums[LOW - 1] / len(gaps) / 1e9
        assert row["percentile_high"] == sums[HIGH - 1] / len(gaps) / 1e9
        assert row["p_holm"] >= row["p_value"]
