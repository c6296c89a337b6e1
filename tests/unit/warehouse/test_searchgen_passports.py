"""Passports of searchgen boards: which prompts a cell counts, why, and that they add up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
from typer.testing import CliRunner, Result

from podium.cli.main import app
from tests.support import searchgen_states
from tests.support.searchgen_states import marts
from warehouse import passport_cells, passport_searchgen, storage
from warehouse.errors import InputError, UsageError
from warehouse.passport import Passport
from warehouse.passport_searchgen import METRICS, Question
from warehouse.paths import WarehousePaths

POLICIES = (
    "published",
    "all_zero_fill",
    "all_exclude",
    "common_prompts",
    "applicability_aware",
)


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    paths = WarehousePaths(tmp_path_factory.mktemp("passports") / "warehouse")
    folder = marts().promote(paths.states / "release_1-00000001")
    storage.replace_link(paths.current, folder)
    return folder


def passport(state: Path, metric: str, system: str, **rest: Any) -> Passport:
    with passport_cells.opened(state) as connection:
        return passport_searchgen.read(connection, Question(metric, system, **rest))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("metric", METRICS)
def test_every_cell_adds_up(state: Path, metric: str, policy: str) -> None:
    places = (("all", "all", "all"), ("domain", "ART", "all"), ("stratum", "VisualSearch", "mini"))
    for system in searchgen_states.MODELS:
        for view, group, slice_ in places:
            found = passport(
                state, metric, system, policy=policy, view=view, group=group, slice=slice_
            )
            assert [one for one in found.sums if not one.agrees] == []
            assert found.cell["estimate"] == found.cell[metric]


def test_each_prompt_says_what_it_counts_for_and_why(state: Path) -> None:
    reasons: dict[str, set[float | None]] = {}
    for policy in POLICIES:
        for metric in ("overall_9", "visual_reference_evaluation"):
            for row in passport(state, metric, "gamma", policy=policy).rows:
                shown = None if row["counted"] is None else row["counted"] == row["value"]
                reasons.setdefault(row["counted_because"], set()).add(
                    0.0 if row["counted"] == 0.0 and row["value"] is None else shown
                )
    assert reasons["scored"] == {True}
    assert reasons["scored, not applicable"] == {None}
    assert reasons["not every model has scored it"] == {None}
    assert reasons["missing_generation: zero_fill"] == {0.0}
    assert reasons["missing_evaluation: exclude"] == {None}
    assert reasons["missing_generation: no model has this component here"] == {None}


def test_components_of_a_prompt_are_those_of_the_metric(state: Path) -> None:
    nine = passport(state, "overall_9", "beta").rows
    ten = passport(state, "overall_10", "beta").rows
    assert not any("text_reference_evaluation" in row["components"] for row in nine)
    assert any("text_reference_evaluation" in row["components"] for row in ten)
    assert all(None not in row["components"].values() for row in ten)


def test_the_public_id_answers_too(state: Path) -> None:
    assert passport(state, "overall_9", "beta-1").cell["source_id"] == "beta"


def test_a_sum_that_was_published_otherwise_does_not_agree(tmp_path: Path) -> None:
    given = marts()
    spoiled = next(row for row in given.scores if row["overall_9_raw"])
    folder = given.promote(tmp_path / "state")
    spoiled_given = marts()
    record = next(row for row in spoiled_given.scores if row["overall_9_raw"])
    record["overall_9_raw"] += 0.25
    (tmp_path / "other").mkdir()
    other = spoiled_given.promote(tmp_path / "other" / "state")
    system = spoiled["source_id"]
    whole = passport(folder, "overall_9", system)
    broken = passport(other, "overall_9", system)
    assert all(one.agrees for one in whole.sums)
    disagreeing = [one for one in broken.sums if not one.agrees]
    assert [(one.name, one.subject) for one in disagreeing] == [
        ("mean of components", spoiled["sample_id"])
    ]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (Question("overall_9", "delta"), "source_id: alpha, beta, gamma"),
        (Question("overall_9", "alpha", view="domain", group="XYZ"), "group_name: ART, HIS, SCI"),
        (Question("overall_9", "alpha", policy="mine"), "policy: all_exclude"),
        (Question("overall_9", "alpha", run_id="other"), "run_id: searchgen/test"),
        (Question("coverage", "alpha"), "overall_9, overall_10, checklist"),
    ],
)
def test_a_question_without_an_answer_is_told_what_there_is(
    state: Path, question: Question, expected: str
) -> None:
    with passport_cells.opened(state) as connection, pytest.raises(UsageError, match=expected):
        passport_searchgen.read(connection, question)


def test_a_state_without_boards_says_so(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "podium.duckdb")) as connection:
        connection.execute("create table other as select 1 as one")
    with (
        passport_cells.opened(tmp_path) as connection,
        pytest.raises(InputError, match="no boards of searchgen"),
    ):
        passport_searchgen.read(connection, Question("overall_9", "alpha"))


def explain(state: Path, *arguments: str) -> Result:
    warehouse = str(state.parent.parent.parent)
    return CliRunner().invoke(app, ["explain", *arguments, "--warehouse", warehouse])


XSLIDES = ("--metric", "coverage", "--system", "a")
ASKED = ("--benchmark", "searchgen", "--metric", "overall_9", "--system", "beta")


def test_explain_prints_the_prompts_and_the_sum(state: Path) -> None:
    found = explain(state, *ASKED, "--slice-type", "domain", "--slice", "ART", "--within", "mini")
    assert found.exit_code == 0, found.output
    for part in ("prompt_", "exclude", "searchgen/prompt_scores", "sums agree", "each model's own"):
        assert part in found.output


def test_explain_as_json_lists_every_prompt(state: Path) -> None:
    found = explain(state, *ASKED, "--json")
    record = json.loads(found.stdout)
    assert len(record["rows"]) == record["cell"]["n_total"] == 30
    assert record["key"]["group_name"] == "All"
    assert record["policy"]["name"] == "published"
    assert record["sums_agree"] is True


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (XSLIDES, "add --audience"),
        (
            ("--metric", "coverage", "--system", "a", "--audience", "b", "--within", "c"),
            "searchgen",
        ),
        ((*XSLIDES, "--benchmark", "other"), "no passports"),
        ((*ASKED, "--weight-scope", "a"), "--weight-scope is of xslides"),
        ((*ASKED, "--tau", "0.5"), "--tau is of xslides"),
    ],
)
def test_a_question_is_held_to_its_benchmark(
    state: Path, arguments: tuple[str, ...], message: str
) -> None:
    found = explain(state, *arguments)
    assert found.exit_code == 2
    assert message in found.output
