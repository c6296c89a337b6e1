"""Landing rules of searchgen: each fault alone, planted in a clean release, is told by name."""

from __future__ import annotations

import json

import pytest

from expectations.suites import SUITES
from tests.support.searchgen_clean import MODELS, PROMPTS, RUN, RUNS, SCORES, clean_tables
from tests.support.spoiled_tables import Spoil, Tables, both, drop, edit, repeat
from warehouse.contracts.searchgen_values import COMPONENTS_9

SUITE = SUITES["landing", "searchgen"]
ALPHA = {"sample_id": "v_1", "source_id": "alpha", "lane": "none"}
GONE = {"sample_id": "v_2", "source_id": "alpha", "lane": "none"}


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return clean_tables(tmp_path_factory.mktemp("clean"))


def policies(**exceptions: str) -> str:
    return json.dumps({"default": "zero_fill", "exceptions": {"beta": "exclude", **exceptions}})


REJECT = {
    "benchmark": "searchgen",
    "dataset_id": "searchgen",
    "unit": "searchgen/runs/test",
    "landing_table": "searchgen/prompts",
    "reason": "torn",
    "subject": "v_7",
    "message": "no JSON",
    "source_file": "prompts.jsonl",
    "source_line": 7,
    "raw": None,
}
# What is planted, the one rule that tells it, and a text that must stand in what it tells.
FAULTS: dict[str, tuple[Spoil, str, str]] = {
    "a prompt is gone": (
        both(
            drop(PROMPTS, sample_id="v_2"),
            drop(SCORES, sample_id="v_2"),
            edit(RUNS, {}, profile="searchgen_751"),
        ),
        "counts_are_those_of_the_profile",
        f"{RUN}/all/stratum/VisualSearch: 1 prompts instead of 387",
    ),
    "a profile that nobody reviewed": (
        edit(RUNS, {}, profile="searchgen_752"),
        "profiles_are_known",
        "models.yml:None searchgen/test: profile `searchgen_752`",
    ),
    "an id stands twice": (
        edit(PROMPTS, {"sample_id": "v_2"}, bench_id="b1"),
        "prompt_ids_are_unique",
        f"{RUN}/bench_id/b1",
    ),
    "two prompts share a folder of results": (
        edit(PROMPTS, {"sample_id": "v_2"}, release_row="rows/v_1"),
        "prompt_ids_are_unique",
        f"{RUN}/release_row/rows/v_1",
    ),
    "a stratum against its search type": (
        edit(PROMPTS, {"sample_id": "n_1"}, search_type="VisualSearch"),
        "parts_of_prompts_are_consistent",
        f"prompts.jsonl:1 {RUN}/n_1",
    ),
    "a domain stands twice": (
        edit(PROMPTS, {"sample_id": "v_1"}, domains=["ART", "HIS", "ART"]),
        "tags_stand_once_in_a_prompt",
        f"prompts.jsonl:2 {RUN}/v_1/domains: `ART` stands 2 times",
    ),
    "a failure mode stands twice": (
        edit(PROMPTS, {"sample_id": "v_1"}, failure_modes=["CCS", "CCS"]),
        "tags_stand_once_in_a_prompt",
        f"{RUN}/v_1/failure_modes",
    ),
    "a prompt of a slice is gone": (
        edit(PROMPTS, {"sample_id": "v_1"}, slices=[]),
        "slices_have_their_rows",
        f"{RUN}/mini: 1 prompts instead of 2",
    ),
    "a slice that no one declared": (
        edit(PROMPTS, {"sample_id": "v_2"}, slices=["maxi"]),
        "slices_of_prompts_are_declared",
        f"prompts.jsonl:3 {RUN}/v_2",
    ),
    "two models of one name": (
        edit(MODELS, {"source_id": "beta"}, display_name="Alpha"),
        "model_names_are_unique",
        f"{RUN}/display_name/Alpha: 2 models share this display_name, alpha and beta",
    ),
    "a policy in a word that its statuses are not": (
        edit(MODELS, {"source_id": "alpha"}, invalid_evaluation_policy="exclude"),
        "policies_of_models_fit_their_statuses",
        f"{RUN}/alpha: policy zero_fill with zero_fill, zero_fill, exclude",
    ),
    "an exception for a model that was renamed": (
        edit(RUNS, {}, missing_policies=policies(xai_image="exclude")),
        "missing_policies_name_models",
        f"models.yml:None {RUN}/xai_image",
    ),
    "an exception that was lost": (
        edit(RUNS, {}, missing_policies='{"default": "zero_fill", "exceptions": {}}'),
        "models_without_exception_have_the_policy_of_the_release",
        f"{RUN}/beta: policy exclude",
    ),
    "a model without any result": (
        drop(SCORES, source_id="beta", lane="fast"),
        "every_model_has_results_in_its_lane",
        f"{RUN}/beta: no prompt has a result of it in lane `fast`",
    ),
    "a result is gone": (
        drop(SCORES, **GONE),
        "every_prompt_has_a_record_of_every_model",
        f"prompts.jsonl:3 {RUN}/v_2/alpha/none",
    ),
    "a result of a prompt that is not there": (
        repeat(SCORES, ALPHA, sample_id="v_9"),
        "results_belong_to_prompts_and_models",
        f"{RUN}/v_9/alpha/none: the release has no such prompt",
    ),
    "a result of a model that is not there": (
        repeat(SCORES, ALPHA, source_id="gamma"),
        "results_belong_to_prompts_and_models",
        f"{RUN}/v_1/gamma/none: the release has no such model",
    ),
    "a record stands twice": (
        repeat(SCORES, GONE),
        "prompts_and_models_have_one_record",
        f"{RUN}/v_2/alpha/none: 2 records",
    ),
    "fewer scored than promised": (
        edit(MODELS, {"source_id": "alpha"}, expected_scored_count=4),
        "scored_counts_are_those_promised",
        f"{RUN}/alpha: 3 prompts are scored, the release promises 4; not scored: v_2",
    ),
    "too few scored": (
        edit(RUNS, {}, minimum_coverage=0.75),
        "models_are_covered_enough",
        f"{RUN}/beta: 2 of 4 prompts are scored, a share of 0.5",
    ),
    "a component above 3": (
        both(
            edit(SCORES, ALPHA, checklist=3.5, stated_overall_9=None, stated_overall_10=None),
            edit(SCORES, {}, stated_overall_9=None, stated_overall_10=None),
        ),
        "components_lie_between_0_and_3",
        f"rows/v_1/none/alpha/scores.json:None {RUN}/v_1/alpha/none: checklist is 3.5",
    ),
    "a missing result with a zero": (
        edit(SCORES, GONE, image_quality=0.0),
        "only_scored_results_have_components",
        f"{RUN}/v_2/alpha/none: status invalid_evaluation with image_quality",
    ),
    "a missing generation with an evaluation": (
        edit(SCORES, {"status": "missing_generation", "sample_id": "v_1"}, evaluation_sha256="0"),
        "statuses_say_what_there_is",
        "status missing_generation",
    ),
    "a scored result with a reason": (
        edit(SCORES, ALPHA, status_reason="no_folder"),
        "statuses_say_what_there_is",
        f"{RUN}/v_1/alpha/none: status scored, reason no_folder",
    ),
    "an overall that its components do not give": (
        edit(SCORES, ALPHA, stated_overall_9=lambda row: row["stated_overall_9"] + 1e-11),
        "stated_overall_9_recomputes",
        f"{RUN}/v_1/alpha/none: overall_9 is stated as",
    ),
    "an overall of four decimals that is off by one": (
        edit(
            SCORES, ALPHA, stated_overall_10=lambda row: round(row["stated_overall_10"] + 1e-4, 4)
        ),
        "stated_overall_10_recomputes",
        f"{RUN}/v_1/alpha/none: overall_10",
    ),
    "an overall that is null": (
        edit(SCORES, ALPHA, stated_overall_10=None),
        "stated_overall_10_recomputes",
        "overall_10 is stated as null",
    ),
    "a score between half points": (
        both(
            edit(SCORES, ALPHA, image_quality=1.3),
            edit(SCORES, {}, stated_overall_9=None, stated_overall_10=None),
        ),
        "single_scores_are_half_points",
        f"{RUN}/alpha/none: 1 results have a score between half points, first v_1 image_quality",
    ),
    "a row that was set aside": (
        lambda tables: tables.rows["core.rejects"].append(REJECT),
        "nothing_is_rejected",
        "prompts.jsonl:7 v_7: torn (searchgen/prompts)",
    ),
    "rows that no manifest names": (
        edit("core.landed_files", {"landing_table": "searchgen/prompts"}, row_count=3),
        "landed_rows_match_manifests",
        "searchgen/prompts: 4 rows are read, 3 are in the manifests",
    ),
}


def test_a_clean_release_has_nothing_to_tell(clean: Tables) -> None:
    assert clean.findings(SUITE) == {}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_alone_is_told_by_its_rule_alone(fault: str, clean: Tables) -> None:
    spoil, rule, text = FAULTS[fault]
    tables = clean.copy()
    spoil(tables)
    found = tables.findings(SUITE)
    assert set(found) == {rule}, found
    assert any(text in one for one in found[rule]), found[rule]


def test_scored_without_a_component_of_the_nine_is_told(clean: Tables) -> None:
    tables = clean.copy()
    for row in tables.rows[SCORES]:
        if row["status"] == "scored" and row["source_id"] == "alpha" and row["sample_id"] == "n_1":
            row |= dict.fromkeys(COMPONENTS_9) | {
                "stated_overall_9": None,
                "stated_overall_10": 2.0,
            }
    found = tables.findings(SUITE)
    assert set(found) == {"scored_results_have_components"}
    assert "only text_reference_evaluation applies" in found["scored_results_have_components"][0]


def test_overalls_that_no_record_states_are_not_asked_for(clean: Tables) -> None:
    tables = clean.copy()
    edit(SCORES, {}, stated_overall_9=None, stated_overall_10=None)(tables)
    assert tables.findings(SUITE) == {}


def test_overalls_of_four_decimals_are_held_to_those(clean: Tables) -> None:
    tables = clean.copy()
    for row in tables.rows[SCORES]:
        for name in ("stated_overall_9", "stated_overall_10"):
            row[name] = None if row[name] is None else round(row[name], 4)
    assert tables.findings(SUITE) == {}


def test_a_release_without_results_is_no_release(clean: Tables) -> None:
    tables = clean.copy()
    tables.rows[SCORES] = []
    found = tables.findings(SUITE)
    assert found["a_release_is_landed"]
    assert found["every_release_is_whole"] == [
        "models.yml:None searchgen/test: it has no prompt scores"
    ]
