"""Prompts: parts, tags and slices as stated or derived, and what has to be set aside."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ingest.land_fields import FileReader
from ingest.searchgen.model_registry import SliceRule
from ingest.searchgen.partitions import derive
from ingest.searchgen.prompts import PromptRules, Prompts, read_prompts
from tests.support.trees import write_jsonl
from warehouse import landing
from warehouse.contracts.searchgen import PROMPTS
from warehouse.findings import Outcome
from warehouse.landing import RejectLog

Row = dict[str, Any]
RULES = PromptRules("d/r", "d", wants_release_row=True)


def line(sample_id: str, **fields: Any) -> Row:
    base = {"sample_id": sample_id, "release_row": f"rows/{sample_id}"}
    return {**base, "subset": "Search", "domains": [], "failure_modes": [], **fields}


def read(
    folder: Path, lines: Iterable[Row], rules: PromptRules = RULES
) -> tuple[Prompts, list[tuple[str, str, int | None]]]:
    """Return what is read, and (reason, subject, line) of each reject."""
    path = folder / "prompts.jsonl"
    write_jsonl(path, list(lines))
    log = RejectLog("searchgen", "d", "d/runs/r")
    found = read_prompts(FileReader(folder, log), path, rules)
    landing.sorted_table(PROMPTS, found.rows)
    return found, [(one.reason, one.subject, one.source_line) for one in log.rejects]


def parts(found: Prompts) -> dict[str, tuple[str, str]]:
    return {row["sample_id"]: (row["stratum"], row["search_type"]) for row in found.rows}


@pytest.mark.parametrize("subset", ["NoSearch", ["NoSearch"], ["testmini", "NoSearch"]])
def test_a_label_or_a_list_of_labels_tells_who_needs_no_search(subset: Any, tmp_path: Path) -> None:
    found, rejects = read(tmp_path, [line("eval_texthard_1", subset=subset)])
    assert parts(found) == {"eval_texthard_1": ("NoSearch", "NoSearch")}
    assert not rejects


def test_ids_tell_textual_prompts_from_visual_ones_case_by_case(tmp_path: Path) -> None:
    ids = ["eval_texthard_001", "x_text_rendering_2", "eval_TextHard_3", "eval_base40_001"]
    found, _ = read(tmp_path, map(line, ids))
    assert [parts(found)[one][1] for one in ids] == [
        "TextualSearch",
        "TextualSearch",
        "VisualSearch",
        "VisualSearch",
    ]
    assert derive("eval_base40_001", []) == ("SearchIntensive", "VisualSearch")


def test_stated_parts_stay_and_a_contradiction_is_one_warning(tmp_path: Path) -> None:
    stated = {"stratum": "SearchIntensive", "search_type": "TextualSearch"}
    found, rejects = read(tmp_path, [line("b", **stated), line("a", **stated), line("c")])
    assert not rejects
    assert parts(found)["a"] == ("SearchIntensive", "TextualSearch")
    (finding,) = found.findings
    assert finding.outcome is Outcome.WARNED
    assert (finding.subject, finding.line) == ("d/r/a", 2)
    assert "2 of 3 prompts" in finding.message


def test_one_stated_part_gives_the_other(tmp_path: Path) -> None:
    found, _ = read(
        tmp_path,
        [
            line("a", subset=None, search_type="NoSearch"),
            line("b", subset=None, search_type="TextualSearch"),
            line("c", subset=None, stratum="NoSearch"),
            line("texthard", subset="NoSearch", stratum="SearchIntensive"),
        ],
    )
    assert parts(found) == {
        "a": ("NoSearch", "NoSearch"),
        "b": ("SearchIntensive", "TextualSearch"),
        "c": ("NoSearch", "NoSearch"),
        "texthard": ("SearchIntensive", "TextualSearch"),
    }


def test_a_prompt_without_any_label_is_no_visual_prompt(tmp_path: Path) -> None:
    found, rejects = read(tmp_path, [line("a", subset=None), line("b")])
    assert [row["sample_id"] for row in found.rows] == ["b"]
    assert rejects == [("missing_field", "a", 1)]


def test_three_ids_stand_apart_and_the_index_is_only_what_is_stated(tmp_path: Path) -> None:
    found, _ = read(tmp_path, [line("a", bench_id="bench_1", prompt_index=7), line("b")])
    ids = [(row["release_row"], row["bench_id"], row["prompt_index"]) for row in found.rows]
    assert ids == [("rows/a", "bench_1", 7), ("rows/b", None, None)]


def test_tags_stand_as_stated_repeated_ones_too(tmp_path: Path) -> None:
    found, rejects = read(tmp_path, [line("a", domains=["ART", "CUL", "ART"])])
    assert found.rows[0]["domains"] == ["ART", "CUL", "ART"]
    assert not rejects


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"domains": "ART"}, "wrong_type"),
        ({"domains": None}, "wrong_type"),
        ({"domains": ["ART", 3]}, "wrong_type"),
        ({"failure_modes": [" "]}, "blank_field"),
        ({"subset": 3}, "wrong_type"),
        ({"stratum": "nosearch"}, "unknown_value"),
        ({"search_type": 1}, "wrong_type"),
        ({"prompt_index": 1.5}, "wrong_type"),
        ({"is_miniset": 1}, "wrong_type"),
        ({"difficulty": ["hard"]}, "wrong_type"),
        ({"release_row": None}, "missing_field"),
        ({"release_row": "../up"}, "path_leaves_root"),
        ({"release_row": "/etc"}, "path_leaves_root"),
        ({"release_row": "a//b"}, "path_leaves_root"),
        ({"release_row": "a\\..\\b"}, "path_leaves_root"),
        ({"release_row": "a\nb"}, "path_leaves_root"),
        ({"release_row": "a/./b"}, "path_leaves_root"),
        ({"release_row": "x" * 300}, "path_leaves_root"),
    ],
)
def test_a_field_of_another_type_sets_its_line_aside(
    fields: Row, reason: str, tmp_path: Path
) -> None:
    found, rejects = read(tmp_path, [line("a", **fields), line("b")])
    assert [row["sample_id"] for row in found.rows] == ["b"]
    assert rejects == [(reason, "a", 1)]


@pytest.mark.parametrize("name", ["sample_id", "domains", "failure_modes"])
def test_an_absent_field_sets_its_line_aside(name: str, tmp_path: Path) -> None:
    torn = {key: value for key, value in line("a").items() if key != name}
    _, rejects = read(tmp_path, [torn, line("b")])
    assert [reason for reason, _, _ in rejects] == ["missing_field"]


def test_both_copies_of_a_prompt_are_set_aside(tmp_path: Path) -> None:
    found, rejects = read(tmp_path, [line("a"), line("b"), line("a", domains=["ART"])])
    assert [row["sample_id"] for row in found.rows] == ["b"]
    assert rejects == [("duplicate_row", "a", 1), ("duplicate_row", "a", 3)]


def test_what_no_column_holds_is_kept_as_metadata(tmp_path: Path) -> None:
    fields = {"user_prompt": "a cat", "language": "en", "difficulty": 3}
    found, _ = read(tmp_path, [line("a", **fields), line("b")])
    assert [row["metadata"] for row in found.rows] == ['{"user_prompt":"a cat"}', "{}"]
    assert (found.rows[0]["language"], found.rows[0]["difficulty"]) == ("en", "3")


def test_slices_are_any_or_all_of_their_labels_once_a_release_row(tmp_path: Path) -> None:
    slices = {
        "any": SliceRule(("mini", "easy"), "any"),
        "both": SliceRule(("mini", "easy"), "all"),
        "whole": SliceRule(()),
    }
    lines = [
        line("d", subset=["mini"], release_row="rows/shared"),
        line("a", subset=["mini"]),
        line("b", subset=["mini", "easy"]),
        line("c", subset=["easy"], release_row="rows/shared"),
        line("e", subset="Search"),
    ]
    expected = {
        "a": ["any", "whole"],
        "b": ["any", "both", "whole"],
        "c": ["any", "whole"],
        "d": [],
        "e": ["whole"],
    }
    for order in (lines, lines[::-1]):
        found, _ = read(tmp_path, order, replace(RULES, slices=slices))
        assert {row["sample_id"]: row["slices"] for row in found.rows} == expected


def test_stated_slices_stay(tmp_path: Path) -> None:
    rules = replace(RULES, slices={"mini": SliceRule(("mini",), "any")})
    found, _ = read(tmp_path, [line("a", subset="mini", slices=["other"])], rules)
    assert found.rows[0]["slices"] == ["other"]


def test_labels_may_stand_in_another_field(tmp_path: Path) -> None:
    found, _ = read(tmp_path, [line("a", part="NoSearch")], replace(RULES, subset_field="part"))
    assert parts(found)["a"] == ("NoSearch", "NoSearch")
    assert found.rows[0]["subsets"] == ["NoSearch"]
