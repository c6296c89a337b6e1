"""Published boards: every known shape is landed as it stands, any other is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ingest.searchgen.land import LandOptions, LandReport, land_published
from tests.support.searchgen_landed import landed_rows
from tests.support.searchgen_published import manifest, row, write, write_sliced
from tests.support.trees import write_json
from warehouse.contracts.searchgen_values import COMPONENTS, COMPONENTS_9
from warehouse.errors import InputError
from warehouse.paths import WarehousePaths

Row = dict[str, Any]


def land(folder: Path, **options: Any) -> tuple[WarehousePaths, LandReport]:
    paths = WarehousePaths(folder.parent / "warehouse")
    return paths, land_published(paths, folder=folder, options=LandOptions(**options))


def test_nine_components_and_a_list_of_exceptions_are_the_first_shape(tmp_path: Path) -> None:
    paths, report = land(write(tmp_path / "first"))
    assert report.landed_units == ["searchgen/published/first"]
    assert not (report.rejects or report.findings)
    rows = landed_rows(paths, "published_aggregates")
    assert [(one["view"], one["group_name"], one["row_position"]) for one in rows] == [
        ("domain", "ART", 2),
        ("domain", "ART", 1),
        ("failure_mode", "CCS", 2),
        ("failure_mode", "CCS", 1),
        ("stratum", "All", 2),
        ("stratum", "All", 1),
        ("stratum", "NoSearch", 1),
        ("overall", "All", 2),
        ("overall", "All", 1),
    ]
    assert {one["slice"] for one in rows} == {"all"}
    assert {one["model_id"]: one["source_id"] for one in rows} == {
        "gpt_image": "gpt",
        "bagel": "bagel",
    }
    assert {(one["text_rendering"], one["text_reference_evaluation"]) for one in rows} == {
        (50.0, None)
    }
    assert {one["text_reference_evaluation_count"] for one in rows} == {None}
    (head,) = landed_rows(paths, "published_releases")
    assert head["missing_policy_exceptions"] == '{"bagel":"exclude"}'
    assert (head["primary_metric"], head["whole_slice_name"]) == ("overall_10", "full")


def test_ten_components_and_slices_are_the_newest_shape(tmp_path: Path) -> None:
    paths, report = land(write_sliced(tmp_path / "newest"), release="2026-08", dataset_id="d")
    assert report.landed_units == ["d/published/2026-08"]
    rows = [
        one
        for one in landed_rows(paths, "published_aggregates")
        if one["artifact"] == "leaderboard_by_slice.json"
    ]
    assert {(one["slice"], one["view"], one["group_name"]) for one in rows} == {
        (name, view, group)
        for name in ("all", "mini")
        for view, group in (("overall", "All"), ("stratum", "All"), ("domain", "ART"))
    }
    assert {one["run_id"] for one in rows} == {"d/2026-08"}
    assert {one["text_reference_evaluation_count"] for one in rows} == {4}


def test_shapes_are_told_apart_where_versions_are_not(tmp_path: Path) -> None:
    folders = [
        write(tmp_path / "first"),
        write(tmp_path / "second", COMPONENTS),
        write(tmp_path / "third", scoring=manifest(missing_policy_exceptions={})["scoring"]),
        write(tmp_path / "fourth", generated_at="2026-08-01T00:00:00+00:00"),
    ]
    paths = WarehousePaths(tmp_path / "warehouse")
    for folder in folders:
        land_published(paths, folder=folder, options=LandOptions())
    prints = {
        one["release"]: one["shape_fingerprint"] for one in landed_rows(paths, "published_releases")
    }
    assert len({prints["first"], prints["second"], prints["third"]}) == 3
    assert prints["fourth"] == prints["first"]


def test_a_listed_model_has_the_policy_that_is_not_the_default(tmp_path: Path) -> None:
    scoring = manifest(missing_policy_default="exclude")["scoring"]
    paths, _ = land(write(tmp_path / "r", scoring=scoring))
    (head,) = landed_rows(paths, "published_releases")
    assert head["missing_policy_exceptions"] == '{"bagel":"zero_fill"}'


def test_an_exception_that_names_no_model_is_a_failure(tmp_path: Path) -> None:
    scoring = manifest(missing_policy_exceptions={"klein": "exclude"})["scoring"]
    _, report = land(write(tmp_path / "r", scoring=scoring))
    (finding,) = report.findings
    assert finding.check == "missing_policies_name_models"
    assert finding.subject == "searchgen/r/klein"
    assert finding.outcome.exit_code == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rank": 1}, "odd: ['rank']"),
        ({"components": {"checklist": 1.0}}, "components of a row"),
        ({"components": {**dict.fromkeys(COMPONENTS_9), "style": 1.0}}, "components of a row"),
        ({"component_counts": dict.fromkeys(COMPONENTS, 1)}, "a count for each"),
        ({"components": [1.0]}, "components of a row"),
    ],
)
def test_rows_of_another_shape_end_the_landing(change: Row, words: str, tmp_path: Path) -> None:
    folder = write(tmp_path / "r")
    board = {"ART": [row("bagel", COMPONENTS_9, **change)]}
    write_json(folder / "leaderboard_by_domain.json", board)
    with pytest.raises(InputError) as caught:
        land(folder)
    assert words in str(caught.value)
    assert "leaderboard_by_domain.json" in str(caught.value)
    assert not (tmp_path / "warehouse").exists()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"n_total": -1}, "wrong_type"),
        ({"n_scored": 1.5}, "wrong_type"),
        ({"n_included": None}, "wrong_type"),
        ({"overall_9": "50.0"}, "wrong_type"),
        ({"type": "open"}, "unknown_value"),
        ({"missing_policy": "drop"}, "unknown_value"),
        ({"model_id": ""}, "blank_field"),
    ],
)
def test_a_row_with_a_value_of_another_type_is_set_aside(
    change: Row, reason: str, tmp_path: Path
) -> None:
    folder = write(tmp_path / "r")
    good = row("gpt_image", COMPONENTS_9)
    board = {"ART": [{**row("bagel", COMPONENTS_9), **change}, good]}
    write_json(folder / "leaderboard_by_domain.json", board)
    paths, report = land(folder)
    assert [(one.reason, one.source_file) for one in report.rejects] == [
        (reason, "leaderboard_by_domain.json")
    ]
    kept = [one for one in landed_rows(paths, "published_aggregates") if one["view"] == "domain"]
    assert [one["model_id"] for one in kept] == ["gpt_image"]


def test_null_with_count_zero_stays_null(tmp_path: Path) -> None:
    folder = write(tmp_path / "r")
    one = row("bagel", COMPONENTS_9)
    one["components"]["text_rendering"], one["component_counts"]["text_rendering"] = None, 0
    write_json(folder / "leaderboard_overall.json", [one])
    paths, _ = land(folder)
    found = [one for one in landed_rows(paths, "published_aggregates") if one["view"] == "overall"]
    assert [(one["text_rendering"], one["text_rendering_count"]) for one in found] == [(None, 0)]


def test_a_model_that_stands_twice_in_a_group_is_set_aside(tmp_path: Path) -> None:
    folder = write(tmp_path / "r")
    write_json(folder / "leaderboard_overall.json", [row("bagel", COMPONENTS_9)] * 2)
    _, report = land(folder)
    assert [one.reason for one in report.rejects] == ["duplicate_row", "duplicate_row"]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("leaderboard_by_domain.json", None, "lacks `leaderboard_by_domain.json`"),
        ("leaderboard_by_domain.json", "{", "cannot be read"),
        ("leaderboard_by_domain.json", "[]", "groups by name"),
        ("leaderboard_by_domain.json", '{"ART": {}}', "a list of rows"),
        ("leaderboard_overall.json", "{}", "a list of rows"),
        ("manifest.json", None, "cannot be read"),
        ("manifest.json", "{}", "lacks `schema_version`"),
        ("manifest.json", "[]", "cannot be read"),
    ],
)
def test_a_file_that_is_no_board_is_named(
    name: str, text: str | None, words: str, tmp_path: Path
) -> None:
    folder = write(tmp_path / "r")
    (folder / name).unlink()
    if text is not None:
        (folder / name).write_text(text)
    with pytest.raises(InputError) as caught:
        land(folder)
    assert words in str(caught.value)


def test_other_components_in_the_manifest_are_another_benchmark(tmp_path: Path) -> None:
    scoring = manifest(overall_9_components=["checklist"])["scoring"]
    with pytest.raises(InputError, match="are other components"):
        land(write(tmp_path / "r", scoring=scoring))


def test_a_slice_with_other_views_is_named(tmp_path: Path) -> None:
    folder = write_sliced(tmp_path / "r")
    write_json(folder / "leaderboard_by_slice.json", {"mini": {"overall": []}})
    with pytest.raises(InputError, match="mini has a shape that is not known"):
        land(folder)
