"""Publishing, differences and passports over two real builds that differ in one weight."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from ingest.xslides.land import LandOptions, land
from podium.cli.main import app
from tests.support import promoted, spoiled
from tests.support.trees import weight
from warehouse import build, passport, passport_cells, passport_probes, standing, states
from warehouse.passport_cells import Question
from warehouse.paths import WarehousePaths
from warehouse.standing import Standing

EFFICIENCIES = {"efficiency_time", "efficiency_slide", "efficiency_word", "safe_efficiency_time"}
SCENE = ("scene", "academic_research_talk")


@dataclass(frozen=True)
class Two:
    """A warehouse whose `current` differs from an older state by one weight."""

    paths: WarehousePaths
    root: Path
    old: states.State
    new: states.State

    def podium(self, *arguments: str) -> Result:
        return CliRunner().invoke(app, [*arguments, "--warehouse", str(self.paths.root)])

    def record(self, *arguments: str) -> Any:
        found = self.podium(*arguments, "--json")
        assert found.exit_code == 0, found.output
        return json.loads(found.stdout)


def stand(paths: WarehousePaths, root: Path) -> states.State:
    land(paths, root, LandOptions())
    built = build.run_build(paths, with_unit_tests=False)
    assert built.is_complete, built.findings
    state = states.promote(paths, built.landing_state_id)
    standing.write(
        paths,
        Standing(
            state.release_id,
            built.landing_state_id,
            build.project_sha256(),
            promoted.PASSED,
            has_landing_verdict=False,
        ),
    )
    return state


def change_weight(root: Path, samples: list[float]) -> None:
    """Give probe 1 of one case and audience other samples; nothing else moves."""
    path = root / spoiled.WEIGHTS
    first, *rest = path.read_text().splitlines(keepends=True)
    assert json.loads(first)["probe_id"] == "pb_0001"
    path.write_text(json.dumps(weight("pb_0001", "learners", samples)) + "\n" + "".join(rest))


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Two:
    folder = tmp_path_factory.mktemp("releases")
    root = spoiled.plant(folder / "data").root
    paths = WarehousePaths(folder / "warehouse")
    old = stand(paths, root)
    change_weight(root, [1.0, 1.0, 0.6])
    return Two(paths, root, old, stand(paths, root))


@pytest.fixture(scope="module")
def published(two: Two) -> Result:
    return two.podium("publish", "--json")


def test_one_weight_moves_exactly_its_metrics_and_slices(two: Two) -> None:
    found = two.record("diff", two.old.folder.name, "current")
    moved = {(one["metric"], one["slice_type"], one["slice"]) for one in found["groups"]}
    everywhere = {("all", "all"), SCENE}
    assert moved == {
        *(("coverage", *slice_) for slice_ in (*everywhere, ("domain", "evidence"))),
        *((metric, *slice_) for metric in EFFICIENCIES for slice_ in everywhere),
    }
    assert (found["added"], found["removed"]) == ([], [])
    assert {one["audience"] for one in found["changed"]} == {"learners"}
    assert {one["tau_a_thousandths"] for one in found["changed"]} == {300, 500, 600, 700}


def test_a_moved_number_has_the_difference_that_the_weight_makes(two: Two) -> None:
    found = two.record("diff", two.old.folder.name, two.new.release_id)
    (change,) = [
        one
        for one in found["changed"]
        if (one["metric"], one["slice"], one["system_id"]) == ("coverage", "all", "system_a")
        and (one["tau_a_thousandths"], one["policy"]) == (700, "exclude_failed")
    ]
    # Recovered and available tenths of k = 3: 70 of 92 before, 74 of 96 now, in 1 of 3 cases.
    assert change["difference"] == pytest.approx((74 / 96 - 70 / 92) / 3, abs=2e-9)
    assert change["difference"] == change["new"] - change["old"]


def test_a_difference_is_no_failure_unless_asked(two: Two) -> None:
    names = (two.old.folder.name, two.new.folder.name)
    shown = two.podium("diff", *names)
    assert shown.exit_code == 0
    assert "efficiency_word" in shown.stdout
    assert two.podium("diff", *names, "--fail-on-change").exit_code == 1
    assert two.podium("diff", *names, "--tolerance", "1", "--fail-on-change").exit_code == 0
    assert two.podium("diff", "current", "current", "--fail-on-change").exit_code == 0
    assert two.podium("diff", "current", "release_none").exit_code == 2


def test_publishing_asks_the_landing_gate_that_a_plain_build_left_out(
    two: Two, published: Result
) -> None:
    assert published.exit_code == 0, published.output
    release = json.loads(published.stdout)["release"]
    assert release["release_id"] == two.new.release_id
    assert "utility_weights_lie_between_0_and_1" in release["verdict"]["checks"]
    known = standing.read(two.paths)
    assert known is not None
    assert known.has_landing_verdict


def test_publishing_again_says_that_nothing_is_to_be_done(two: Two, published: Result) -> None:
    again = two.podium("publish")
    assert again.exit_code == 0
    assert "nothing to do" in again.stderr
    (row,) = two.record("releases", "--verify")
    assert (row["is_latest"], row["is_current"], row["damaged"]) == (True, True, [])
    assert row["marts"]["rpt_metric_summaries"] > 0


def test_queries_read_releases_and_states(two: Two, published: Result) -> None:
    sql = "select count(*) as n from rpt_metric_summaries"
    for name in ("latest", two.new.release_id, two.old.release_id, two.old.folder.name):
        assert two.record("query", sql, "--release", name)[0]["n"] > 0
        assert two.record("tables", "--release", name)


@pytest.mark.parametrize(("outcome", "code"), [("failed", 1), ("incomplete", 4)])
def test_a_verdict_that_is_not_green_refuses_with_its_code(
    two: Two, published: Result, outcome: str, code: int
) -> None:
    known = standing.read(two.paths)
    assert known is not None
    bad = promoted.verdict(outcome, code)
    standing.write(two.paths, Standing(**{**vars(known), "verdict": bad}))
    try:
        refused = two.podium("publish")
        assert refused.exit_code == code
        assert "every_deck_is_readable" in refused.stderr
        allowed = two.podium("publish", "--allow-incomplete")
        assert allowed.exit_code == (0 if code == 4 else code)
    finally:
        standing.write(two.paths, known)


def questions() -> Iterator[Question]:
    for system in spoiled.SYSTEMS:
        for tau in (300, 700, 1000):
            yield Question("coverage", system, "learners", tau_a_thousandths=tau)
        yield Question("safe_efficiency_time", system, "learners")
        yield Question("correctness", system, "specialists", policy="failed_as_zero")
        yield Question("coverage", system, "learners", slice_type="domain", slice="evidence")
        yield Question("coverage", system, "learners", slice_type="scene", slice=SCENE[1])


def test_probes_give_the_sums_of_the_fact_for_every_cell(two: Two) -> None:
    compared = set()
    for question in questions():
        with passport_cells.opened(two.new.folder) as connection:
            found = passport.read(connection, question)
            assert [one for one in found.sums if not one.agrees] == []
            evidence = passport_probes.read(connection, two.paths, found, "case_001")
        assert len(evidence) == 1
        for one in evidence[0].sums:
            assert one.agrees, one
            if one.published is not None:
                assert one.recomputed == pytest.approx(one.published, abs=1e-12)
            compared.add(one.name)
    assert {"available_utility", "recovered_utility", "correctness", "claim_count"} <= compared


EXPLAIN = ("explain", "--metric", "coverage", "--system", "system_a", "--audience", "learners")


def test_a_passport_names_rows_judges_files_and_places(two: Two) -> None:
    found = two.record(*EXPLAIN, "--case", "case_001")
    assert found["sums_agree"]
    assert [row["case_id"] for row in found["rows"]] == list(spoiled.CASES)
    assert found["judging"]["judge_id"] == found["key"]["judge_id"]
    (evidence,) = found["evidence"]
    probe = evidence["probes"][0]
    assert (probe["probe_id"], probe["sample_tenths_sum"], probe["is_included"]) == (
        "pb_0001",
        26,
        True,
    )
    assert (probe["weight_file"], probe["weight_line"]) == (spoiled.WEIGHTS, 1)
    assert (probe["judgment_file"], probe["judgment_line"]) == (
        spoiled.SCORES,
        1,
    )
    assert {spoiled.WEIGHTS, spoiled.SCORES} <= {one["file"] for one in evidence["inputs"]}
    assert all(len(one["file_sha256"]) == 64 for one in found["landed_files"])
    shown = two.podium(*EXPLAIN, "--case", "case_001")
    assert "sums agree" in shown.stderr
    assert "What is said about pb_0001?" in shown.stdout


def test_a_question_without_one_answer_says_what_there_is(two: Two) -> None:
    nobody = two.podium(*EXPLAIN[:-1], "nobody")
    assert nobody.exit_code == 2
    assert "specialists" in nobody.stderr
    no_case = two.podium(*EXPLAIN, "--case", "case_9")
    assert no_case.exit_code == 2
    assert "case_001" in no_case.stderr


def test_a_release_is_not_explained_by_rows_of_another_landing(two: Two) -> None:
    refused = two.podium(*EXPLAIN, "--case", "case_001", "--release", two.old.folder.name)
    assert refused.exit_code == 2
    assert "--release current" in refused.stderr
    # Cell and facts stand in the state itself.
    assert two.podium(*EXPLAIN, "--release", two.old.folder.name).exit_code == 0


def test_sums_that_do_not_agree_fail(two: Two) -> None:
    """Comes last: it lands a weight that `current` was not built from."""
    change_weight(two.root, [1.0, 1.0, 1.0])
    land(two.paths, two.root, LandOptions())
    found = two.podium(*EXPLAIN, "--case", "case_001")
    assert found.exit_code == 1
    assert "rows were landed since" in found.stderr
    assert "DO NOT agree" in found.stderr
