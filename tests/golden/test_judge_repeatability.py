"""Agreement of a judge with itself, by hand: 2 decks, 4 probes, 3 audiences, one flip."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.repeated_trees import DATASET
from tests.support.worlds import World

# 24 ratings in 8 probes, 24 pairs. The flip makes 2 of them disagree and leaves 11 ratings of
# covered and 13 of uncovered: alpha = 1 - 23 x (2 x 1 / 2) / (11 x 13).
FLIPPED = ("measured", 22 / 24, 120 / 143)
EXPECTED = {
    "flipped": FLIPPED,
    "foreign": FLIPPED,
    "steady": ("measured", 1.0, 1.0),
    "sure": ("no_variation", 1.0, None),
    "ruled": ("deterministic_judge", None, None),
    "shared": ("shared_judgments", None, None),
    "replayed": ("cached_judgments", None, None),
    "three_files": ("no_repeats", None, None),
    # Without the two filled ratings nothing disagrees; the probe still has two ratings a deck.
    "filled": ("measured", 1.0, 1.0),
    "sampled": ("shared_judgments", None, None),
}


def row_of(world: World, system_id: str, source: str = "audiences") -> dict[str, Any]:
    return world.one(
        "select * from marts.rpt_judge_repeatability "
        "where run_id = ? and system_id = ? and repeat_source = ?",
        f"{DATASET}/run",
        system_id,
        source,
    )


@pytest.mark.parametrize("system_id", EXPECTED)
def test_agreement_and_alpha_or_the_reason_why_not(golden_world: World, system_id: str) -> None:
    row = row_of(golden_world, system_id)
    status, agreement_share, krippendorff_alpha = EXPECTED[system_id]
    assert row["repeatability_status"] == status
    assert row["agreement_share"] == agreement_share
    assert row["krippendorff_alpha"] == krippendorff_alpha


def test_counts_say_what_the_figures_stand_on(golden_world: World) -> None:
    row = row_of(golden_world, "flipped")
    names = ("unit_count", "n_repeated_probes", "n_unanimous_probes", "n_ratings")
    assert tuple(row[name] for name in names) == (2, 8, 7, 24)
    names = ("n_covered_ratings", "n_rating_pairs", "n_disagreeing_pairs", "is_small_sample")
    assert tuple(row[name] for name in names) == (11, 24, 2, True)
    assert (row["judge_id"], row["judge_kind"], row["condition"]) == ("judge-a", "llm", "agnostic")
    assert row_of(golden_world, "foreign")["judge_kind"] == "unstated"
    assert row_of(golden_world, "filled")["n_rating_pairs"] == 20


def test_samples_that_were_asked_for_are_compared_once_a_deck(golden_world: World) -> None:
    row = row_of(golden_world, "sampled", "repeats")
    found = (row["repeatability_status"], row["agreement_share"], row["krippendorff_alpha"])
    assert found == FLIPPED
    names = ("unit_count", "n_repeated_probes", "n_ratings", "n_rating_pairs")
    assert tuple(row[name] for name in names) == (2, 8, 24, 24)
    assert (row["percentile_low"], row["percentile_high"]) == (10 / 12, 1.0)


def test_a_run_without_samples_has_no_such_row(golden_world: World) -> None:
    rows = golden_world.rows(
        "select distinct system_id from marts.rpt_judge_repeatability "
        "where repeat_source = 'repeats'"
    )
    assert rows == [{"system_id": "sampled"}]


def test_two_decks_give_the_widest_interval(golden_world: World) -> None:
    # One deck agrees in 10 of 12 pairs, the other in all: a replicate may hold either alone.
    row = row_of(golden_world, "flipped")
    assert (row["percentile_low"], row["percentile_high"]) == (10 / 12, 1.0)
    assert (row["expanded_low"], row["expanded_high"]) == (10 / 12, 1.0)
    assert row["interval_method"] == "bootstrap"
    assert row_of(golden_world, "shared")["interval_method"] == "none"


def test_a_deck_judged_for_one_audience_has_no_figure(golden_world: World) -> None:
    rows = golden_world.rows(
        "select * from marts.rpt_judge_repeatability where run_id = 'seed_row/run'"
    )
    assert [(row["repeatability_status"], row["n_rating_pairs"]) for row in rows] == [
        ("no_repeats", 0)
    ]


def test_conditioned_decks_are_not_asked_twice(golden_world: World) -> None:
    assert golden_world.rows("select distinct condition from marts.rpt_judge_repeatability") == [
        {"condition": "agnostic"}
    ]
