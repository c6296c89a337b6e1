"""Dirty releases of searchgen: each known trap has one named outcome, and no state is half."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ingest.searchgen.land import (
    LandOptions,
    LandReport,
    land_prompt_scores,
    land_published,
    land_results,
)
from tests.faults.test_kills import POINTS, run_and_kill, run_whole
from tests.faults.test_row_faults import DIRTY
from tests.support.searchgen_landed import landed_rows
from tests.support.searchgen_published import manifest, write
from tests.support.searchgen_releases import (
    BROKEN,
    GENERATED,
    ReleaseFiles,
    evaluation,
    model,
    prompt,
    write_release,
)
from tests.support.trees import write_json, write_jsonl
from warehouse import manifests, relations
from warehouse.contracts.searchgen_values import COMPONENTS
from warehouse.errors import InputError
from warehouse.findings import Outcome
from warehouse.paths import WarehousePaths

LAND = """
import sys
from pathlib import Path
from ingest.searchgen.land import LandOptions, land_results
from warehouse.paths import WarehousePaths
root = Path(sys.argv[2])
print("ready", flush=True)
land_results(
    WarehousePaths(Path(sys.argv[1])),
    prompts=root / "prompts.jsonl",
    results=root / "results",
    models=root / "models.yml",
    options=LandOptions(),
)
"""
IDS = [f"p{number:02d}" for number in range(20)]
MODELS = [model("gpt"), model("xai")]


def release(folder: Path, **changes: Any) -> ReleaseFiles:
    prompts = changes.pop("prompts", [prompt(one) for one in IDS])
    scores = changes.pop(
        "scores", {(one, source): evaluation(2.0) for one in IDS for source in ("gpt", "xai")}
    )
    return write_release(folder, prompts, changes.pop("models", MODELS), scores, **changes)


def land(folder: Path, files: ReleaseFiles) -> tuple[WarehousePaths, LandReport]:
    paths = WarehousePaths(folder / "warehouse")
    return paths, land_results(paths, **vars(files), options=LandOptions())


def test_every_dirty_line_of_prompts_is_a_named_reject(tmp_path: Path) -> None:
    files = release(tmp_path / "r")
    lines = [line for line, _ in DIRTY.values()]
    with files.prompts.open("ab") as handle:
        handle.writelines(sorted(lines, key=lambda line: not line.endswith(b"\n")))
    paths, report = land(tmp_path, files)
    assert sorted(one.reason for one in report.rejects) == sorted(
        reason for _, reason in DIRTY.values()
    )
    assert {one.source_file for one in report.rejects} == {"prompts.jsonl"}
    assert len(landed_rows(paths, "prompts")) == len(IDS)
    assert len(landed_rows(paths, "prompt_scores")) == 2 * len(IDS)


def test_every_dirty_evaluation_is_invalid_and_its_neighbours_are_scored(tmp_path: Path) -> None:
    files = release(tmp_path / "r")
    for sample_id, (line, _) in zip(IDS, DIRTY.values(), strict=False):
        (files.results / f"rows/{sample_id}/none/gpt/scores.json").write_bytes(line)
    paths, report = land(tmp_path, files)
    assert not report.rejects
    rows = landed_rows(paths, "prompt_scores")
    reasons = [str(row["status_reason"]).split(":")[0] for row in rows if row["source_id"] == "gpt"]
    # A whole file has no last line that could be torn.
    wanted = [reason.replace("torn_line", "invalid_json") for _, reason in DIRTY.values()]
    assert reasons[: len(wanted)] == wanted
    assert set(reasons[len(wanted) :]) == {"None"}
    assert {row["status"] for row in rows if row["source_id"] == "xai"} == {"scored"}
    assert all(
        row[name] is None for row in rows if row["status"] != "scored" for name in COMPONENTS
    )


def test_a_subset_that_became_a_list_sends_nobody_elsewhere(tmp_path: Path) -> None:
    """A comparison of a list with a word is false, and then everybody needs search."""
    plain: dict[str, Any] = {"stratum": None, "search_type": None}
    prompts = [
        prompt("a", subset="NoSearch", **plain),
        prompt("b", subset=["NoSearch", "testmini"], **plain),
        prompt("c", subset=[], **plain),
    ]
    scores = {("a", "gpt"): evaluation(1.0)}
    paths, report = land(tmp_path, release(tmp_path / "r", prompts=prompts, scores=scores))
    found = {row["sample_id"]: row["search_type"] for row in landed_rows(paths, "prompts")}
    assert found == {"a": "NoSearch", "b": "NoSearch", "c": "VisualSearch"}
    assert not report.rejects


def test_two_lanes_are_two_rows_and_never_an_average(tmp_path: Path) -> None:
    files = release(tmp_path / "r")
    scores = {("p00", "gpt"): evaluation(0.0)}
    release(tmp_path / "r", scores=scores, lane="search")
    paths, report = land(tmp_path, files)
    rows = [
        (row["lane"], row["checklist"])
        for row in landed_rows(paths, "prompt_scores")
        if (row["sample_id"], row["source_id"]) == ("p00", "gpt")
    ]
    assert rows == [("none", 2.0), ("search", 0.0)]
    assert not report.rejects


def test_four_statuses_and_zero_survive_both_ways_in(tmp_path: Path) -> None:
    scores = {("p00", "gpt"): evaluation(0.0, text_rendering=None), ("p01", "gpt"): BROKEN}
    files = release(tmp_path / "r", scores={**scores, ("p02", "gpt"): GENERATED})
    paths, _ = land(tmp_path, files)
    rows = [row for row in landed_rows(paths, "prompt_scores") if row["source_id"] == "gpt"][:4]
    states = ["scored", "invalid_evaluation", "missing_evaluation", "missing_generation"]
    assert [row["status"] for row in rows] == states
    lines = [
        {
            **prompt(row["sample_id"]),
            "models": {
                "gpt": {
                    "status": row["status"],
                    "components_raw_0to3": {name: row[name] for name in COMPONENTS},
                }
            },
        }
        for row in rows
    ]
    write_jsonl(tmp_path / "public/prompt_scores.jsonl", lines)
    again = WarehousePaths(tmp_path / "again")
    land_prompt_scores(
        again,
        file=tmp_path / "public/prompt_scores.jsonl",
        models=files.models,
        options=LandOptions(),
    )
    names = ("sample_id", "status", *COMPONENTS)
    assert [[row[name] for name in names] for row in landed_rows(again, "prompt_scores")] == [
        [row[name] for name in names] for row in rows
    ]


def test_scores_between_half_steps_are_scores_and_beyond_three_are_none(tmp_path: Path) -> None:
    scores = {
        ("p00", "gpt"): evaluation(1.37),
        ("p01", "gpt"): evaluation(2.0, image_quality=3.0000001),
    }
    paths, _ = land(tmp_path, release(tmp_path / "r", scores=scores))
    rows = {
        row["sample_id"]: row
        for row in landed_rows(paths, "prompt_scores")
        if row["source_id"] == "gpt"
    }
    assert (rows["p00"]["status"], rows["p00"]["image_quality"]) == ("scored", 1.37)
    assert rows["p01"]["status"] == "invalid_evaluation"
    assert "out_of_range" in rows["p01"]["status_reason"]


def test_a_policy_that_a_rename_lost_ends_the_landing(tmp_path: Path) -> None:
    policy = {"default": "zero_fill", "exceptions": {"jimeng4d0": "exclude"}}
    files = release(tmp_path / "r", missing_policy=policy)
    with pytest.raises(InputError, match="`jimeng4d0`, which names no model"):
        land(tmp_path, files)
    assert not (tmp_path / "warehouse/landing").exists()
    scoring = manifest(missing_policy_exceptions=["jimeng4d0"])["scoring"]
    report = land_published(
        WarehousePaths(tmp_path / "published"),
        folder=write(tmp_path / "release", scoring=scoring),
        options=LandOptions(),
    )
    assert [(one.check, one.outcome) for one in report.findings] == [
        ("missing_policies_name_models", Outcome.FAILED)
    ]


def test_one_schema_version_over_two_shapes_is_no_shape(tmp_path: Path) -> None:
    folder = write(tmp_path / "release")
    board = [{"model_id": "bagel", "score": 50.0}]
    write_json(folder / "leaderboard_overall.json", board)
    with pytest.raises(InputError, match="has a shape that is not known"):
        land_published(WarehousePaths(tmp_path / "warehouse"), folder=folder, options=LandOptions())


def test_a_prompt_whose_results_lie_outside_is_set_aside(tmp_path: Path) -> None:
    secret = tmp_path / "secret/none/gpt"
    secret.mkdir(parents=True)
    shutil.copy(
        release(tmp_path / "other").results / "rows/p00/none/gpt/scores.json",
        secret / "scores.json",
    )
    files = release(tmp_path / "r")
    hostile = [prompt("p00"), prompt("x", release_row="../../secret")]
    write_jsonl(files.prompts, [*hostile, prompt("y", release_row=str(tmp_path / "secret"))])
    paths, report = land(tmp_path, files)
    assert [(one.reason, one.subject) for one in report.rejects] == [
        ("path_leaves_root", "x"),
        ("path_leaves_root", "y"),
    ]
    assert {row["sample_id"] for row in landed_rows(paths, "prompt_scores")} == {"p00"}


@pytest.mark.faults
def test_landing_killed_at_random_points_shows_a_release_whole_or_not_at_all(
    tmp_path: Path,
) -> None:
    files = release(tmp_path / "r")
    whole = WarehousePaths(tmp_path / "whole")
    duration = run_whole(LAND, whole.root, tmp_path / "r")
    expected = manifests.state_id(manifests.read_all(whole))
    draw = random.Random(4)
    killed = 0
    for number in range(POINTS):
        paths = WarehousePaths(tmp_path / f"killed_{number}")
        killed += run_and_kill(LAND, draw.uniform(0, duration), paths.root, tmp_path / "r")
        with duckdb.connect() as connection:
            relations.register(connection, relations.current_state(paths))
            counts = connection.execute(
                "select (select count(*) from searchgen.prompts), "
                "(select count(*) from searchgen.prompt_scores)"
            ).fetchall()[0]
        assert counts in ((0, 0), (len(IDS), 2 * len(IDS)))
        land_results(paths, **vars(files), options=LandOptions())
        assert manifests.state_id(manifests.read_all(paths)) == expected
    assert killed > 0
