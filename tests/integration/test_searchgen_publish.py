"""A release of searchgen from its files to published ones, through real builds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from expectations.searchgen import recount
from podium.cli.main import app
from tests.support import searchgen_states, searchgen_trees
from tests.support.searchgen_states import MODELS, Marts
from warehouse.contracts.searchgen_values import COMPONENTS

INPUT_HASHES = ("manifest.json", "inputs.jsonl")


@dataclass(frozen=True)
class House:
    """A warehouse, the files of one release, and the folder that it is published to."""

    folder: Path
    given: Marts

    @property
    def out(self) -> Path:
        return self.folder / "out"

    def podium(self, *arguments: str) -> Result:
        where = ("--warehouse", str(self.folder / "warehouse"))
        return CliRunner().invoke(app, [*arguments, *where])

    def publish(self, *arguments: str) -> Result:
        files = searchgen_trees.arguments(self.folder / "release")
        return self.podium("publish", "searchgen", "--out", str(self.out), *files, *arguments)

    def content(self) -> dict[str, bytes]:
        return {one.name: one.read_bytes() for one in sorted(self.out.iterdir())}


@pytest.fixture(scope="module", autouse=True)
def no_stated_time() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("SOURCE_DATE_EPOCH", raising=False)
        yield


def make_house(folder: Path, *, shuffled: bool = False) -> House:
    given = searchgen_states.marts()
    searchgen_trees.plant(folder / "release", given, shuffled=shuffled)
    return House(folder, given)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    house = make_house(tmp_path_factory.mktemp("searchgen_publish"))
    found = house.publish()
    assert found.exit_code == 0, found.output
    return house


def test_the_published_folder_recounts_to_itself(house: House) -> None:
    verdict = recount.check(house.out)
    assert (verdict.findings, verdict.exit_code) == ((), 0)


def test_boards_are_those_of_a_naive_reference(house: House) -> None:
    expected = {
        (row["slice"], row["view"], row["group_name"], row["source_id"], row["policy"]): row
        for row in searchgen_states.boards(house.given)
    }
    lines = (house.out / "leaderboard_policies.jsonl").read_text().splitlines()
    found = 0
    for record in map(json.loads, lines):
        slice_ = "all" if record["slice"] == "full_30" else record["slice"]
        for policy, cell in record["policies"].items():
            key = (slice_, record["view"], record["group"], record["source_id"], policy)
            row = expected[key]
            found += 1
            for name in ("model_rank", "rank_published", "rank_change", "n_included"):
                assert cell[name] == row[name], (key, name)
            for name in ("overall_9", "overall_10"):
                assert cell[name] == pytest.approx(row[name], abs=1e-12), (key, name)
                assert cell[f"{name}_rounded"] == row[f"{name}_rounded"], (key, name)
            for name in COMPONENTS:
                assert cell["component_counts"][name] == row[f"{name}_count"], (key, name)
                assert cell["components"][name] == pytest.approx(row[name], abs=1e-12), (key, name)
    assert found == len(expected)


def test_publishing_again_touches_nothing(house: House) -> None:
    before = (house.out / "manifest.json").stat().st_ino
    again = house.publish()
    assert again.exit_code == 0
    assert "nothing to do" in again.output
    assert (house.out / "manifest.json").stat().st_ino == before


def test_other_order_and_other_threads_give_the_same_bytes(house: House, tmp_path: Path) -> None:
    other = make_house(tmp_path, shuffled=True)
    assert other.publish("--threads", "1").exit_code == 0
    mine, theirs = house.content(), other.content()
    assert mine.keys() == theirs.keys()
    # Lines of the prompts stand in another order: that file has another hash, and so has the
    # state, which knows the line of every row.
    differing = {name for name in mine if mine[name] != theirs[name]}
    assert differing == set(INPUT_HASHES)
    manifests = [json.loads(one["manifest.json"]) for one in (mine, theirs)]
    for one in manifests:
        one["dataset"].pop("sha256")
        one.pop("warehouse_release_id")
        one["artifact_files"].pop("inputs.jsonl")
    assert manifests[0] == manifests[1]


@pytest.mark.parametrize("metric", ["overall_9", "overall_10", "visual_reference_evaluation"])
def test_explain_adds_up_to_the_published_cell(house: House, metric: str) -> None:
    board = json.loads((house.out / "leaderboard_by_domain.json").read_bytes())
    for source_id in MODELS:
        (row,) = [one for one in board["ART"] if one["model_id"] == f"{source_id}-1"]
        asked = ("--metric", metric, "--system", source_id)
        place = ("--slice-type", "domain", "--slice", "ART")
        found = house.podium("explain", "--benchmark", "searchgen", *asked, *place, "--json")
        assert found.exit_code == 0, found.output
        record: dict[str, Any] = json.loads(found.stdout)
        published = row[metric] if metric in row else row["components"][metric]
        estimate = record["cell"]["estimate"]
        assert (None if estimate is None else round(estimate, 1)) == published
        assert len(record["rows"]) == row["n_total"]
        assert record["sums_agree"] is True
        assert record["landed_files"]
        assert record["metric"]["metric"] == metric


def test_a_second_release_must_be_named_and_the_first_reconciles(house: House) -> None:
    landed = house.podium("land", "searchgen", "--published", str(house.out))
    assert landed.exit_code == 0, landed.output
    given = searchgen_states.marts(seed=2)
    folder = searchgen_trees.plant(house.folder / "second", given, release="second")
    out = house.folder / "second_out"
    found = house.podium(
        "publish", "searchgen", "--out", str(out), *searchgen_trees.arguments(folder)
    )
    assert found.exit_code == 0, found.output
    assert recount.check(out).findings == ()
    unnamed = house.podium("publish", "searchgen", "--out", str(out))
    assert unnamed.exit_code == 2
    assert "searchgen/second, searchgen/test" in unnamed.output
    named = house.podium("publish", "searchgen", "--out", str(out), "--run", "searchgen/second")
    assert named.exit_code == 0
    assert json.loads((out / "manifest.json").read_bytes())["run_id"] == "searchgen/second"
    query = (
        "select reconciliation_status, count(*) as n "
        "from fct_searchgen__aggregate_reconciliations group by all"
    )
    (status,) = json.loads(house.podium("query", query, "--json").stdout)
    assert status["reconciliation_status"] == "equal"
    assert status["n"] > 1000
