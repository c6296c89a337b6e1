"""Intervals, ranks and pairs of prompts that have strata: the same bits as numpy."""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from tests.support import resampling
from tests.support.stratified_searchgen import MODELS, SIZES, stratified
from tests.support.worlds import World

RUN = "searchgen/strata"
STREAMS = {"NoSearch": 1, "TextualSearch": 2, "VisualSearch": 3}
SCALE = 1e9

Row = dict[str, Any]


def values(world: World, policy: str, system: str) -> dict[str, dict[str, int]]:
    """Return the fixed-point Overall-9 of a system by stratum and prompt, in the mean or not."""
    rows = world.rows(
        "select search_type, sample_id, status, overall_9_raw "
        "from marts.fct_searchgen__prompt_scores where run_id = ? and source_id = ? "
        "order by search_type, sample_id",
        RUN,
        system,
    )
    is_filled = policy == "published" and system == "filled"
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for row in rows:
        raw = row["overall_9_raw"]
        if raw is None and is_filled:
            raw = 0.0
        if raw is not None:
            found[row["search_type"]][row["sample_id"]] = round(raw * 100 / 3 * SCALE)
    return dict(found)


def sums(strata: dict[str, dict[str, int]]) -> resampling.Integers:
    """Return the resampled sums: by stratum where each has ten prompts, else of all."""
    if min(len(one) for one in strata.values()) < 10:
        return resampling.replicate_sums(
            np.array([value for name in sorted(strata) for value in strata[name].values()])
        )
    total = np.zeros(resampling.RESAMPLES, dtype=np.int64)
    for name, one in strata.items():
        counts = resampling.counts(len(one), stream=STREAMS[name])
        total += counts @ np.array(list(one.values()), dtype=np.int64)
    return total


@pytest.mark.parametrize("system", MODELS)
@pytest.mark.parametrize("stratum", ["all", *SIZES, "SearchIntensive"])
def test_interval_ends_are_order_statistics_of_the_sums_of_strata(
    searchgen_world: World, system: str, stratum: str
) -> None:
    slice_type = "all" if stratum == "all" else "stratum"
    row = searchgen_world.one(
        "select * from marts.rpt_metric_summaries where run_id = ? and metric = 'overall_9' "
        "and policy = 'published' and system_id = ? and slice_type = ? and slice = ?",
        RUN,
        system,
        slice_type,
        stratum,
    )
    held = {"all": list(SIZES), "SearchIntensive": ["TextualSearch", "VisualSearch"]}
    strata = values(searchgen_world, "published", system)
    found = {name: strata[name] for name in held.get(stratum, [stratum])}
    count = sum(map(len, found.values()))
    ordered = np.sort(sums(found))
    assert row["n_included"] == count
    assert row["percentile_low"] == float(ordered[249]) / count / SCALE
    assert row["percentile_high"] == float(ordered[9750]) / count / SCALE


def test_the_release_has_both_kinds(searchgen_world: World) -> None:
    sizes = {
        system: sorted(len(one) for one in values(searchgen_world, "published", system).values())
        for system in MODELS
    }
    assert sizes == {
        "whole": [11, 11, 14],
        "gaps": [11, 11, 13],
        "thin": [9, 11, 14],
        "filled": [11, 11, 14],
    }


def test_strata_of_one_size_are_not_drawn_alike() -> None:
    first, second, third = (resampling.counts(11, stream=stream) for stream in (0, 1, 2))
    assert not np.array_equal(first, second)
    assert not np.array_equal(second, third)
    assert (second.sum(axis=1) == 11).all()
    # Draws of independent streams are not correlated beyond chance.
    assert abs(np.corrcoef(second.ravel(), third.ravel())[0, 1]) < 0.02


def test_pairs_are_resampled_by_stratum_on_the_common_prompts(searchgen_world: World) -> None:
    strata = {name: values(searchgen_world, "common_prompts", name) for name in MODELS}
    common = {
        part: set.intersection(*(set(one[part]) for one in strata.values())) for part in SIZES
    }
    rows = searchgen_world.rows(
        "select * from marts.rpt_paired_differences where run_id = ? and metric = 'overall_9' "
        "and policy = 'common_prompts' and slice_type = 'all'",
        RUN,
    )
    assert {(row["first_system_id"], row["second_system_id"]) for row in rows} == set(
        itertools.combinations(sorted(MODELS), 2)
    )
    for row in rows:
        first, second = strata[row["first_system_id"]], strata[row["second_system_id"]]
        differences = {
            part: {name: first[part][name] - second[part][name] for name in sorted(common[part])}
            for part in SIZES
        }
        drawn = sums(differences)
        count = sum(map(len, differences.values()))
        assert row["n_pairs"] == count
        assert row["percentile_low"] == float(np.sort(drawn)[249]) / count / SCALE
        least = min((drawn <= 0).sum(), (drawn >= 0).sum())
        expected = min(1.0, max(1 / 10_001, 2 * least / 10_000))
        assert row["p_value"] == pytest.approx(expected, abs=1e-12)


def test_rank_intervals_are_those_of_the_sums_of_strata(searchgen_world: World) -> None:
    strata = {name: values(searchgen_world, "published", name) for name in MODELS}
    common = {
        part: set.intersection(*(set(one[part]) for one in strata.values())) for part in SIZES
    }
    drawn = np.stack(
        [
            sums({part: {n: strata[name][part][n] for n in sorted(common[part])} for part in SIZES})
            for name in MODELS
        ]
    )
    ranks = 1 + (drawn[None, :, :] > drawn[:, None, :]).sum(axis=1)
    for position, name in enumerate(MODELS):
        row = searchgen_world.one(
            "select * from marts.rpt_rank_intervals where run_id = ? and metric = 'overall_9' "
            "and policy = 'published' and slice_type = 'all' and system_id = ?",
            RUN,
            name,
        )
        ordered = np.sort(ranks[position])
        assert (row["rank_low"], row["rank_high"]) == (ordered[249], ordered[9750])
        assert row["n_common"] == sum(map(len, common.values()))


def test_the_release_is_what_it_says() -> None:
    parts = [one.search_type for one in stratified().prompts]
    assert {name: parts.count(name) for name in SIZES} == SIZES
