"""Every weight that k snapped judgments can give: what is included, what is flagged."""

from __future__ import annotations

import json

import pytest

from ingest.xslides.utilities import summarize
from tests.support.worlds import World

# A standard deviation above 0.25, in integers: sums S and Q of tenths and their squares.
POPULATION = (
    "4 * (sample_count * sample_tenths_square_sum - power(sample_tenths_sum, 2)) > "
    "25 * sample_count * sample_count"
)
SAMPLE = (
    "4 * (sample_count * sample_tenths_square_sum - power(sample_tenths_sum, 2)) > "
    "25 * sample_count * (sample_count - 1)"
)


@pytest.mark.parametrize(
    ("k", "multisets", "population", "sample"),
    [(2, 10, 3, 4), (3, 20, 9, 10), (4, 35, 18, 21), (5, 56, 32, 38)],
)
def test_high_variance_flags(
    golden_world: World, k: int, multisets: int, population: int, sample: int
) -> None:
    row = golden_world.one(
        f"""
        select
            count(*) as multisets,
            count_if({POPULATION}) as population,
            count_if({SAMPLE}) as sample
        from staging.stg_xslides__weights
        where source_file = ?
        """,
        f"probes/k{k:02d}/weights/specialists.jsonl",
    )
    assert row == {"multisets": multisets, "population": population, "sample": sample}


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_flags_of_the_weights_stage_are_those_of_the_sums(golden_world: World, k: int) -> None:
    rows = golden_world.rows(
        f"select metadata, {POPULATION} as is_flagged from staging.stg_xslides__weights "
        "where source_file = ?",
        f"probes/k{k:02d}/weights/specialists.jsonl",
    )
    for row in rows:
        summary = summarize(json.loads(row["metadata"])["samples"])
        assert summary.is_high_variance == row["is_flagged"], row


def test_three_judgments_give_16_means(golden_world: World) -> None:
    row = golden_world.one(
        "select count(distinct sample_tenths_sum) as means from staging.stg_xslides__weights "
        "where source_file = 'probes/k03/weights/specialists.jsonl'"
    )
    assert row["means"] == 16


# From S = 9, 15, 18, 21, 27, 30 tenths upwards for k = 3.
@pytest.mark.parametrize(
    ("tau", "included"), [(300, 16), (500, 10), (600, 7), (700, 4), (900, 1), (1000, 1)]
)
def test_three_judgments_included(golden_world: World, tau: int, included: int) -> None:
    row = golden_world.one(
        "select included_probe_count from marts.fct_xslides__deck_audience_scores "
        "where dataset_id = 'weight_multisets' and case_id = 'k03' and tau_a_thousandths = ?",
        tau,
    )
    assert row["included_probe_count"] == included
