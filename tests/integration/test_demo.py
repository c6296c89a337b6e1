"""The main job as a user runs it: the demo, twice, and every query of the cookbook on it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

PROJECT = Path(__file__).resolve().parents[2]
COOKBOOK = PROJECT / "docs" / "cookbook.md"
QUERIES = re.findall(r"## (.+?)\n\n```sql\n(.+?)\n```", COOKBOOK.read_text(), flags=re.DOTALL)
# The sample is clean, and one judge by rules judges it once.
EMPTY_ON_THE_DEMO = {
    "What did not land, and why",
    "What did judging cost, case by case?",
    "Do two judges say the same?",
}


def podium(*arguments: str, cwd: Path = PROJECT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from podium.cli.main import main; main()", *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        timeout=600,
        check=False,
    )


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo") / "warehouse"


@pytest.fixture(scope="module")
def first(warehouse: Path) -> subprocess.CompletedProcess[str]:
    return podium("demo", "--warehouse", str(warehouse))


def test_the_demo_prints_a_board_with_intervals_and_says_that_rules_judged(
    first: subprocess.CompletedProcess[str],
) -> None:
    assert first.returncode == 0, first.stderr
    assert first.stdout.startswith("HEURISTIC JUDGE")
    assert re.search(r"narrator +agnostic +0\.\d{3} \[0\.\d{3}, \d\.\d{3}\]", first.stdout)
    assert "heuristic" in first.stdout
    assert re.search(r"\d+/\d+", first.stdout)
    assert "exit 0" in first.stderr


def test_the_second_demo_finds_nothing_to_do(
    first: subprocess.CompletedProcess[str], warehouse: Path
) -> None:
    again = podium("demo", "--warehouse", str(warehouse))
    assert again.returncode == 0
    assert again.stdout == first.stdout
    assert "nothing to do" in again.stderr
    assert "landing: nothing to do" in again.stderr


def test_the_demo_writes_the_board_as_csv_and_markdown(
    first: subprocess.CompletedProcess[str], warehouse: Path
) -> None:
    exports = warehouse / "published" / "current" / "exports"
    assert "HEURISTIC JUDGE" in (exports / "xslides_leaderboard.md").read_text()
    header, *lines = (exports / "xslides_leaderboard.csv").read_text().splitlines()
    assert "expanded_low" in header
    assert len(lines) > 50


def test_the_failed_deck_is_a_row_and_zero_only_by_its_policy(
    first: subprocess.CompletedProcess[str], warehouse: Path
) -> None:
    sql = (
        "select policy, n_total, n_scored, n_included from rpt_metric_summaries "
        "where metric = 'coverage' and slice = 'all' and tau_a_thousandths = 700 "
        "and system_id = 'sampler' and condition = 'agnostic' and audience = 'learners' "
        "order by policy"
    )
    found = podium("query", sql, "--json", "--warehouse", str(warehouse))
    left_out, as_zero = json.loads(found.stdout)
    assert left_out["n_total"] - left_out["n_scored"] == 2
    assert as_zero["n_included"] - left_out["n_included"] == 1


def test_the_judge_kind_is_never_pooled(
    first: subprocess.CompletedProcess[str], warehouse: Path
) -> None:
    sql = "select distinct judge_kind from rpt_metric_summaries"
    found = podium("query", sql, "--json", "--warehouse", str(warehouse))
    assert json.loads(found.stdout) == [{"judge_kind": "heuristic"}]


@pytest.mark.parametrize(("title", "sql"), QUERIES, ids=[title for title, _ in QUERIES])
def test_each_query_of_the_cookbook_runs(
    title: str, sql: str, first: subprocess.CompletedProcess[str], warehouse: Path
) -> None:
    database = warehouse / "published" / "current" / "podium.duckdb"
    with duckdb.connect(str(database), read_only=True) as connection:
        rows = connection.execute(sql).fetchall()
    assert rows or title in EMPTY_ON_THE_DEMO


def test_marts_carry_their_words_into_the_database(
    first: subprocess.CompletedProcess[str], warehouse: Path
) -> None:
    listed = podium("tables", "rpt_metric_summaries", "--json", "--warehouse", str(warehouse))
    columns = json.loads(listed.stdout)
    assert all(column["comment"] for column in columns)


def test_the_tree_gets_metrics_that_say_who_made_them(
    first: subprocess.CompletedProcess[str], warehouse: Path
) -> None:
    files = sorted((warehouse / "trees" / "sample").rglob("metrics.json"))
    assert files
    content = json.loads(files[0].read_text())
    assert content["producer"] == "podium"
    assert content["tau_a"] == 0.7
    assert {"coverage", "efficiency_time", "efficiency_token"} <= content.keys()


def test_wrong_words_get_one_clear_error() -> None:
    lost = podium("xslides", "run", "no_such_folder")
    assert lost.returncode == 2
    assert "no_such_folder" in lost.stderr
    assert "Traceback" not in lost.stderr
    unknown = podium("metric", "show", "brilliance")
    assert unknown.returncode == 2
    assert "coverage" in unknown.stderr


def test_a_query_that_is_no_sql_says_so(
    first: subprocess.CompletedProcess[str], warehouse: Path
) -> None:
    bad = podium("query", "selekt 1", "--warehouse", str(warehouse))
    assert bad.returncode == 2
    assert "podium tables" in bad.stderr
    write = podium("query", "create table x as select 1", "--warehouse", str(warehouse))
    assert write.returncode == 2


def test_an_unbuilt_warehouse_names_the_next_command(tmp_path: Path) -> None:
    empty = podium("tables", "--warehouse", str(tmp_path))
    assert empty.returncode == 2
    assert "podium build" in empty.stderr
