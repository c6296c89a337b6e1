"""Figures of searchgen that somebody else has printed."""

from __future__ import annotations

import pytest

from tests.support.worlds import World
from warehouse.contracts.searchgen_values import COMPONENTS

BOARD = (
    "select * from marts.rpt_searchgen__leaderboards where run_id = ? and slice = 'all' "
    "and view = ? and group_name = ? and policy = ? and source_id = ?"
)


def test_the_record_of_the_design(searchgen_world: World) -> None:
    row = searchgen_world.one(
        "select * from marts.fct_searchgen__prompt_scores where run_id = 'searchgen/seed_record'"
    )
    assert (row["component_count_9"], row["component_count_10"]) == (9, 9)
    # The design prints 2.1667 for both.
    assert row["overall_9_raw"] == row["overall_10_raw"] == 19.5 / 9
    assert row["text_reference_evaluation"] is None


@pytest.mark.parametrize(
    ("component", "public"),
    [
        ("checklist", 70.0),
        ("rubric_adaptive", 66.7),
        ("prompt_faithfulness", 73.3),
        ("image_quality", 80.0),
        ("text_rendering", 70.0),
        ("ai_naturalness", 66.7),
        ("composition_and_aesthetics", 83.3),
        ("physical_plausibility", 76.7),
        ("visual_reference_evaluation", 63.3),
        ("text_reference_evaluation", None),
    ],
)
def test_a_component_of_the_record_on_a_board(
    searchgen_world: World, component: str, public: float | None
) -> None:
    place = ("searchgen/seed_record", "domain", "CUL", "published", "gpt_image")
    row = searchgen_world.one(BOARD, *place)
    value = row[component]
    assert (None if value is None else round(value, 1)) == public
    assert row[f"{component}_count"] == (0 if public is None else 1)
    assert (row["overall_9_rounded"], row["overall_10_rounded"]) == (72.2, 72.2)


@pytest.mark.parametrize(
    ("policy", "n_included", "overall_9", "overall_10"),
    [
        ("published", 1, 39.0, 34.2),
        ("all_exclude", 1, 39.0, 34.2),
        ("common_prompts", 1, 39.0, 34.2),
        ("all_zero_fill", 3, 13.0, 11.4),
    ],
)
def test_a_published_domain_with_one_of_three_scored(
    searchgen_world: World, policy: str, n_included: int, overall_9: float, overall_10: float
) -> None:
    row = searchgen_world.one(BOARD, "searchgen/one_of_three", "domain", "GAM", policy, "xai_image")
    assert (row["n_total"], row["n_scored"], row["n_included"]) == (3, 1, n_included)
    assert (row["overall_9_rounded"], row["overall_10_rounded"]) == (overall_9, overall_10)
    assert row["is_low_coverage"] is True


def test_zero_filling_fills_components_that_no_prompt_has(searchgen_world: World) -> None:
    place = ("searchgen/nothing_scored", "stratum", "NoSearch", "published")
    row = searchgen_world.one(BOARD, *place, "filled")
    assert (row["n_scored"], row["n_included"], row["model_rank"]) == (0, 4, 1)
    assert {row[f"{name}_count"] for name in COMPONENTS} == {4}
    assert {row[name] for name in (*COMPONENTS, "overall_9", "overall_10")} == {0.0}
    assert row["is_low_coverage"] is True


def test_excluding_everything_leaves_no_figure_and_no_rank(searchgen_world: World) -> None:
    place = ("searchgen/nothing_scored", "stratum", "NoSearch", "published")
    row = searchgen_world.one(BOARD, *place, "excluded")
    assert (row["n_total"], row["n_included"], row["model_rank"]) == (4, 0, None)
    assert {row[name] for name in (*COMPONENTS, "overall_9", "overall_10_rounded")} == {None}
    assert row["rank_published"] == 2
