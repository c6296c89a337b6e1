"""What an older Podium landed from a real tree: built beside new files, or landed again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from ingest.xslides.land import LandOptions, land
from tests.support import golden_trees
from tests.support.older_landings import land_again_under, with_columns, without
from warehouse import relations
from warehouse.build import run_build
from warehouse.contracts import ALL
from warehouse.contracts.base import INTEGER, Column
from warehouse.contracts.xslides import CLAIMS
from warehouse.errors import InputError
from warehouse.paths import WarehousePaths


def test_a_build_over_old_and_new_files_gives_the_numbers_of_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = WarehousePaths(tmp_path / "warehouse")
    tree = golden_trees.seed_row(tmp_path)
    for dataset_id in ("older", "newer"):
        land(paths, tree, LandOptions(dataset_id=dataset_id))
    present = with_columns(CLAIMS, Column("reviewer", INTEGER, "Added."))
    monkeypatch.setitem(ALL, CLAIMS.table, present)
    land_again_under(paths, "older", without(CLAIMS, "slide", "snippets"))
    land_again_under(paths, "newer", present)
    result = run_build(
        paths, select="+fct_xslides__deck_audience_scores", with_unit_tests=False, threads=2
    )
    assert not result.findings
    with duckdb.connect(str(paths.build_file), read_only=True) as connection:
        described = dict(
            connection.execute(
                "select column_name, data_type from duckdb_columns() "
                "where schema_name = 'xslides' and table_name = 'claims'"
            ).fetchall()
        )
        by_dataset = connection.execute(
            "select dataset_id, list_sort(list(distinct correctness)), count(*) "
            "from marts.fct_xslides__deck_audience_scores group by 1 order by 1"
        ).fetchall()
        slides = connection.execute(
            "select count(*), count(slide) from xslides.claims where reviewer is null"
        ).fetchone()
    assert described["slide"] == described["reviewer"] == "BIGINT"
    assert described["snippets"] == "VARCHAR"
    (newer, older) = by_dataset
    assert newer[1:] == older[1:] == ([0.9], 6)
    assert slides == (46, 23)
    state = relations.current_state(paths)
    (claims,) = [one for one in state.relations if (one.schema, one.name) == ("xslides", "claims")]
    assert claims.has_older_files
    assert sum(one.has_older_files for one in state.relations) == 1


def test_the_command_of_a_refusal_mends_it(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path / "warehouse")
    tree = golden_trees.seed_row(tmp_path)
    options = LandOptions(dataset_id="data")
    units = land(paths, tree, options).landed_units
    state = relations.current_state(paths)
    assert land(paths, tree, options).unchanged_units == units
    land_again_under(paths, "data", replace(without(CLAIMS, "label"), version=CLAIMS.version - 1))
    with pytest.raises(InputError) as caught:
        relations.current_state(paths)
    fix = f"podium land xslides {tree} --dataset data --warehouse {paths.root}"
    assert caught.value.fix == fix
    assert land(paths, tree, options).landed_units == units
    assert relations.current_state(paths) == state


def test_a_raised_version_lands_every_unit_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = WarehousePaths(tmp_path / "warehouse")
    tree = golden_trees.seed_row(tmp_path)
    units = land(paths, tree, LandOptions()).landed_units
    assert land(paths, tree, LandOptions()).unchanged_units == units
    monkeypatch.setitem(ALL, CLAIMS.table, replace(CLAIMS, version=CLAIMS.version + 1))
    assert land(paths, tree, LandOptions()).landed_units == units
