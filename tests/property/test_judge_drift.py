"""Drift between anchor runs, on random verdicts, against fractions and numpy; and its alarm."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from tests.support import resampling
from warehouse import landing, manifests
from warehouse.build import run_build
from warehouse.contracts.core import ANCHOR_JUDGMENTS
from warehouse.manifests import Manifest
from warehouse.paths import WarehousePaths

LOW, HIGH = 250, 9_751
VERDICTS = ("covered", "uncovered", "abstain", "failed")
KINDS = ("negation", "verbatim", "swapped_number")
Row = dict[str, Any]
# Runs in time order: judge, name, share of items drawn anew against the run before.
RUNS = (
    ("judge-a", "r1", 1.0),
    ("judge-b", "r2", 1.0),
    ("judge-a", "r3", 0.02),
    ("judge-a", "r4", 0.3),
    ("judge-b", "r0", 0.0),
    ("judge-a", "fell", None),
)


def anchor_runs() -> dict[str, list[Row]]:
    """Return the rows of each run; `fell` says `failed` to a third of what was right."""
    draw = random.Random(53)
    last: dict[str, list[str]] = {}
    expected = [draw.choice(VERDICTS[:2]) for _ in range(60)]
    runs = {}
    for number, (judge, name, share) in enumerate(RUNS):
        before = last.get(judge, expected)
        if share is None:
            said = ["failed" if place % 3 == 0 else one for place, one in enumerate(before)]
        else:
            said = [
                draw.choice((*VERDICTS, right, right)) if draw.random() < share else one
                for one, right in zip(before, expected, strict=True)
            ]
        last[judge] = said
        runs[name] = [
            {
                "anchor_run_id": name,
                "set_name": "items",
                "set_sha256": "a" * 64,
                "item_id": f"i{place:03d}",
                "kind": KINDS[place % 3],
                "task": "answerability",
                "expected": right,
                "verdict": one,
                "is_correct": one != "failed" and (one == "covered") == (right == "covered"),
                "judge_kind": "llm",
                "judge_id": judge,
                "prompt_sha256": ("b" if name == "r1" else "c") * 64,
                "model_served": "snapshot-2" if name == "r4" else "snapshot-1",
                "started_at": f"2026-01-0{number + 1}T00:00:00+00:00",
                "asked_at": "2026-01-09T00:00:00+00:00",
                "source_file": f"anchor_runs/{name}/verdicts.jsonl",
                "source_line": place + 1,
            }
            for place, (one, right) in enumerate(zip(said, expected, strict=True))
        ]
    return runs


def build(folder: Path, names: Sequence[str]) -> list[Row]:
    """Land some runs and return the rows of the mart."""
    paths = WarehousePaths(folder)
    for name in names:
        manifest = Manifest(
            benchmark="xslides",
            unit=f"@anchors/{name}",
            shard=manifests.WHOLE,
            dataset_id="@anchors",
            source_root=str(folder),
            code_version="test",
            input_sha256="0" * 64,
            inputs=(),
            files=(landing.write_table(paths, ANCHOR_JUDGMENTS, anchor_runs()[name]),),
        )
        manifests.write(paths, manifest)
    # The draws read the sizes of all cells, and so all that stands before them.
    result = run_build(paths, select="+rpt_judge_drift fct_anchor_judgments", with_unit_tests=False)
    assert not result.findings, result.findings
    with duckdb.connect(str(paths.build_file), read_only=True) as connection:
        return connection.sql("select * from marts.rpt_judge_drift").to_arrow_table().to_pylist()


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Row]:
    rows = build(tmp_path_factory.mktemp("drift"), [name for _, name, _ in RUNS])
    keyed = {(row["anchor_run_id"], row["kind"]): row for row in rows}
    assert len(keyed) == len(rows) == len(RUNS) * (1 + len(KINDS))
    return keyed


def before(name: str) -> str | None:
    judge = next(one for one, other, _ in RUNS if other == name)
    names = [other for one, other, _ in RUNS if one == judge]
    place = names.index(name)
    return names[place - 1] if place else None


def pairs(name: str, kind: str) -> list[tuple[Row, Row]]:
    previous = before(name)
    if previous is None:
        return []
    runs = anchor_runs()
    both = zip(runs[name], runs[previous], strict=True)
    return [(now, then) for now, then in both if kind in ("all", now["kind"])]


def kappa(labels: list[tuple[str, str]]) -> Fraction | None:
    n = len(labels)
    observed = Fraction(sum(one == other for one, other in labels), n)
    first, second = Counter(one for one, _ in labels), Counter(other for _, other in labels)
    chance = sum((Fraction(first[label] * second[label], n * n) for label in first), Fraction())
    return None if chance == 1 else (observed - chance) / (1 - chance)


def test_every_run_is_compared_with_the_one_before_it_in_time(
    found: dict[tuple[str, str], Row],
) -> None:
    for (name, kind), row in found.items():
        assert row["previous_run_id"] == before(name), (name, kind)
        assert row["is_latest"] == (name in ("r0", "fell"))


def test_agreement_kappa_and_accuracy_equal_fractions(found: dict[tuple[str, str], Row]) -> None:
    for (name, kind), row in found.items():
        compared = pairs(name, kind)
        if not compared:
            assert (row["agreement_share"], row["cohens_kappa"], row["difference"]) == (None,) * 3
            continue
        labels = [(now["verdict"], then["verdict"]) for now, then in compared]
        changed = sum(one != other for one, other in labels)
        assert row["n_changed"] == changed
        assert row["agreement_share"] == pytest.approx(1 - changed / len(labels), abs=1e-15)
        value = kappa(labels)
        assert (row["cohens_kappa"] is None) == (value is None)
        if value is not None:
            assert row["cohens_kappa"] == pytest.approx(float(value), abs=1e-15)
        now = Fraction(sum(one["is_correct"] for one, _ in compared), len(compared))
        then = Fraction(sum(one["is_correct"] for _, one in compared), len(compared))
        assert row["accuracy_share"] == pytest.approx(float(now), abs=1e-15)
        assert row["previous_accuracy_share"] == pytest.approx(float(then), abs=1e-15)
        assert row["difference"] == pytest.approx(float(now - then), abs=1e-15)
        assert row["n_failed"] == sum(one["verdict"] == "failed" for one, _ in compared)


def test_intervals_resample_items(found: dict[tuple[str, str], Row]) -> None:
    for (name, kind), row in found.items():
        compared = pairs(name, kind)
        if not compared:
            assert row["percentile_low"] is None
            continue
        change = [int(now["is_correct"]) - int(then["is_correct"]) for now, then in compared]
        sums = np.sort(resampling.counts(len(change)) @ np.array(change, dtype=np.int64))
        assert row["percentile_low"] == pytest.approx(sums[LOW - 1] / len(change), abs=1e-15)
        assert row["percentile_high"] == pytest.approx(sums[HIGH - 1] / len(change), abs=1e-15)


def test_alarms_are_raised_by_the_registry_and_never_by_a_baseline(
    found: dict[tuple[str, str], Row],
) -> None:
    statuses = {name: row["drift_status"] for (name, kind), row in found.items() if kind == "all"}
    assert statuses == {
        "r1": "baseline",
        "r2": "baseline",
        "r3": "steady",
        "r4": "agreement_low",
        "r0": "steady",
        "fell": "accuracy_fell",
    }
    for (_, kind), row in found.items():
        is_alarm = kind == "all" and row["drift_status"] in ("accuracy_fell", "agreement_low")
        assert row["is_alarm"] == is_alarm
        assert (row["drift_status"] == "reported") == (kind != "all")


def test_another_model_and_another_prompt_are_told(found: dict[tuple[str, str], Row]) -> None:
    models = {
        name for (name, kind), row in found.items() if kind == "all" and row["is_model_changed"]
    }
    prompts = {
        name for (name, kind), row in found.items() if kind == "all" and row["is_prompt_changed"]
    }
    assert models == {"r4", "fell"}
    assert prompts == {"r3"}
