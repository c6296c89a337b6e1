"""The results tree: one row for every prompt and model, whatever lies there."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import pytest

from ingest.searchgen.extractors import own_extractor
from ingest.searchgen.model_registry import DEFAULT_POLICY, Model
from ingest.searchgen.result_files import MAX_BYTES, read_result
from ingest.searchgen.results import UNKNOWN_CHECK, Results, ResultsTree
from tests.support.searchgen_releases import evaluation
from warehouse import jsonl, landing
from warehouse.contracts.searchgen import PROMPT_SCORES
from warehouse.errors import InputError
from warehouse.findings import Outcome

FILE = "scores.json"
EXTRACT = own_extractor("plain").extract
Row = dict[str, Any]


def model(source_id: str, lane: str = "none", generator: str | None = None) -> Model:
    names = (source_id, source_id, source_id, "Open", 1)
    return Model(*names, lane, generator or source_id, DEFAULT_POLICY)


def place(root: Path, where: str, content: Any = None, name: str = FILE) -> Path:
    folder = root / where
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    if content is not None:
        text = content if isinstance(content, str) else jsonl.dumps(content)
        path.write_text(text, encoding="utf-8")
    return path


def read(root: Path, models: list[Model], *ids: str) -> Results:
    prompts = [
        {"run_id": "d/r", "dataset_id": "d", "sample_id": one, "release_row": f"rows/{one}"}
        for one in ids or ("a",)
    ]
    found = ResultsTree(root, FILE, models, EXTRACT).read(prompts, {})
    landing.sorted_table(PROMPT_SCORES, found.rows)
    return found


def statuses(found: Results) -> dict[tuple[str, str, str], tuple[str, str | None]]:
    return {
        (row["sample_id"], row["source_id"], row["lane"]): (row["status"], row["status_reason"])
        for row in found.rows
    }


def test_four_states_are_told_apart(tmp_path: Path) -> None:
    path = place(tmp_path, "rows/a/none/good", evaluation(0.0, text_rendering=None))
    place(tmp_path, "rows/a/none/imageless")
    place(tmp_path, "rows/a/none/unjudged", "image", "image.png")
    place(tmp_path, "rows/a/none/broken", "{")
    names = ["good", "imageless", "unjudged", "broken", "absent"]
    found = read(tmp_path, [model(one) for one in names])
    rows = {row["source_id"]: row for row in found.rows}
    assert {name: row["status"] for name, row in rows.items()} == {
        "good": "scored",
        "imageless": "missing_generation",
        "unjudged": "missing_evaluation",
        "broken": "invalid_evaluation",
        "absent": "missing_generation",
    }
    assert (rows["good"]["checklist"], rows["good"]["text_rendering"]) == (0.0, None)
    assert rows["good"]["status_reason"] is None
    assert rows["good"]["evaluation_sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert rows["broken"]["status_reason"].startswith("invalid_json: ")
    assert rows["absent"]["source_file"] == "rows/a/none/absent"
    assert {one.file for one in found.inputs} == {
        "rows/a/none/broken/scores.json",
        "rows/a/none/good/scores.json",
    }


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[1]", "not_an_object"),
        ('{"checklist": [1], "checklist": [2]}', "duplicate_key"),
        ('{"image_quality": NaN}', "non_finite_number"),
        ('{"image_quality": 3.5}', "out_of_range"),
        ('{"checklist": [{"score": ""}]}', "empty_checklist_score"),
        ("", "invalid_json"),
        ("\ufeff{}", "no_scores"),
        ("[" * 100_000, "too_deep"),
    ],
)
def test_what_cannot_be_used_is_invalid_with_its_reason(
    text: str, reason: str, tmp_path: Path
) -> None:
    place(tmp_path, "rows/a/none/m", text)
    ((status, said),) = statuses(read(tmp_path, [model("m")])).values()
    assert status == "invalid_evaluation"
    assert str(said).startswith(f"{reason}: ")
    assert len(str(said)) <= 300


def test_every_lane_is_kept_and_each_has_all_prompts(tmp_path: Path) -> None:
    place(tmp_path, "rows/a/none/m", evaluation(1.0))
    place(tmp_path, "rows/a/search/m", evaluation(2.0))
    found = read(tmp_path, [model("m"), model("other")], "a", "b")
    assert {key: status for key, (status, _) in statuses(found).items()} == {
        ("a", "m", "none"): "scored",
        ("a", "m", "search"): "scored",
        ("a", "other", "none"): "missing_generation",
        ("b", "m", "none"): "missing_generation",
        ("b", "m", "search"): "missing_generation",
        ("b", "other", "none"): "missing_generation",
    }
    assert {row["lane"]: row["checklist"] for row in found.rows if row["checklist"]} == {
        "none": 1.0,
        "search": 2.0,
    }


def test_two_models_may_share_a_generator_in_two_lanes(tmp_path: Path) -> None:
    place(tmp_path, "rows/a/none/gpt", evaluation(1.0))
    place(tmp_path, "rows/a/search/gpt", evaluation(2.0))
    place(tmp_path, "rows/a/third/gpt", evaluation(3.0))
    found = read(tmp_path, [model("plain", "none", "gpt"), model("agent", "search", "gpt")])
    assert {row["source_id"]: row["checklist"] for row in found.rows} == {
        "plain": 1.0,
        "agent": 2.0,
    }
    (finding,) = found.findings
    assert (finding.check, finding.subject) == (UNKNOWN_CHECK, "third/gpt")


def test_folders_of_no_model_are_named_once(tmp_path: Path) -> None:
    for sample in ("a", "b"):
        place(tmp_path, f"rows/{sample}/none/m", evaluation(1.0))
        place(tmp_path, f"rows/{sample}/none/st\x1branger", evaluation(1.0))
    (finding,) = read(tmp_path, [model("m")], "a", "b").findings
    assert (finding.subject, finding.outcome) == ("none/st?ranger", Outcome.WARNED)
    assert finding.message.startswith("2 prompts")


def test_a_wrong_path_is_an_error_and_no_release_of_missing_results(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no results of these models"):
        read(tmp_path, [model("m")])
    place(tmp_path, "rows/a/none/renamed", evaluation(1.0))
    with pytest.raises(InputError, match="none/renamed"):
        read(tmp_path, [model("m")])


@pytest.mark.parametrize("where", ["rows", "rows/a", "rows/a/none", "rows/a/none/m"])
def test_no_folder_is_followed_that_is_a_link(where: str, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    place(outside, "rows/a/none/m", evaluation(3.0))
    root = tmp_path / "root"
    place(root, "rows/b/none/m", evaluation(1.0))
    target = root / where
    if where == "rows":
        (root / "rows").rename(root / "kept")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.symlink_to(outside / where, target_is_directory=True)
    found = statuses(read(root, [model("m")], "a"))
    status, reason = found["a", "m", "none"]
    assert status == "invalid_evaluation"
    assert str(reason).startswith("symbolic_link: ")


def test_no_file_is_read_that_is_a_link_a_pipe_or_a_folder(tmp_path: Path) -> None:
    secret = place(tmp_path / "outside", "", evaluation(3.0))
    place(tmp_path, "rows/a/none/link").symlink_to(secret)
    os.mkfifo(place(tmp_path, "rows/a/none/pipe"))
    place(tmp_path, "rows/a/none/folder").mkdir()
    with place(tmp_path, "rows/a/none/huge").open("wb") as handle:
        handle.truncate(MAX_BYTES + 1)
    found = read(tmp_path, [model(one) for one in ("link", "pipe", "folder", "huge")])
    reasons = {row["source_id"]: row["status_reason"].split(":")[0] for row in found.rows}
    assert reasons == {
        "link": "symbolic_link",
        "pipe": "unreadable_file",
        "folder": "unreadable_file",
        "huge": "unreadable_file",
    }
    assert all(row["status"] == "invalid_evaluation" for row in found.rows)


def test_a_folder_of_hidden_files_is_empty(tmp_path: Path) -> None:
    place(tmp_path, "rows/a/none/m", "x", ".DS_Store")
    assert statuses(read(tmp_path, [model("m")])) == {
        ("a", "m", "none"): ("missing_generation", "empty_folder")
    }


def test_weights_of_the_prompts_rubric_reach_the_extractor(tmp_path: Path) -> None:
    path = place(
        tmp_path, "m", {"parsed": {"rubric_scores": {"a": {"score": 3}, "b": {"score": 0}}}}
    )
    weighted = own_extractor("weighted").extract
    found = read_result(str(path.parent), FILE, weighted, {"a": 3.0})
    assert found.components["rubric_adaptive"] == 2.25
