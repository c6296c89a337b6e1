"""Random releases of searchgen through the whole warehouse, against exact fractions."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from tests.conftest import RANDOM_RELEASES
from tests.support import reference_searchgen
from tests.support.random_searchgen import Release, draw_release
from tests.support.reference_searchgen import OVERALLS, SCORES, Cell, Place
from tests.support.worlds import World
from warehouse.contracts.searchgen_values import COMPONENTS, COMPONENTS_9, MISSING_STATUSES

Row = dict[str, Any]
TOLERANCE = Fraction(1, 10**12)
MACROS = Path(__file__).resolve().parents[2] / "macros" / "scoring" / "searchgen.sql"


@pytest.fixture(scope="module")
def releases() -> dict[str, Release]:
    return {one.run_id: one for one in map(draw_release, range(RANDOM_RELEASES))}


@pytest.fixture(scope="module")
def cells(releases: dict[str, Release]) -> dict[str, dict[Place, Cell]]:
    return {run_id: reference_searchgen.boards(one) for run_id, one in releases.items()}


@pytest.fixture(scope="module")
def boards(searchgen_world: World) -> list[Row]:
    return searchgen_world.rows(
        "select * from marts.rpt_searchgen__leaderboards where release like 'random_%'"
    )


def place(row: Row) -> Place:
    names = ("slice", "view", "group_name", "policy", "source_id")
    return Place(*(row[name] for name in names))


def test_nothing_was_set_aside(searchgen_world: World) -> None:
    assert searchgen_world.rows("select * from marts.fct_rejects") == []


def test_draws_reach_every_case(
    releases: dict[str, Release], cells: dict[str, dict[Place, Cell]]
) -> None:
    found: Counter[str] = Counter()
    for release in releases.values():
        found["absent pair"] += len(release.results) < len(release.prompts) * len(release.models)
        found["other lane"] += bool(release.other_lanes)
        found["overall_10"] += release.primary_metric == "overall_10"
        found["same name"] += len({one.display_name for one in release.models}) < len(
            release.models
        )
        found["per status"] += any(len(set(one.fillings.values())) == 2 for one in release.models)
        found["tag twice"] += any(
            len(set(one.domains)) < len(one.domains) for one in release.prompts
        )
        found["only the tenth"] += any(
            reference_searchgen.overall(one, COMPONENTS_9) is None
            and reference_searchgen.overall(one, COMPONENTS) is not None
            for one in release.results.values()
        )
        for cell in cells[release.run_id].values():
            found["no figure"] += cell.means["overall_9"].count == 0
            exact = cell.means["overall_9"].exact
            found["tie at a half"] += exact is not None and (exact * 10) % 1 == Fraction(1, 2)
    assert all(found.values())
    assert len(found) == 9


def test_every_result_has_its_overalls(
    searchgen_world: World, releases: dict[str, Release]
) -> None:
    rows = searchgen_world.rows(
        "select * from marts.fct_searchgen__prompt_scores where release like 'random_%'"
    )
    assert len(rows) == sum(len(one.results) + len(one.other_lanes) for one in releases.values())
    for row in rows:
        release = releases[row["run_id"]]
        listed = release.results if row["is_published_lane"] else release.other_lanes
        result = listed[row["sample_id"], row["source_id"]]
        assert row["status"] == result.status
        assert {name: row[name] for name in result.components} == result.components
        for name, components in OVERALLS.items():
            assert row[f"{name}_raw"] == reference_searchgen.overall(result, components)


def test_boards_have_the_groups_that_hold_a_prompt(
    boards: list[Row], cells: dict[str, dict[Place, Cell]]
) -> None:
    found = Counter((row["run_id"], place(row)) for row in boards)
    assert found == Counter((run_id, key) for run_id, one in cells.items() for key in one)


def test_every_count(boards: list[Row], cells: dict[str, dict[Place, Cell]]) -> None:
    for row in boards:
        cell = cells[row["run_id"]][place(row)]
        counts = (row["n_total"], row["n_scored"], row["n_included"])
        assert counts == (cell.n_total, cell.n_scored, cell.n_included), row
        assert {status: row[f"n_{status}"] for status in MISSING_STATUSES} == cell.missing
        found = {name: row[f"{name}_count"] for name in SCORES}
        assert found == {name: mean.count for name, mean in cell.means.items()}, row
        assert row["scored_share"] == cell.n_scored / cell.n_total
        assert row["is_low_coverage"] is (row["scored_share"] < row["minimum_coverage"])
        assert row["is_small_sample"] is (cell.n_included < 10)


def test_every_mean_to_the_last_bit(boards: list[Row], cells: dict[str, dict[Place, Cell]]) -> None:
    for row in boards:
        for name, mean in cells[row["run_id"]][place(row)].means.items():
            assert row[name] == mean.public, (name, row)
            exact = mean.exact
            assert exact is None or abs(Fraction(row[name]) - exact) <= TOLERANCE


def test_overalls_are_rounded_as_python_rounds(
    boards: list[Row], cells: dict[str, dict[Place, Cell]]
) -> None:
    for row in boards:
        for name in OVERALLS:
            mean = cells[row["run_id"]][place(row)].means[name]
            assert row[f"{name}_rounded"] == mean.rounded, row


def test_every_rank(
    boards: list[Row], releases: dict[str, Release], cells: dict[str, dict[Place, Cell]]
) -> None:
    groups: dict[tuple[str, ...], dict[str, Cell]] = defaultdict(dict)
    for run_id, listed in cells.items():
        for key, cell in listed.items():
            groups[(run_id, *key[:4])][key.source_id] = cell
    expected = {
        key: reference_searchgen.ranks(releases[key[0]], one) for key, one in groups.items()
    }
    for row in boards:
        key = (row["run_id"], *place(row)[:4])
        rank, position = expected[key][row["source_id"]]
        assert (row["model_rank"], row["rank_published"]) == (rank, position), row
        before = expected[(*key[:4], "published")][row["source_id"]][0]
        change = None if rank is None or before is None else before - rank
        assert row["rank_change"] == change


def test_values_for_intervals_have_the_means_of_the_boards(
    searchgen_world: World, boards: list[Row]
) -> None:
    rows = searchgen_world.rows(
        "select run_id, metric, slice_type, slice, system_id, policy, count(*) as n_total, "
        "count_if(is_scored) as n_scored, count(metric_value) as value_count, "
        "avg(metric_value) as mean, count(distinct unit_id) as unit_count "
        "from intermediate.int_searchgen__metric_values where run_id like '%/random_%' "
        "group by all"
    )
    names = ("run_id", "metric", "slice_type", "slice", "system_id", "policy")
    found = {tuple(row[name] for name in names): row for row in rows}
    assert len(found) == len(rows)
    compared = 0
    for board in boards:
        view, group = board["view"], board["group_name"]
        if board["slice"] != "all" or (view, group) == ("stratum", "All"):
            continue
        if board["policy"] == "applicability_aware":
            continue
        slice_ = ("all", "all") if view == "overall" else (view, group)
        for name in OVERALLS:
            row = found[(board["run_id"], name, *slice_, board["source_id"], board["policy"])]
            assert row["n_total"] == row["unit_count"] == board["n_total"]
            assert row["n_scored"] == board["n_scored"]
            assert row["value_count"] == board[f"{name}_count"]
            assert (row["mean"] is None) is (board[name] is None)
            assert board[name] is None or row["mean"] == pytest.approx(board[name], rel=1e-12)
            compared += 1
    assert compared == len(found)


def test_boards_do_not_depend_on_the_order_of_lines(searchgen_world: World) -> None:
    query = (
        "select * exclude (run_id, dataset_id, release, evaluation_config_id) "
        "from marts.rpt_searchgen__leaderboards where release = ? order by all"
    )
    first = searchgen_world.rows(query, "ordered")
    assert first
    assert first == searchgen_world.rows(query, "shuffled")


def test_the_engine_rounds_as_python_rounds() -> None:
    halves = [
        half / 2 / count * 100 / 3 for count in range(1, 151) for half in range(6 * count + 1)
    ]
    shares = [scored / total for total in range(1, 752) for scored in range(total + 1)]
    for values, decimals in ((halves, 1), (shares, 4)):
        given = pa.table({"value": values})
        with duckdb.connect() as connection:
            connection.register("given", given)
            rounding = connection.sql(f"select round_even(value, {decimals}) from given")
            rounded = rounding.to_arrow_table().column(0).to_pylist()
        assert rounded == [round(value, decimals) for value in values]


def test_components_stand_in_one_order_everywhere() -> None:
    text = MACROS.read_text(encoding="utf-8")
    places = [text.index(f"'{name}'") for name in COMPONENTS]
    assert places == sorted(places)
