"""A build that makes again only what changed gives what a build of everything gives."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from ingest.xslides.land import LandOptions, land
from tests.support import spoiled
from tests.support.trees import weight
from warehouse import build, reuse, states
from warehouse.build import BuildResult
from warehouse.paths import WarehousePaths

ACCEPTED = "check,subject,reason,accepted_until\nno_such_check,nobody,only a test,\n"


@dataclass
class House:
    """A warehouse over one tree that a test changes."""

    paths: WarehousePaths
    root: Path
    whole_count: int = 0

    def built(self, *, reuse_tables: bool) -> tuple[BuildResult, str]:
        land(self.paths, self.root, LandOptions())
        result = build.run_build(self.paths, with_unit_tests=False, reuse_tables=reuse_tables)
        assert result.is_complete, result.findings
        return result, states.promote(self.paths, result.landing_state_id).release_id


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    folder = tmp_path_factory.mktemp("reused")
    made = House(WarehousePaths(folder / "warehouse"), spoiled.plant(folder / "data").root)
    first, _ = made.built(reuse_tables=True)
    made.whole_count = sum(first.node_counts.values())
    return made


def test_only_what_changed_is_made_again_and_the_release_is_that_of_a_whole_build(
    house: House,
) -> None:
    weights = house.root / spoiled.WEIGHTS
    first, *rest = weights.read_text().splitlines(keepends=True)
    changed = json.dumps(weight("pb_0001", "learners", [1.0, 1.0, 0.6])) + "\n"
    assert changed != first
    weights.write_text(changed + "".join(rest))
    (house.root / "accepted_findings.csv").write_text(ACCEPTED)
    part, release = house.built(reuse_tables=True)
    assert 0 < sum(part.node_counts.values()) < house.whole_count
    assert house.built(reuse_tables=False)[1] == release


def test_where_nothing_changed_nothing_is_made(house: House) -> None:
    _, release = house.built(reuse_tables=True)
    again, same = house.built(reuse_tables=True)
    assert (again.node_counts, same) == ({}, release)


def test_what_a_killed_or_partial_build_left_is_not_built_on(house: House) -> None:
    house.built(reuse_tables=True)
    build.run_build(house.paths, select="stg_xslides__cases", with_unit_tests=False)
    assert reuse.read(house.paths) is None
    after, _ = house.built(reuse_tables=True)
    assert sum(after.node_counts.values()) == house.whole_count


def test_other_rules_ask_for_a_whole_build(house: House) -> None:
    house.built(reuse_tables=True)
    known = reuse.read(house.paths)
    assert known is not None
    assert reuse.changed_sources(known, known) == ()
    other = reuse.Built("other rules", known.relations)
    assert reuse.changed_sources(other, known) is None
    fewer = reuse.Built(known.project_sha256, dict(list(known.relations.items())[1:]))
    assert reuse.changed_sources(fewer, known) is None
