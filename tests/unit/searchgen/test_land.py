"""Landing a release: one commit, left alone when nothing changed, and no silent loss."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from ingest.searchgen.land import LandOptions, LandReport, land_prompt_scores, land_results
from tests.support.searchgen_landed import landed_rows
from tests.support.searchgen_releases import (
    BROKEN,
    GENERATED,
    ReleaseFiles,
    evaluation,
    model,
    prompt,
    write_release,
)
from tests.support.trees import write_jsonl
from warehouse import manifests
from warehouse.contracts.searchgen_values import COMPONENTS
from warehouse.errors import InputError, UsageError
from warehouse.findings import Outcome
from warehouse.paths import WarehousePaths

PROMPTS = [prompt("a"), prompt("b", "NoSearch", subset=["NoSearch", "mini"])]
MODELS = [model("gpt"), model("xai")]
SCORES = {
    ("a", "gpt"): evaluation(3.0),
    ("b", "gpt"): evaluation(1.0, text_rendering=None),
    ("a", "xai"): BROKEN,
    ("b", "xai"): GENERATED,
}


def write(folder: Path, **changes: Any) -> ReleaseFiles:
    content = {"prompts": PROMPTS, "models": MODELS, "scores": SCORES, **changes}
    return write_release(folder, content.pop("prompts"), content.pop("models"), **content)


def land(folder: Path, files: ReleaseFiles, **options: Any) -> tuple[WarehousePaths, LandReport]:
    paths = WarehousePaths(folder / "warehouse")
    report = land_results(paths, **vars(files), options=LandOptions(**options))
    return paths, report


def test_a_release_is_one_unit_of_four_tables(tmp_path: Path) -> None:
    paths, report = land(tmp_path, write(tmp_path / "r"))
    assert report.landed_units == ["searchgen/runs/test"]
    assert report.row_counts == {
        "core/rejects": 0,
        "searchgen/models": 2,
        "searchgen/prompt_scores": 4,
        "searchgen/prompts": 2,
        "searchgen/runs": 1,
    }
    (unit,) = manifests.read_all(paths)
    assert [one.file for one in unit.inputs] == [
        "models.yml",
        "prompts.jsonl",
        "rows/a/none/gpt/scores.json",
        "rows/a/none/xai/scores.json",
        "rows/b/none/gpt/scores.json",
    ]
    statuses = [row["status"] for row in landed_rows(paths, "prompt_scores")]
    assert statuses == ["scored", "invalid_evaluation", "scored", "missing_evaluation"]


def test_the_run_says_what_made_its_numbers(tmp_path: Path) -> None:
    judge = {"id": "j", "kind": "heuristic", "scoring_source": "scores.json", "settings": {"p": 1}}
    files = write(tmp_path / "r", judge=judge, slices={"mini": {"include_tags": ["mini"]}})
    paths, _ = land(tmp_path, files)
    (run,) = landed_rows(paths, "runs")
    assert (run["judge_id"], run["judge_kind"], run["judge_settings"]) == (
        "j",
        "heuristic",
        '{"p":1}',
    )
    assert run["slices"] == '{"mini":{"expected_rows":null,"include_tags":["mini"],"match":"all"}}'
    assert run["missing_policies"] == '{"default":"zero_fill","exceptions":{}}'
    slices = [row["slices"] for row in landed_rows(paths, "prompts")]
    assert slices == [[], ["mini"]]


@pytest.mark.parametrize(
    "change",
    [
        {"judge": {"id": "other", "kind": "llm", "scoring_source": "scores.json"}},
        {"judge": {"id": "judge", "kind": "human", "scoring_source": "scores.json"}},
        {"rubric_adaptive": "weighted"},
        {
            "judge": {
                "id": "judge",
                "kind": "llm",
                "scoring_source": "scores.json",
                "settings": {"post_processing": True},
            }
        },
    ],
)
def test_another_judge_setting_or_rule_is_another_configuration(
    change: dict[str, Any], tmp_path: Path
) -> None:
    first, _ = land(tmp_path / "1", write(tmp_path / "1" / "r"))
    second, _ = land(tmp_path / "2", write(tmp_path / "2" / "r", **change))
    ids = {landed_rows(one, "runs")[0]["evaluation_config_id"] for one in (first, second)}
    assert len(ids) == 2


def test_nothing_new_is_left_alone_and_anything_new_is_landed(tmp_path: Path) -> None:
    files = write(tmp_path / "r")
    land(tmp_path, files)
    assert land(tmp_path, files)[1].unchanged_units == ["searchgen/runs/test"]
    (files.results / "rows/b/none/xai/image.png").unlink()
    paths, report = land(tmp_path, files)
    assert report.landed_units == ["searchgen/runs/test"]
    assert landed_rows(paths, "prompt_scores")[3]["status"] == "missing_generation"
    write(tmp_path / "r", primary_metric="overall_10")
    assert land(tmp_path, files)[1].landed_units == ["searchgen/runs/test"]


def test_the_order_of_lines_and_of_models_changes_no_row(tmp_path: Path) -> None:
    one, _ = land(tmp_path / "1", write(tmp_path / "1" / "r"))
    two, _ = land(tmp_path / "2", write(tmp_path / "2" / "r", prompts=PROMPTS[::-1]))
    for noun in ("prompt_scores", "models"):
        assert landed_rows(one, noun) == landed_rows(two, noun)
    sides = [
        [{**row, "source_line": 0} for row in landed_rows(paths, "prompts")] for paths in (one, two)
    ]
    assert sides[0] == sides[1]


def test_a_lost_result_is_named_and_the_release_stays_as_it_was(tmp_path: Path) -> None:
    files = write(tmp_path / "r")
    land(tmp_path, files)
    shutil.rmtree(files.results / "rows/a/none/gpt")
    paths, report = land(tmp_path, files)
    (finding,) = report.findings
    assert (finding.check, finding.outcome) == ("landing_keeps_rows", Outcome.INCOMPLETE)
    assert finding.subject == "searchgen/runs/test/a/gpt/none"
    assert "--accept-removals" in finding.message
    assert landed_rows(paths, "prompt_scores")[0]["status"] == "scored"
    _, accepted = land(tmp_path, files, accept_removals=True)
    assert accepted.landed_units == ["searchgen/runs/test"]
    assert landed_rows(paths, "prompt_scores")[0]["status"] == "missing_generation"


def test_of_many_lost_results_the_first_twenty_are_named(tmp_path: Path) -> None:
    prompts = [prompt(f"p{number:02d}") for number in range(30)]
    scores = {(one["sample_id"], "gpt"): evaluation(1.0) for one in prompts}
    files = write(tmp_path / "r", prompts=prompts, models=[model("gpt")], scores=scores)
    land(tmp_path, files)
    for one in prompts[:25]:
        shutil.rmtree(files.results / one["release_row"])
    _, report = land(tmp_path, files)
    assert [one.subject for one in report.findings[:20]] == [
        f"searchgen/runs/test/p{number:02d}/gpt/none" for number in range(20)
    ]
    assert [one.message[:1] for one in report.findings[20:]] == ["5"]


def test_lost_prompts_and_models_are_counted(tmp_path: Path) -> None:
    land(tmp_path, write(tmp_path / "r"))
    fewer = {key: value for key, value in SCORES.items() if key == ("a", "gpt")}
    files = write(tmp_path / "r", prompts=PROMPTS[:1], models=MODELS[:1], scores=fewer)
    _, report = land(tmp_path, files)
    assert [one.subject for one in report.findings] == [
        "searchgen/runs/test/b/gpt/none",
        "searchgen/runs/test/searchgen/prompts",
        "searchgen/runs/test/searchgen/models",
        "searchgen/runs/test/searchgen/prompt_scores",
        "none/xai",
    ]
    assert "2 rows are landed, 1 are here now" in report.findings[1].message


def test_a_release_of_another_folder_needs_a_word(tmp_path: Path) -> None:
    land(tmp_path, write(tmp_path / "one"))
    other = write(tmp_path / "two")
    with pytest.raises(UsageError, match="--replace"):
        land(tmp_path, other)
    assert land(tmp_path, other, replace=True)[1].landed_units == ["searchgen/runs/test"]
    _, named = land(tmp_path, other, dataset_id="d", release="r2")
    assert named.landed_units == ["d/runs/r2"]


def test_results_and_records_of_one_release_are_one_unit(tmp_path: Path) -> None:
    files = write(tmp_path / "r")
    paths, _ = land(tmp_path, files)
    record = {"status": "scored", "components_raw_0to3": dict.fromkeys(COMPONENTS, 1)}
    lines = [{**one, "models": {"gpt": record}} for one in PROMPTS]
    write_jsonl(tmp_path / "public" / "prompt_scores.jsonl", lines)
    with pytest.raises(UsageError, match="landed from another folder"):
        land_prompt_scores(
            paths,
            file=tmp_path / "public" / "prompt_scores.jsonl",
            models=files.models,
            options=LandOptions(),
        )


def test_evaluations_of_which_none_gives_a_score_are_a_failure(tmp_path: Path) -> None:
    broken = dict.fromkeys(SCORES, BROKEN)
    paths, report = land(tmp_path, write(tmp_path / "r", scores=broken))
    (finding,) = report.findings
    assert finding.check == "evaluations_give_scores"
    assert finding.outcome is Outcome.FAILED
    assert "none of 4 evaluations gives a score; invalid_json" in finding.message
    assert len(landed_rows(paths, "prompt_scores")) == 4


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"prompts": "none.jsonl"}, "prompt metadata"),
        ({"results": "none"}, "is no folder"),
        ({"models": "none.yml"}, "cannot be read"),
    ],
)
def test_a_path_to_nothing_is_named(change: dict[str, str], words: str, tmp_path: Path) -> None:
    files = write(tmp_path / "r")
    paths = {name: tmp_path / path for name, path in change.items()}
    with pytest.raises(InputError, match=words):
        land(tmp_path, ReleaseFiles(**{**vars(files), **paths}))


def test_a_release_that_does_not_name_its_evaluations_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="scoring_source"):
        land(tmp_path, write(tmp_path / "r", judge={"id": "j", "kind": "llm"}))
