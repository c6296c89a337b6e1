"""Two judges of the same decks, by hand."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest
from typer.testing import CliRunner

from podium.cli.judge import app
from tests.support.judge_pair_trees import DATASET
from tests.support.worlds import World
from warehouse import states
from warehouse.paths import WarehousePaths


def row_of(world: World, task: str, system_id: str) -> dict[str, Any]:
    return world.one(
        "select * from marts.rpt_judge_agreements where task = ? and system_id = ? "
        "and first_run_id = ? and second_run_id = ?",
        task,
        system_id,
        f"{DATASET}/first",
        f"{DATASET}/other",
    )


def test_kappa_of_answers(golden_world: World) -> None:
    # 10 probes: 4 covered for both, 1 for each alone, 4 for neither. Chance sums 5 x 5 + 5 x 5.
    row = row_of(golden_world, "answerability", "hand")
    assert (row["agreement_share"], row["cohens_kappa"]) == (0.8, (80 - 50) / (100 - 50))
    assert row["kappa_status"] == "measured"
    names = ("n_compared", "n_agreeing", "n_first_covered", "n_second_covered", "unit_count")
    assert tuple(row[name] for name in names) == (10, 8, 5, 5, 2)
    assert (row["first_judge_id"], row["second_judge_id"]) == ("judge-a", "judge-b")


def test_kappa_of_claims_leaves_out_those_that_only_one_side_has(golden_world: World) -> None:
    # Twice 4 claims, 3 alike: labels 4, 2, 2 against 2, 4, 2; chance sums 4 x 2 + 2 x 4 + 2 x 2.
    row = row_of(golden_world, "verification", "hand")
    assert row["agreement_share"] == 0.75
    assert row["cohens_kappa"] == (8 * 6 - 20) / (64 - 20)
    assert (row["n_compared"], row["n_first_unmatched"], row["n_second_unmatched"]) == (8, 2, 2)
    assert (row["first_judge_id"], row["second_judge_id"]) == ("claims-a", "claims-b")
    assert (row["n_first_covered"], row["n_first_abstained"]) == (None, None)


@pytest.mark.parametrize(
    ("system_id", "status", "agreement"),
    [("sure", "no_variation", 1.0), ("apart", "nothing_in_common", None)],
)
def test_kappa_that_cannot_be_had_is_null_with_its_reason(
    system_id: str, status: str, agreement: float | None, golden_world: World
) -> None:
    row = row_of(golden_world, "answerability", system_id)
    assert (row["kappa_status"], row["agreement_share"]) == (status, agreement)
    assert row["cohens_kappa"] is None
    assert row["n_second_unjudged"] == (6 if status == "no_variation" else 16)


def test_one_judge_with_one_prompt_is_not_compared_with_itself(golden_world: World) -> None:
    for mart in ("rpt_judge_agreements", "rpt_judge_differences"):
        rows = golden_world.rows(
            f"select distinct first_run_id, second_run_id from marts.{mart} "
            "where first_run_id like ? order by all",
            f"{DATASET}/%",
        )
        assert [(row["first_run_id"][-5:], row["second_run_id"][-5:]) for row in rows] == [
            ("again", "other"),
            ("again", "rompt"),
            ("first", "other"),
            ("first", "rompt"),
            ("other", "rompt"),
        ]


def test_another_prompt_of_answers_is_no_other_judge_of_claims(golden_world: World) -> None:
    rows = golden_world.rows(
        "select distinct task from marts.rpt_judge_agreements "
        "where first_run_id = ? and second_run_id = ?",
        f"{DATASET}/first",
        f"{DATASET}/prompt",
    )
    assert rows == [{"task": "answerability"}]
    metrics = golden_world.rows(
        "select distinct metric from marts.rpt_judge_differences "
        "where first_run_id = ? and second_run_id = ? order by metric",
        f"{DATASET}/first",
        f"{DATASET}/prompt",
    )
    names = [row["metric"] for row in metrics]
    assert "coverage" in names and "safe_efficiency_time" in names and "correctness" not in names


def test_decks_that_differ_or_have_no_hash_are_dropped(golden_world: World) -> None:
    row = golden_world.one(
        "select * from marts.rpt_judge_agreements where task = 'answerability' "
        "and system_id = 'two' and condition = 'conditioned' and audience = 'learners' "
        "and first_run_id = ? and second_run_id = ?",
        f"{DATASET}/first",
        f"{DATASET}/other",
    )
    # Of 12 cases one has another deck, one no hash, and one was not judged by the other.
    assert (row["unit_count"], row["n_dropped_first"], row["n_dropped_second"]) == (9, 3, 2)


def test_the_command_prints_both_tables(golden_world: World, tmp_path: Path) -> None:
    shutil.copytree(golden_world.paths.root, tmp_path / "warehouse")
    states.promote(WarehousePaths(tmp_path / "warehouse"), "state_00000001")
    place = ("--json", "--warehouse", str(tmp_path / "warehouse"))
    runs = ("--run", f"{DATASET}/other", "--run", f"{DATASET}/first")
    result = CliRunner().invoke(app, ["compare", *runs, *place])
    assert result.exit_code == 0, result.output
    record = json.loads(result.stdout)
    assert record["first_run_id"] == f"{DATASET}/first"
    assert {row["task"] for row in record["agreements"]} == {"answerability", "verification"}
    assert {row["metric"] for row in record["differences"]} >= {"coverage", "correctness"}
    alike = ("--run", f"{DATASET}/again", "--run", f"{DATASET}/first")
    assert CliRunner().invoke(app, ["compare", *alike, *place]).exit_code == 5
    assert CliRunner().invoke(app, ["compare", *alike[:2], *place]).exit_code == 2
    assert CliRunner().invoke(app, ["anchors", "compare", *place]).exit_code == 5


def test_a_standing_alarm_ends_the_command_with_1(golden_world: World, tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path / "warehouse")
    shutil.copytree(golden_world.paths.root, paths.root)
    with duckdb.connect(str(paths.build_file)) as connection:
        connection.execute(
            "insert into marts.rpt_judge_drift (set_name, task, judge_id, kind, drift_status, "
            "is_latest, is_alarm) values "
            "('items', 'answerability', 'old', 'all', 'steady', true, false), "
            "('items', 'answerability', 'new', 'all', 'accuracy_fell', true, true)"
        )
    states.promote(paths, "state_00000001")
    place = ("--warehouse", str(paths.root))
    result = CliRunner().invoke(app, ["anchors", "compare", "--changed", *place])
    assert result.exit_code == 1
    assert "judge_has_not_drifted" in result.output
