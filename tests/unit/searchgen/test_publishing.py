"""The job of podium publish searchgen around a state that is there already."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from expectations.searchgen import recount
from expectations.verdict import Verdict
from ingest.searchgen.land import LandOptions, land_results
from podium import searchgen_publishing
from podium.cli.main import app
from podium.searchgen_publishing import Publication, publish
from tests.support import searchgen_states, searchgen_trees
from warehouse import states
from warehouse.errors import InputError, UsageError
from warehouse.findings import Finding, Outcome
from warehouse.paths import WarehousePaths

PASSED = Verdict("gates", ("one",))
GAP = Verdict("gates", ("one",), (Finding("one", "a", "gone", outcome=Outcome.INCOMPLETE),))
FAILED = Verdict("gates", ("one",), (Finding("one", "a", "wrong"),))


class House:
    """A warehouse with one landed release and the state that a build would make of it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.paths = WarehousePaths(folder / "warehouse")
        self.given = searchgen_states.marts()
        self.verdict = PASSED
        monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
        monkeypatch.setattr(searchgen_publishing, "_checked_state", self.checked)
        self.state: Path | None = None

    def checked(self, *_: Any) -> tuple[Verdict, states.State]:
        if self.state is None:
            self.state = self.given.promote(self.folder / "state")
        return self.verdict, states.read_state(self.state)

    def land(self, release: str = "test") -> None:
        folder = searchgen_trees.plant(self.folder / release, self.given, release=release)
        land_results(
            self.paths,
            prompts=folder / "prompts.jsonl",
            results=folder / "results",
            models=folder / "models.yml",
            options=LandOptions(),
        )

    def publish(self, **options: Any) -> Publication:
        run_id = options.pop("run_id", None)
        return publish(self.paths, self.folder / "out", run_id, lambda _: None, **options)

    def podium(self, *arguments: str) -> Result:
        where = ("--out", str(self.folder / "out"), "--warehouse", str(self.paths.root))
        return CliRunner().invoke(app, ["publish", "searchgen", *arguments, *where])

    @property
    def manifest(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads((self.folder / "out" / "manifest.json").read_text())
        return content


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    return House(tmp_path, monkeypatch)


def test_given_files_are_landed_and_published(house: House) -> None:
    release = searchgen_trees.plant(house.folder / "release", house.given)
    found = house.podium(*searchgen_trees.arguments(release), "--json")
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["run_id"] == "searchgen/test"
    assert recount.check(house.folder / "out").findings == ()
    assert house.manifest["gates"] == "passed"


def test_a_release_that_lost_results_is_not_published(house: House) -> None:
    house.land()
    house.publish()
    before = (house.folder / "out" / "manifest.json").read_bytes()
    row = next(row for row in house.given.scores if row["status"] == "scored")
    searchgen_trees.result_file(house.folder / "test", row).unlink()
    found = house.podium(*searchgen_trees.arguments(house.folder / "test"))
    assert found.exit_code == 4
    assert row["sample_id"] in found.output
    assert (house.folder / "out" / "manifest.json").read_bytes() == before


def test_every_input_is_listed_with_its_hash(house: House) -> None:
    house.land()
    house.publish()
    listed = (house.folder / "out" / "inputs.jsonl").read_text().splitlines()
    assert len(listed) == house.manifest["inputs"]["count"]
    files = {json.loads(line)["file"] for line in listed}
    assert any(one.endswith("prompts.jsonl") for one in files)
    assert sum(one.endswith("scores.json") for one in files) == sum(
        row["status"] in ("scored", "invalid_evaluation") for row in house.given.scores
    )


def test_a_red_gate_publishes_nothing(house: House) -> None:
    house.land()
    house.verdict = FAILED
    done = house.publish(allow_incomplete=True)
    assert (done.exit_code, done.export) == (1, None)
    assert not (house.folder / "out").exists()


def test_an_incomplete_release_is_published_on_demand_and_says_so(house: House) -> None:
    house.land()
    house.verdict = GAP
    assert house.publish().exit_code == 4
    assert not (house.folder / "out").exists()
    assert house.publish(allow_incomplete=True).exit_code == 0
    assert house.manifest["gates"] == "incomplete"


def test_what_does_not_recount_takes_no_place(house: House) -> None:
    house.land()
    house.publish()
    before = (house.folder / "out" / "manifest.json").read_bytes()
    house.given = searchgen_states.marts(seed=2)
    house.given.scores[0]["overall_9_raw"] = 1.23456
    house.state = house.given.promote(house.folder / "other")
    done = house.publish()
    assert done.exit_code == 1
    assert "prompt_overalls_recompute" in {one.check for one in done.verdict.findings}
    assert (house.folder / "out" / "manifest.json").read_bytes() == before


def test_of_several_releases_one_must_be_named(house: House) -> None:
    house.land("other")
    house.land()
    with pytest.raises(UsageError, match="searchgen/other, searchgen/test"):
        house.publish()
    assert house.publish(run_id="searchgen/test").exit_code == 0
    with pytest.raises(UsageError, match="not landed"):
        house.publish(run_id="searchgen/third")


def test_an_empty_warehouse_says_what_to_do(house: House) -> None:
    with pytest.raises(InputError, match="podium land searchgen"):
        house.publish()


def test_foreign_files_stop_the_job_before_it_begins(house: House) -> None:
    (house.folder / "out").mkdir()
    (house.folder / "out" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="holds other files"):
        house.publish()


def test_files_that_make_no_release_are_refused(house: House) -> None:
    found = house.podium("--prompts", "a", "--results", "b")
    assert found.exit_code == 2
    assert "no way to land a release" in found.output


def test_an_extractor_needs_evaluations_to_read(house: House) -> None:
    found = house.podium("--prompt-scores", "a", "--extractor", "module:function")
    assert found.exit_code == 2
    assert "no way to land a release" in found.output


def test_the_stated_time_is_the_only_one(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.land()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    house.publish()
    assert house.manifest["generated_at"] == "1970-01-02T00:00:00+00:00"


def test_the_command_tells_what_it_did(house: House) -> None:
    house.land()
    first = house.podium()
    assert (first.exit_code, "published searchgen/test" in first.output) == (0, True), first.output
    record = json.loads(house.podium("--json").stdout)
    assert record["export"]["is_changed"] is False
    assert record["verdict"]["exit_code"] == 0
    checked = CliRunner().invoke(app, ["check", "searchgen", str(house.folder / "out")])
    assert checked.exit_code == 0


def test_options_before_the_noun_are_refused() -> None:
    found = CliRunner().invoke(app, ["publish", "--keep", "3", "searchgen", "--out", "x"])
    assert found.exit_code == 2
    assert "--keep stands before `searchgen`" in found.output
