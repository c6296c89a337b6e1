"""From an evaluation to ten components: every rule of the benchmark's evaluator, and no guess."""

from __future__ import annotations

import math
from typing import Any

import pytest

from ingest.searchgen.component_scores import (
    GENERICS,
    PLAIN,
    WEIGHTED,
    InvalidEvaluationError,
    extract,
)
from tests.support.searchgen_releases import evaluation
from warehouse.contracts.searchgen_values import COMPONENTS

Row = dict[str, Any]


def reason_of(content: Row, rubric: str = PLAIN) -> str:
    with pytest.raises(InvalidEvaluationError) as caught:
        extract(content, rubric)
    return caught.value.reason


def rubric_of(dimensions: Any, rubric: str = PLAIN, **stated: float) -> float | None:
    return extract({"adaptive_rubric": dimensions, "image_quality": 1}, rubric, stated)[
        "rubric_adaptive"
    ]


def test_all_ten_come_out_by_the_names_of_boards() -> None:
    values = {name: position / 4 for position, name in enumerate(COMPONENTS)}
    found = extract(evaluation(0.0, **values), PLAIN)
    assert found == values
    assert list(found) == list(COMPONENTS)


def test_the_files_of_the_evaluator_are_read_from_their_parsed_part() -> None:
    rubric = {
        "mood": {"score": 1},
        "era": {"score": 2},
        **{name: {"score": 3} for name in GENERICS},
    }
    content = {
        "success": True,
        "scores": {"checklist:0": 0},
        "parsed": {
            "checklist_scores": [{"criterion": "red", "score": 2}, {"score": "1"}],
            "rubric_scores": rubric,
            "visual_reference_evaluation": {"applicable": True, "score": 2.5},
            "text_reference_evaluation": {"applicable": False, "score": 0},
        },
    }
    assert extract(content, PLAIN) == {
        "checklist": 1.5,
        "rubric_adaptive": 1.5,
        **dict.fromkeys(GENERICS, 3.0),
        "visual_reference_evaluation": 2.5,
        "text_reference_evaluation": None,
    }


def test_labelled_scores_alone_are_an_evaluation_too() -> None:
    scores = {
        "checklist:0": 1,
        "checklist:1": 2,
        "rubric:mood": 3,
        "rubric:text_rendering": 2,
        "text_reference_evaluation": 0,
    }
    found = extract({"success": True, "scores": scores}, PLAIN)
    assert {name: value for name, value in found.items() if value is not None} == {
        "checklist": 1.5,
        "rubric_adaptive": 3.0,
        "text_rendering": 2.0,
        "text_reference_evaluation": 0.0,
    }


@pytest.mark.parametrize(
    "items",
    [
        {"checklist:0": {"score": 2.5}, "checklist:1": {"score": 3}},
        {"checklist:0": 2.5, "checklist:1": 3},
        [{"id": "a", "score": 2.5}, {"name": "b", "score": 3}],
        [2.5, 3],
    ],
)
def test_a_checklist_is_the_mean_of_its_items_in_any_writing(items: Any) -> None:
    assert extract({"checklist": items}, PLAIN)["checklist"] == 2.75


@pytest.mark.parametrize("empty", [None, "", "  "])
def test_one_empty_checklist_item_makes_the_evaluation_invalid(empty: Any) -> None:
    items = {"checklist:0": {"score": 3}, "checklist:1": {"score": empty}}
    assert reason_of({"checklist": items}) == "empty_checklist_score"
    assert reason_of({"checklist": [{"reason": "no score"}]}) == "empty_checklist_score"


@pytest.mark.parametrize(
    ("written", "value"),
    [("2.5/3", 2.5), ("2 of 5", 2.0), (" 1.5", 1.5), ("3", 3.0), (0, 0.0), ("0", 0.0)],
)
def test_a_number_in_a_text_is_its_leading_number(written: Any, value: float) -> None:
    assert extract({"image_quality": {"score": written}}, PLAIN)["image_quality"] == value


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        (True, "boolean_score"),
        (False, "boolean_score"),
        (3.01, "out_of_range"),
        (-0.5, "out_of_range"),
        ("-1", "out_of_range"),
        ("9" * 400, "out_of_range"),
        ("good", "no_number"),
        (".5", "no_number"),
        ("\u0662", "no_number"),
        ([2], "no_number"),
    ],
)
def test_what_is_no_score_makes_the_evaluation_invalid(written: Any, reason: str) -> None:
    places: list[Row] = [
        {"checklist": [written]},
        {"adaptive_rubric": {"mood": {"score": written}}},
        {"image_quality": {"score": written}},
        {"visual_reference": {"applicable": True, "score": written}},
    ]
    assert {reason_of(one) for one in places} == {reason}


@pytest.mark.parametrize("written", [None, "", " ", "N/A", "n/a", "NA"])
def test_generics_that_do_not_apply_are_null_and_never_zero(written: Any) -> None:
    content = {**evaluation(2.0), "text_rendering": {"score": written}}
    assert extract(content, PLAIN)["text_rendering"] is None
    del content["text_rendering"]
    assert extract(content, PLAIN)["text_rendering"] is None


@pytest.mark.parametrize("applicable", [False, None, "true", "True", 1, []])
def test_a_reference_counts_only_where_applicable_is_true(applicable: Any) -> None:
    for name in ("visual_reference", "text_reference_evaluation"):
        content = {"image_quality": 1, name: {"applicable": applicable, "score": 0}}
        found = extract(content, PLAIN)
        assert found["visual_reference_evaluation"] is None
        assert found["text_reference_evaluation"] is None


def test_a_reference_without_a_score_or_as_a_bare_number_is_null() -> None:
    for written in ({"applicable": True}, {"applicable": True, "score": ""}, 2, None):
        content = {"image_quality": 1, "visual_reference": written}
        assert extract(content, PLAIN)["visual_reference_evaluation"] is None


def test_a_dimension_with_a_generic_name_is_that_component() -> None:
    dimensions = {"mood": {"score": 1}, "image_quality": {"score": 3}}
    found = extract({"adaptive_rubric": dimensions}, PLAIN)
    assert (found["rubric_adaptive"], found["image_quality"]) == (1.0, 3.0)
    own = extract({"adaptive_rubric": dimensions, "image_quality": {"score": 2}}, PLAIN)
    assert (own["rubric_adaptive"], own["image_quality"]) == (1.0, 2.0)
    bad = {"adaptive_rubric": {"image_quality": {"score": 4}}, "image_quality": {"score": 2}}
    assert reason_of(bad) == "out_of_range"


def test_a_rubric_is_weighted_when_it_is_asked_for() -> None:
    dimensions = {"mood": {"score": 1, "weight": 3}, "era": {"score": 3, "weight": 1}}
    assert rubric_of(dimensions) == 2.0
    assert rubric_of(dimensions, WEIGHTED) == 1.5
    unscored = {**dimensions, "era": {"score": "N/A", "weight": 100}}
    assert rubric_of(unscored, WEIGHTED) == 1.0


def test_weights_that_are_not_positive_become_a_fifth_and_absent_ones_one() -> None:
    for weight in (0, -2):
        dimensions = {"mood": {"score": 3, "weight": weight}, "era": {"score": 0, "weight": 0.8}}
        assert rubric_of(dimensions, WEIGHTED) == pytest.approx(0.6, abs=1e-15)
    assert rubric_of({"mood": {"score": 3}, "era": 0}, WEIGHTED) == 1.5
    assert rubric_of({"mood": 3, "era": 0}, WEIGHTED, mood=3.0) == 2.25
    assert reason_of({"rubric_adaptive": [{"score": 1, "weight": "x"}]}, WEIGHTED) == "wrong_weight"
    assert rubric_of([{"score": 3, "weight": w} for w in (0.1, 0.7, 1e-9)], WEIGHTED) == 3.0


def test_means_do_not_depend_on_the_order_of_items() -> None:
    scores = [0.1, 0.2, 0.3, 2.7, 1.1, 2.9, 0.7]
    found = {
        extract({"checklist": scores[at:] + scores[:at]}, PLAIN)["checklist"]
        for at in range(len(scores))
    }
    assert found == {math.fsum(scores) / len(scores)}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ({}, "no_scores"),
        ({"checklist": [], "text_reference": {"applicable": False, "score": 0}}, "no_scores"),
        ({"success": False, "error": "timeout\x1b[2J"}, "evaluation_failed"),
        ({"success": "true", "checklist": [1]}, "evaluation_failed"),
        ({"checklist": "3"}, "wrong_shape"),
        ({"parsed": [1]}, "wrong_shape"),
        ({"image_quality": [2]}, "wrong_shape"),
        ({"checklist": [1], "checklist_scores": [2]}, "wrong_shape"),
        ({"adaptive_rubric": {"a": 1}, "rubric_adaptive": {"a": 2}}, "wrong_shape"),
        (
            {"adaptive_rubric": [{"name": "a", "score": 1}, {"name": "a", "score": 2}]},
            "wrong_shape",
        ),
    ],
)
def test_an_evaluation_without_one_meaning_is_invalid(content: Row, reason: str) -> None:
    assert reason_of(content) == reason


def test_messages_hold_foreign_text_cut_and_harmless() -> None:
    with pytest.raises(InvalidEvaluationError) as caught:
        extract({"checklist": {"\x1b[31m" + "x" * 5000: {"score": ""}}}, PLAIN)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 200
