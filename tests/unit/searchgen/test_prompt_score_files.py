"""Public records: what a line may hold, and that a record is landed whole or set aside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ingest.searchgen.land import LandOptions, LandReport, land_prompt_scores
from tests.support.searchgen_landed import landed_rows
from tests.support.searchgen_releases import model, write_release
from tests.support.trees import write_json, write_jsonl
from warehouse.contracts.searchgen_values import COMPONENTS
from warehouse.errors import InputError
from warehouse.paths import WarehousePaths

Row = dict[str, Any]
TABLE = "prompt_scores"
EXAMPLE = {
    "checklist": 2.1,
    "rubric_adaptive": 2.0,
    "prompt_faithfulness": 2.2,
    "image_quality": 2.4,
    "text_rendering": 2.1,
    "ai_naturalness": 2.0,
    "composition_and_aesthetics": 2.5,
    "physical_plausibility": 2.3,
    "visual_reference_evaluation": 1.9,
    "text_reference_evaluation": None,
}


def record(**fields: Any) -> Row:
    base: Row = {"status": "scored", "lane": "none", "components_raw_0to3": EXAMPLE}
    return {**base, "overall_10_raw": 2.1667, "overall_9_raw": 2.1667, **fields}


def line(sample_id: str, models: Any, **fields: Any) -> Row:
    return {
        "sample_id": sample_id,
        "prompt_index": 0,
        "release_row": f"evalset_rows/{sample_id}",
        "stratum": "SearchIntensive",
        "search_type": "VisualSearch",
        "domains": ["CUL", "ART"],
        "failure_modes": [],
        "models": models,
        **fields,
    }


def land(folder: Path, lines: list[Row], **models: Any) -> tuple[WarehousePaths, LandReport]:
    table = [model("gpt", model_id="gpt_image"), model("xai", lane="search")]
    files = write_release(folder / "release", [], table, {}, **models)
    path = folder / "scores" / "prompt_scores.jsonl"
    path.parent.mkdir(exist_ok=True)
    write_jsonl(path, lines)
    paths = WarehousePaths(folder / "warehouse")
    report = land_prompt_scores(paths, file=path, models=files.models, options=LandOptions())
    return paths, report


def test_the_example_of_the_design_is_landed_as_it_stands(tmp_path: Path) -> None:
    paths, report = land(tmp_path, [line("eval_base40_001", {"gpt": record()})])
    assert not report.rejects
    (row,) = landed_rows(paths, TABLE)
    assert {name: row[name] for name in COMPONENTS} == EXAMPLE
    assert (row["status"], row["status_reason"], row["lane"]) == ("scored", None, "none")
    assert (row["stated_overall_9"], row["stated_overall_10"]) == (2.1667, 2.1667)
    (prompt,) = landed_rows(paths, "prompts")
    assert (prompt["prompt_index"], prompt["domains"]) == (0, ["CUL", "ART"])
    (run,) = landed_rows(paths, "runs")
    assert (run["extractor"], run["prompts_file"]) == ("as the file states", None)


def test_models_are_found_by_either_id_and_lanes_by_default(tmp_path: Path) -> None:
    zero = dict.fromkeys(COMPONENTS, 0)
    records = {"gpt_image": record(), "xai": {"status": "scored", "components_raw_0to3": zero}}
    paths, report = land(tmp_path, [line("a", records)])
    assert not report.rejects
    found = {row["source_id"]: (row["lane"], row["checklist"]) for row in landed_rows(paths, TABLE)}
    assert found == {"gpt": ("none", 2.1), "xai": ("search", 0.0)}


def test_null_missing_invalid_and_zero_stay_apart(tmp_path: Path) -> None:
    states = ("missing_generation", "missing_evaluation", "invalid_evaluation")
    lines = [
        line(one, {"gpt": {"status": one, "status_reason": "broken\x1b[2J"}}) for one in states
    ]
    scores = {**dict.fromkeys(COMPONENTS, 0), "text_rendering": None}
    lines.append(line("scored", {"gpt": record(components_raw_0to3=scores)}))
    paths, report = land(tmp_path, lines)
    assert not report.rejects
    rows = {row["status"]: row for row in landed_rows(paths, TABLE)}
    assert {one: rows[one]["checklist"] for one in rows} == {
        "scored": 0.0,
        **dict.fromkeys(states),
    }
    assert rows["scored"]["text_rendering"] is None
    assert rows["missing_evaluation"]["status_reason"] == "broken [2J"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("scored", "wrong_type"),
        ({"components_raw_0to3": EXAMPLE}, "missing_field"),
        (record(status="ok"), "unknown_value"),
        (record(lane=3), "wrong_type"),
        (record(components_raw_0to3={**EXAMPLE, "eleventh": 1}), "unknown_component"),
        (record(components_raw_0to3={"checklist": 1}), "missing_component"),
        (record(components_raw_0to3=[1]), "wrong_type"),
        (record(components_raw_0to3={**EXAMPLE, "checklist": 3.5}), "out_of_range"),
        (record(components_raw_0to3={**EXAMPLE, "checklist": "2"}), "wrong_type"),
        (record(components_raw_0to3={**EXAMPLE, "checklist": True}), "wrong_type"),
        (record(overall_9_raw=72.2), "out_of_range"),
        (record(status="missing_evaluation"), "score_without_evaluation"),
    ],
)
def test_a_record_that_is_no_record_is_set_aside_alone(
    content: Any, reason: str, tmp_path: Path
) -> None:
    paths, report = land(tmp_path, [line("a", {"gpt": content, "xai": record()})])
    assert [(one.reason, one.subject, one.source_line) for one in report.rejects] == [
        (reason, "a/gpt", 1)
    ]
    assert [row["source_id"] for row in landed_rows(paths, TABLE)] == ["xai"]


def test_a_model_that_no_one_knows_is_set_aside(tmp_path: Path) -> None:
    paths, report = land(tmp_path, [line("a", {"gpt": record(), "other": record()})])
    assert [(one.reason, one.subject) for one in report.rejects] == [("unknown_model", "a/other")]
    assert len(landed_rows(paths, TABLE)) == 1


def test_one_model_under_both_its_ids_is_never_averaged(tmp_path: Path) -> None:
    paths, report = land(tmp_path, [line("a", {"gpt": record(), "gpt_image": record()})])
    assert [one.reason for one in report.rejects] == ["duplicate_row", "duplicate_row"]
    assert landed_rows(paths, TABLE) == []


def test_a_prompt_that_stands_twice_is_set_aside_with_its_records(tmp_path: Path) -> None:
    lines = [line("a", {"gpt": record()}), line("a", {"xai": record()}), line("b", {})]
    paths, report = land(tmp_path, lines)
    assert {one.source_line for one in report.rejects} == {1, 2}
    assert landed_rows(paths, TABLE) == []
    assert [row["sample_id"] for row in landed_rows(paths, "prompts")] == ["b"]


@pytest.mark.parametrize("models", [None, [], "gpt"])
def test_a_line_without_a_map_of_models_is_set_aside(models: Any, tmp_path: Path) -> None:
    _, report = land(tmp_path, [line("a", models), line("b", {"gpt": record()})])
    assert [(one.reason, one.source_line) for one in report.rejects] == [("wrong_type", 1)]


def test_records_of_other_lanes_are_landed_in_theirs(tmp_path: Path) -> None:
    others = [{"source_id": "gpt", "excluded_reason": "x", **record(lane="search")}]
    paths, report = land(tmp_path, [line("a", {"gpt": record()}, other_lanes=others)])
    assert not report.rejects
    assert [row["lane"] for row in landed_rows(paths, TABLE)] == ["none", "search"]


def test_slices_follow_from_labels_unless_they_are_stated(tmp_path: Path) -> None:
    slices = {"mini": {"include_tags": ["testmini"], "match": "any"}}
    lines = [
        line("a", {"gpt": record()}, subset=["testmini"]),
        line("b", {"gpt": record()}, slices=["mini"]),
        line("c", {"gpt": record()}),
    ]
    paths, _ = land(tmp_path, lines, slices=slices)
    found = {row["sample_id"]: row["slices"] for row in landed_rows(paths, "prompts")}
    assert found == {"a": ["mini"], "b": ["mini"], "c": []}


def test_without_models_yml_a_manifest_beside_it_says_who_is_who(tmp_path: Path) -> None:
    path = tmp_path / "newest" / "prompt_scores.jsonl"
    path.parent.mkdir()
    write_jsonl(path, [line("a", {"gpt_image": record()})])
    paths = WarehousePaths(tmp_path / "warehouse")
    with pytest.raises(InputError, match="--models"):
        land_prompt_scores(paths, file=path, options=LandOptions())
    write_json(path.parent / "manifest.json", manifest(exceptions=["gpt_image"]))
    report = land_prompt_scores(paths, file=path, options=LandOptions())
    assert report.landed_units == ["searchgen/runs/newest"]
    (row,) = landed_rows(paths, "models")
    assert (row["source_id"], row["missing_policy"]) == ("gpt", "exclude")
    (run,) = landed_rows(paths, "runs")
    assert (run["judge_kind"], run["scoring_source"]) == ("unstated", "scores.json")
    assert (run["prompts_file"], run["prompts_sha256"]) == ("prompts.jsonl", "0" * 64)


def test_an_exception_of_that_manifest_that_names_no_model_fails(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "prompt_scores.jsonl", [line("a", {"gpt": record()})])
    write_json(tmp_path / "manifest.json", manifest(exceptions={"renamed": "exclude"}))
    with pytest.raises(InputError, match="`renamed`, which names no model"):
        land_prompt_scores(
            WarehousePaths(tmp_path / "warehouse"),
            file=tmp_path / "prompt_scores.jsonl",
            options=LandOptions(),
        )


def manifest(exceptions: Any) -> Row:
    names = list(COMPONENTS)
    return {
        "schema_version": "1.0.0",
        "benchmark": "SearchGen-Bench",
        "artifacts": [],
        "dataset": {"filename": "prompts.jsonl", "n_prompts": 1, "sha256": "0" * 64},
        "models": {"gpt_image": {"source_id": "gpt", "display_name": "GPT", "type": "Open"}},
        "partition": {},
        "scoring": {
            "missing_policy_default": "zero_fill",
            "missing_policy_exceptions": exceptions,
            "overall_9_components": names[:9],
            "overall_10_components": names,
            "public_rounding_decimals": 1,
            "source": "scores.json",
        },
    }
