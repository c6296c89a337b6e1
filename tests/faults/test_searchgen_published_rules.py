"""Rules about published boards: each fault alone, planted in clean ones, is told by name."""

from __future__ import annotations

import json
from typing import Any

import pytest

from expectations.suites import SUITES
from tests.support.searchgen_gates import board_tables
from tests.support.spoiled_tables import Row, Spoil, Tables, both, drop, edit
from warehouse.contracts.searchgen_values import COMPONENTS, EXCLUDED_COMPONENT

SUITE = SUITES["landing", "searchgen"]
BOARDS, RELEASES = "searchgen.published_aggregates", "searchgen.published_releases"
OVERALL_FILE = "leaderboard_overall.json"
SLICE_FILE = "leaderboard_by_slice.json"
# Each group of all prompts stands in a file of its own and in that of the slices.
ART = {"slice": "all", "view": "domain", "group_name": "ART"}
ALPHA, BETA = {**ART, "model_id": "alpha-1"}, {**ART, "model_id": "beta-1"}
VISUAL = {"slice": "all", "view": "stratum", "group_name": "VisualSearch", "model_id": "alpha-1"}
PLACE = "searchgen/test/leaderboard_by_domain.json/all/domain/ART/alpha-1"
FULL = {
    **dict.fromkeys(COMPONENTS, 50.0),
    **{f"{name}_count": lambda row: row["n_included"] for name in COMPONENTS},
}
ONE = {
    **dict.fromkeys(("n_total", "n_scored", "n_included"), 1),
    **dict.fromkeys(("coverage",), 1.0),
    **dict.fromkeys((*COMPONENTS, "overall_9", "overall_10"), 50.0),
    **{f"{name}_count": 1 for name in COMPONENTS},
    **{"text_rendering": None, "text_rendering_count": 0},
}


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return board_tables(tmp_path_factory.mktemp("clean"))


def shifted(name: str, by: float) -> Any:
    return lambda row: round(row[name] + by, 2)


def covered(row: Row) -> float:
    return round(row["n_scored"] / row["n_total"], 4)


def exceptions(**named: str) -> Any:
    def changed(row: Row) -> str:
        return json.dumps({**json.loads(row["missing_policy_exceptions"]), **named})

    return changed


# What is planted, the one rule that tells it, and a text that must stand in what it tells.
FAULTS: dict[str, tuple[Spoil, str, str]] = {
    "the overall board is not that of all strata": (
        edit(BOARDS, {"artifact": OVERALL_FILE, "model_id": "alpha-1"}, display_name="Alpha 2"),
        "boards_of_the_same_prompts_are_equal",
        "searchgen/test/all/stratum/All/alpha-1: display_name differ between",
    ),
    "the slice file says something else": (
        edit(
            BOARDS, {**ALPHA, "artifact": SLICE_FILE}, image_quality=shifted("image_quality", 0.1)
        ),
        "boards_of_the_same_prompts_are_equal",
        "searchgen/test/all/domain/ART/alpha-1: image_quality differ between",
    ),
    "a group is not in the slice file": (
        drop(BOARDS, **ART, artifact=SLICE_FILE),
        "the_slice_board_repeats_every_group",
        "searchgen/test/all/domain/ART: not in the slice file",
    ),
    "a count that its parts do not give": (
        edit(BOARDS, VISUAL, n_scored=lambda row: row["n_scored"] - 1, coverage=covered),
        "published_counts_of_parts_add_up",
        "all/stratum/SearchIntensive/alpha-1: n_scored is",
    ),
    "a coverage that is no share": (
        edit(BOARDS, ALPHA, coverage=lambda row: row["coverage"] - 0.001),
        "coverage_follows_from_counts",
        PLACE,
    ),
    "a coverage of five decimals": (
        edit(BOARDS, ALPHA, coverage=lambda row: row["coverage"] + 0.00001),
        "coverage_follows_from_counts",
        PLACE,
    ),
    "a denominator that the policy does not give": (
        edit(BOARDS, BETA, n_included=lambda row: row["n_scored"] + 1),
        "included_counts_follow_the_policy",
        "ART/beta-1: exclude includes",
    ),
    "a component that its parts do not give": (
        edit(BOARDS, VISUAL, ai_naturalness=shifted("ai_naturalness", -2)),
        "published_components_are_means_of_parts",
        "all/stratum/SearchIntensive/alpha-1: ai_naturalness is",
    ),
    "an overall that its parts do not give": (
        edit(BOARDS, VISUAL, overall_10=shifted("overall_10", -2)),
        "published_overalls_are_means_of_parts",
        "all/stratum/SearchIntensive/alpha-1: overall_10 is",
    ),
    "an overall that is not the mean of nine full components": (
        edit(BOARDS, ALPHA, **{**FULL, "overall_9": 50.2}),
        "full_counts_make_overall_9_the_mean_of_nine",
        f"{PLACE}: overall_9 is 50.2, the mean of its nine is 50",
    ),
    "overalls that differ without a text reference": (
        edit(
            BOARDS,
            ALPHA,
            **{EXCLUDED_COMPONENT: None, f"{EXCLUDED_COMPONENT}_count": 0},
            overall_10=lambda row: round(row["overall_9"] - 0.1, 1),
        ),
        "without_text_references_both_overalls_are_one",
        f"{PLACE}: overall_9 is",
    ),
    "one prompt that is not the mean of its components": (
        both(edit(BOARDS, ART, **ONE), edit(BOARDS, ALPHA, overall_9=50.2, overall_10=50.2)),
        "one_prompt_has_the_mean_of_its_components",
        f"{PLACE}: overalls are 50.2 and 50.2, means are 50",
    ),
    "a score of two decimals": (
        edit(BOARDS, ALPHA, overall_10=shifted("overall_10", 0.04)),
        "published_scores_have_one_decimal_from_0_to_100",
        f"{PLACE}: overall_10 is",
    ),
    "a score above 100": (
        edit(BOARDS, ALPHA, checklist=100.5),
        "published_scores_have_one_decimal_from_0_to_100",
        f"{PLACE}: checklist is 100.5",
    ),
    "more components than prompts": (
        edit(BOARDS, ALPHA, checklist_count=lambda row: row["n_included"] + 1),
        "published_counts_hold_their_order",
        PLACE,
    ),
    "a null that counts": (
        edit(BOARDS, ALPHA, checklist=None),
        "published_scores_are_null_where_nothing_counts",
        f"{PLACE}: checklist is null of",
    ),
    "a number that nothing counts for": (
        edit(BOARDS, ALPHA, checklist_count=0),
        "published_scores_are_null_where_nothing_counts",
        f"{PLACE}: checklist is",
    ),
    "a model that is not in its group": (
        drop(BOARDS, **{**ART, "model_id": "gamma-1"}),
        "every_group_lists_every_model_once",
        "ART/gamma-1: 0 rows of this model",
    ),
    "a group of two sizes": (
        edit(
            BOARDS,
            ALPHA,
            n_total=lambda row: row["n_total"] + 1,
            n_included=lambda row: row["n_included"] + 1,
            coverage=covered,
        ),
        "every_group_has_one_size",
        "leaderboard_by_domain.json/all/domain/ART: n_total is",
    ),
    "a model that the manifest does not name": (
        edit(BOARDS, ALPHA, source_id=None),
        "published_models_are_those_of_the_manifest",
        PLACE,
    ),
    "a total that the manifest does not say": (
        edit(RELEASES, {}, prompt_count=31),
        "published_totals_are_those_of_the_manifest",
        "searchgen/test/All: 30 prompts on the boards, the manifest says 31",
    ),
    "a part that the manifest does not say": (
        edit(RELEASES, {}, partition='{"NoSearch": 11}'),
        "published_totals_are_those_of_the_manifest",
        "searchgen/test/NoSearch: 10 prompts on the boards, the manifest says 11",
    ),
    "a policy for a model that was renamed": (
        edit(RELEASES, {}, missing_policy_exceptions=exceptions(xai_image="exclude")),
        "missing_policies_name_models",
        "manifest.json:None searchgen/test/xai_image",
    ),
    "a policy that rows do not have": (
        edit(RELEASES, {}, missing_policy_exceptions=exceptions(**{"beta-1": "zero_fill"})),
        "published_rows_have_the_policy_of_the_manifest",
        "beta-1: missing_policy is exclude, the manifest says zero_fill",
    ),
    "rows in another order": (
        edit(BOARDS, ART, row_position=lambda row: 4 - row["row_position"]),
        "published_rows_stand_in_order",
        "leaderboard_by_domain.json/all/domain/ART: 2 rows stand elsewhere",
    ),
}


def test_clean_boards_alone_are_enough_and_have_nothing_to_tell(clean: Tables) -> None:
    assert clean.rows["searchgen.runs"] == []
    assert len(clean.rows[BOARDS]) > 50
    assert clean.findings(SUITE) == {}


def test_boards_of_nine_components_have_nothing_to_tell(clean: Tables) -> None:
    tables = clean.copy()
    edit(BOARDS, {}, **{EXCLUDED_COMPONENT: None, f"{EXCLUDED_COMPONENT}_count": None})(tables)
    assert tables.findings(SUITE) == {}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_alone_is_told_by_its_rule_alone(fault: str, clean: Tables) -> None:
    spoil, rule, text = FAULTS[fault]
    tables = clean.copy()
    spoil(tables)
    found = tables.findings(SUITE)
    assert set(found) == {rule}, found
    assert any(text in one for one in found[rule]), found[rule]


def test_overalls_that_order_the_board_differently_are_told(clean: Tables) -> None:
    tables = clean.copy()
    edit(
        BOARDS, {"view": "overall", "slice": "all"}, overall_10=lambda row: 100 - row["overall_9"]
    )(tables)
    found = tables.findings(SUITE)["both_overalls_order_the_board_alike"]
    assert "2 models have another place by Overall-10" in found[0]


def test_domains_that_add_up_to_the_prompts_are_told(clean: Tables) -> None:
    tables = clean.copy()
    domains = sorted({row["group_name"] for row in tables.rows[BOARDS] if row["view"] == "domain"})
    sizes = dict(zip(domains, (100, 15, 5), strict=True))
    edit(BOARDS, {"view": "domain"}, n_total=lambda row: sizes[row["group_name"]])(tables)
    edit(BOARDS, {"view": "overall"}, n_total=120)(tables)
    assert tables.findings(SUITE)["domains_overlap"] == [
        "leaderboard_by_domain.json:None searchgen/test: domains add up to the 120 prompts; "
        "a prompt has many, so each seems cut to one"
    ]
    sizes["ART"] += 1
    edit(BOARDS, {"view": "domain"}, n_total=lambda row: sizes[row["group_name"]])(tables)
    assert "domains_overlap" not in tables.findings(SUITE)


def test_a_manifest_without_boards_is_told(clean: Tables) -> None:
    tables = clean.copy()
    tables.rows[BOARDS] = []
    found = tables.findings(SUITE)
    assert found["a_release_is_landed"]
    assert found["every_published_release_has_boards"] == [
        "manifest.json:None searchgen/test: it has no published aggregates"
    ]
