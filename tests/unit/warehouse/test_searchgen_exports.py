"""Published searchgen folders: shapes, bytes, what is excluded, whose folder it is."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.support import searchgen_states
from tests.support.searchgen_states import Marts, marts
from warehouse import storage
from warehouse.contracts.searchgen_values import COMPONENTS
from warehouse.errors import InputError, UsageError
from warehouse.exports import folders, searchgen, searchgen_manifest
from warehouse.exports.searchgen import Export
from warehouse.exports.searchgen_manifest import Provenance
from warehouse.manifests import InputFile

RUN_ID = "searchgen/test"
INPUTS = (InputFile("b.json", "1" * 64, 3), InputFile("a.json", "2" * 64, 4))
KNOWN = Provenance(INPUTS, "release_1", "0.1", "1.4")
ROW_KEYS = {
    "component_counts",
    "components",
    "coverage",
    "display_name",
    "missing_policy",
    "model_id",
    "n_included",
    "n_scored",
    "n_total",
    "overall_10",
    "overall_9",
    "type",
}


def publish(folder: Path, given: Marts | None = None, known: Provenance = KNOWN) -> Path:
    state = (given or marts()).promote(folder / "state")
    return write(state, folder / "out", known).folder


def write(state: Path, out: Path, known: Provenance = KNOWN) -> Export:
    return searchgen.place(out, searchgen.contents(searchgen.load(state, RUN_ID), known))


def document(folder: Path, name: str) -> Any:
    return json.loads((folder / name).read_bytes())


def lines(folder: Path, name: str) -> list[Any]:
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in folder.iterdir()}


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return publish(tmp_path_factory.mktemp("published"))


def test_documents_are_written_as_releases_of_the_benchmark_are(out: Path) -> None:
    for file in out.glob("*.json"):
        text = file.read_text(encoding="ascii")
        assert text == json.dumps(json.loads(text), indent=2, sort_keys=True) + "\n"


def test_rows_have_twelve_keys_and_ten_components(out: Path) -> None:
    boards = [document(out, "leaderboard_overall.json")]
    for view in ("stratum", "domain", "failure_mode"):
        boards += document(out, f"leaderboard_by_{view}.json").values()
    for row in [row for board in boards for row in board]:
        assert set(row) == ROW_KEYS
        assert set(row["components"]) == set(row["component_counts"]) == set(COMPONENTS)


def test_slices_hold_the_four_views_and_repeat_the_whole(out: Path) -> None:
    slices = document(out, "leaderboard_by_slice.json")
    assert list(slices) == ["full_30", "mini"]
    assert slices["full_30"] == {
        "overall": document(out, "leaderboard_overall.json"),
        "strata": document(out, "leaderboard_by_stratum.json"),
        "domains": document(out, "leaderboard_by_domain.json"),
        "failure_modes": document(out, "leaderboard_by_failure_mode.json"),
    }


def test_a_release_without_slices_has_no_file_of_slices(tmp_path: Path) -> None:
    given = marts(slices="{}")
    given.tags = [row for row in given.tags if row["tag_type"] != "slice"]
    out = publish(tmp_path, given)
    assert not (out / "leaderboard_by_slice.json").exists()
    assert "leaderboard_by_slice.json" not in document(out, "manifest.json")["artifacts"]


def test_prompts_keep_null_status_and_every_digit(out: Path) -> None:
    given = {(row["sample_id"], row["source_id"]): row for row in marts().scores}
    prompts = lines(out, "prompt_scores.jsonl")
    assert [one["prompt_index"] for one in prompts] == list(range(30))
    statuses = set()
    for prompt in prompts:
        assert list(prompt["models"]) == list(searchgen_states.MODELS)
        for source_id, record in prompt["models"].items():
            row = given[prompt["sample_id"], source_id]
            statuses.add(record["status"])
            assert record["components_raw_0to3"] == {name: row[name] for name in COMPONENTS}
            for name in ("status", "status_reason", "lane", "overall_9_raw", "overall_10_raw"):
                assert record[name] == row[name]
    assert len(statuses) == 4


def test_what_a_lane_hides_stands_in_the_data_with_its_reason(tmp_path: Path) -> None:
    given = marts()
    other = {**given.scores[0], "lane": "edited", "is_published_lane": False}
    given.scores.append(other)
    out = publish(tmp_path, given)
    first, *rest = lines(out, "prompt_scores.jsonl")
    (record,) = first["other_lanes"]
    assert (record["source_id"], record["lane"]) == ("alpha", "edited")
    assert record["excluded_reason"] == "lane_is_not_published"
    assert not any("other_lanes" in one for one in rest)
    assert document(out, "manifest.json")["lanes"] == {
        "published": "none",
        "excluded": {"edited": {"reason": "lane_is_not_published", "record_count": 1}},
    }


def test_the_manifest_pins_every_file(out: Path) -> None:
    manifest = document(out, "manifest.json")
    assert set(manifest["artifacts"]) == {one.name for one in out.iterdir()} - {"manifest.json"}
    for name, stated in manifest["artifact_files"].items():
        content = (out / name).read_bytes()
        assert stated == {"bytes": len(content), "sha256": storage.sha256_bytes(content)}
    assert manifest["inputs"] == {"bytes": 7, "count": 2, "listed_in": "inputs.jsonl"}
    assert lines(out, "inputs.jsonl") == [
        {"bytes": 4, "file": "a.json", "sha256": "2" * 64},
        {"bytes": 3, "file": "b.json", "sha256": "1" * 64},
    ]


def test_the_manifest_says_how_numbers_are_made(out: Path) -> None:
    manifest = document(out, "manifest.json")
    assert manifest["partition"] == {
        "NoSearch": 10,
        "SearchIntensive": 20,
        "TextualSearch": 10,
        "VisualSearch": 10,
    }
    assert manifest["slice_partitions"]["mini"]["NoSearch"] == 5
    assert manifest["scoring"]["missing_policy_exceptions"] == {
        "beta-1": "exclude",
        "gamma-1": {
            "missing_generation": "zero_fill",
            "missing_evaluation": "exclude",
            "invalid_evaluation": "exclude",
        },
    }
    assert [manifest["models"][one]["order"] for one in ("alpha-1", "beta-1", "gamma-1")] == [
        1,
        2,
        3,
    ]
    assert manifest["judge"]["notice"] is None
    assert manifest["generated_at"] is None


def test_a_heuristic_judge_is_named(tmp_path: Path) -> None:
    manifest = document(publish(tmp_path, marts(judge_kind="heuristic")), "manifest.json")
    assert manifest["judge"]["kind"] == "heuristic"
    assert manifest["judge"]["notice"].startswith("HEURISTIC JUDGE")


def test_all_policies_stand_side_by_side_unrounded(out: Path) -> None:
    rows = {
        (row["slice"], row["view"], row["group_name"], row["source_id"], row["policy"]): row
        for row in searchgen_states.boards(marts())
    }
    records = lines(out, "leaderboard_policies.jsonl")
    assert 5 * len(records) == len(rows)
    for record in records:
        slice_ = "all" if record["slice"] == "full_30" else record["slice"]
        for policy, cell in record["policies"].items():
            row = rows[slice_, record["view"], record["group"], record["source_id"], policy]
            for name in ("overall_9", "overall_10_count", "model_rank", "rank_change"):
                assert cell[name] == row[name]
            assert cell["components"] == {name: row[name] for name in COMPONENTS}
    moved = [one for one in records if one["policies"]["all_zero_fill"]["rank_change"]]
    assert moved


def test_bytes_do_not_depend_on_the_order_of_rows(tmp_path: Path, out: Path) -> None:
    given = marts()
    for rows in (given.scores, given.tags, given.models):
        random.Random(7).shuffle(rows)
    known = Provenance(INPUTS[::-1], "release_1", "0.1", "1.4")
    assert bytes_of(publish(tmp_path, given, known)) == bytes_of(out)


def test_a_second_export_changes_nothing(tmp_path: Path) -> None:
    state = marts().promote(tmp_path / "state")
    first = write(state, tmp_path / "out")
    before = (tmp_path / "out" / "manifest.json").stat().st_ino
    second = write(state, tmp_path / "out")
    assert (first.is_changed, second.is_changed) == (True, False)
    assert (tmp_path / "out" / "manifest.json").stat().st_ino == before


def test_an_older_export_is_replaced_whole(tmp_path: Path) -> None:
    out = publish(tmp_path)
    given = marts(seed=2, slices="{}")
    given.tags = [row for row in given.tags if row["tag_type"] != "slice"]
    state = given.promote(tmp_path / "other")
    write(state, out)
    assert {one.name for one in out.iterdir()} == {
        *document(out, "manifest.json")["artifacts"],
        "manifest.json",
    }
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith(".")] == []


@pytest.mark.parametrize("name", ["notes.txt", ".git"])
def test_a_folder_with_other_files_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).write_text("mine")
    with pytest.raises(InputError, match="holds other files"):
        publish(tmp_path)
    assert (tmp_path / "out" / name).read_text() == "mine"


def test_a_release_by_another_tool_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "manifest.json").write_text('{"schema_version": "1.1.0"}')
    with pytest.raises(InputError, match="Podium did not write"):
        publish(tmp_path)


def test_a_link_is_no_target(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="no folder"):
        publish(tmp_path)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_two_renames_do_where_nothing_can_be_exchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "_exchange", lambda *_: False)
    assert folders.replace(tmp_path / "out", {"a": b"1", "b": b"1"}, owned=("a", "b"))
    assert folders.replace(tmp_path / "out", {"a": b"2"}, owned=("a", "b"))
    assert bytes_of(tmp_path / "out") == {"a": b"2"}
    assert [one.name for one in tmp_path.iterdir()] == ["out"]


def test_models_that_share_a_public_id_are_refused(tmp_path: Path) -> None:
    given = marts()
    given.models[1]["model_id"] = "alpha-1"
    with pytest.raises(InputError, match="share a public id: alpha-1"):
        publish(tmp_path, given)


def test_the_run_is_asked_for_only_when_there_are_several() -> None:
    assert searchgen.choose_run(("a/1",), None) == "a/1"
    assert searchgen.choose_run(("a/1", "a/2"), "a/2") == "a/2"
    with pytest.raises(UsageError, match="a/1, a/2"):
        searchgen.choose_run(("a/1", "a/2"), None)
    with pytest.raises(UsageError, match="`b` is not landed"):
        searchgen.choose_run(("a/1",), "b")
    with pytest.raises(InputError, match="podium land searchgen"):
        searchgen.choose_run((), None)


def test_the_time_is_that_of_source_date_epoch_or_none() -> None:
    assert searchgen_manifest.generated_at("0") == "1970-01-01T00:00:00+00:00"
    assert searchgen_manifest.generated_at(None) is None
    with pytest.raises(UsageError, match="SOURCE_DATE_EPOCH"):
        searchgen_manifest.generated_at("today")
