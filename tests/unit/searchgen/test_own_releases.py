"""What Podium publishes of searchgen can be landed again, as records and as boards."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.searchgen.land import LandOptions, land_prompt_scores, land_published
from tests.support.searchgen_landed import landed_rows
from tests.support.searchgen_states import Marts, marts
from warehouse import jsonl
from warehouse.contracts.searchgen_values import COMPONENTS
from warehouse.exports import searchgen
from warehouse.exports.searchgen_manifest import Provenance
from warehouse.manifests import InputFile
from warehouse.paths import WarehousePaths

KNOWN = Provenance((InputFile("a.json", "1" * 64, 3),), "release_1", "0.1", "1.4")
OPTIONS = LandOptions(release="again", dataset_id="d")


@pytest.fixture(scope="module")
def given() -> Marts:
    return marts()


@pytest.fixture(scope="module")
def published(given: Marts, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    release = searchgen.load(given.promote(folder / "state"), "searchgen/test")
    return searchgen.place(folder / "out", searchgen.contents(release, KNOWN)).folder


def test_records_come_back_to_the_last_digit(given: Marts, published: Path, tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path)
    report = land_prompt_scores(paths, file=published / "prompt_scores.jsonl", options=OPTIONS)
    assert not (report.rejects or report.findings)
    names = ("sample_id", "source_id", "lane", "status", *COMPONENTS)
    found = [tuple(row[name] for name in names) for row in landed_rows(paths, "prompt_scores")]
    assert found
    assert found == sorted(tuple(row[name] for name in names) for row in given.scores)


def test_judge_policies_and_models_come_back(given: Marts, published: Path, tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path)
    land_prompt_scores(paths, file=published / "prompt_scores.jsonl", options=OPTIONS)
    (run,) = landed_rows(paths, "runs")
    names = ("evaluation_config_id", "judge_id", "judge_kind", "primary_metric", "extractor")
    assert {name: run[name] for name in names} == {name: given.run[name] for name in names}
    assert jsonl.parse(run["slices"]) == jsonl.parse(given.run["slices"])
    columns = ("source_id", "model_id", "model_type", "lane", "missing_policy", "model_order")
    assert [[row[name] for name in columns] for row in landed_rows(paths, "models")] == sorted(
        [row[name] for name in columns] for row in given.models
    )


def test_boards_come_back_with_every_row(published: Path, tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path)
    report = land_published(paths, folder=published, options=OPTIONS)
    assert not (report.rejects or report.findings)
    rows = landed_rows(paths, "published_aggregates")
    assert {row["artifact"] for row in rows} >= {"leaderboard_overall.json"}
    assert all(row["source_id"] for row in rows)
