"""The shipped searchgen sample is what its script makes, is as odd as promised, stays small."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from ingest.sample.make_searchgen_sample import COPIED, SAMPLE, TIED, write_sample
from ingest.searchgen.land import LandOptions, land_results
from tests.support.landed import read_landed
from warehouse.contracts.searchgen_values import COMPONENTS, STATUSES
from warehouse.paths import WarehousePaths

KIBIBYTE = 1024
Row = dict[str, Any]


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture(scope="module")
def landed(tmp_path_factory: pytest.TempPathFactory) -> WarehousePaths:
    paths = WarehousePaths(tmp_path_factory.mktemp("sample") / "warehouse")
    report = land_results(
        paths,
        prompts=SAMPLE / "prompts.jsonl",
        results=SAMPLE / "results",
        models=SAMPLE / "models.yml",
        options=LandOptions(),
    )
    assert not report.rejects
    assert not report.findings
    return paths


@pytest.fixture(scope="module")
def scores(landed: WarehousePaths) -> list[Row]:
    return read_landed(landed, "searchgen.prompt_scores")


@pytest.fixture(scope="module")
def prompts(landed: WarehousePaths) -> list[Row]:
    return read_landed(landed, "searchgen.prompts")


def test_the_committed_bytes_are_what_the_script_makes(tmp_path: Path) -> None:
    write_sample(tmp_path / "made")
    write_sample(tmp_path / "made")
    assert contents(tmp_path / "made") == contents(SAMPLE)


def test_the_sample_is_small() -> None:
    found = contents(SAMPLE)
    assert len(found) <= 300
    assert sum(map(len, found.values())) <= 300 * KIBIBYTE


def test_every_status_is_there_and_one_model_has_low_coverage(scores: list[Row]) -> None:
    by_model: dict[str, Counter[str]] = defaultdict(Counter)
    for row in scores:
        by_model[row["source_id"]][row["status"]] += 1
    assert by_model["aquarelle"] == {"scored": 47, "invalid_evaluation": 1}
    assert by_model["brushwork"] == {
        "scored": 44,
        "missing_generation": 3,
        "missing_evaluation": 1,
    }
    assert by_model["etching"]["scored"] / 48 == 0.75
    assert {row["status"] for row in scores} == set(STATUSES)


def test_two_models_are_tied_in_every_prompt(scores: list[Row]) -> None:
    first, second = (
        {row["sample_id"]: [row[name] for name in COMPONENTS] for row in scores if of(row, one)}
        for one in (COPIED, TIED)
    )
    assert first == second
    assert len(first) == 48


def of(row: Row, source_id: str) -> bool:
    return bool(row["source_id"] == source_id)


def test_only_one_model_leaves_its_gaps_out(landed: WarehousePaths) -> None:
    policies = {
        row["source_id"]: row["missing_policy"] for row in read_landed(landed, "searchgen.models")
    }
    assert [name for name, policy in policies.items() if policy == "exclude"] == ["etching"]


def test_components_are_null_zero_and_fractional(scores: list[Row]) -> None:
    found = [row[name] for row in scores if row["status"] == "scored" for name in COMPONENTS]
    assert None in found
    assert 0.0 in found
    assert any(math.fmod(value * 2, 1) for value in found if value is not None)


def test_some_prompts_have_no_tag_and_one_domain_leaves_the_slice(prompts: list[Row]) -> None:
    bare = [row for row in prompts if not row["domains"] and not row["failure_modes"]]
    assert len(bare) >= 2
    medical = [row["slices"] for row in prompts if "MED" in row["domains"]]
    assert medical == [[]] * 6
    assert sum("testmini" in row["slices"] for row in prompts) == 20
    assert Counter(row["search_type"] for row in prompts) == {
        "NoSearch": 10,
        "VisualSearch": 22,
        "TextualSearch": 16,
    }
