"""Keys, blanks, boards and locks: what joins, what is missing, who waits (U, G, L, D01)."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from expectations.suites import SUITES
from ingest.xslides.tree import ArtifactTree
from tests.support.landed import findings_of, land_tree, read_landed, write_scores
from tests.support.project import ROOT
from tests.support.promoted import cell, promote
from tests.support.trees import Tree, probe, score, weight, write_jsonl
from warehouse.contracts.xslides import PROBES, WEIGHTS
from warehouse.exports import leaderboards
from warehouse.findings import Outcome
from warehouse.paths import WarehousePaths
from warehouse.states import DATABASE_FILE

NFC, NFD = (unicodedata.normalize(form, "r\u00e9sum\u00e9") for form in ("NFC", "NFD"))
PROBES_FILE = "probes/case_000/probes_deduped.jsonl"


def test_ids_join_across_unicode_forms(tmp_path: Path) -> None:
    root = write_scores(tmp_path / "data", [score(NFC, True), score("pb_0002", False)])
    evaluations = root / "runs/run/evaluations/system_a/agnostic/learners/case_000"
    write_jsonl(evaluations / "probe_scores.jsonl", [score(NFD, True), score("pb_0002", False)])
    paths = land_tree(tmp_path / "warehouse", root)
    assert read_landed(paths, "core.rejects") == []
    for table in ("probes", "weights", "probe_scores"):
        found = {row["probe_id"] for row in read_landed(paths, f"xslides.{table}")}
        assert found == {NFC, "pb_0002"}, table


def test_folders_of_another_unicode_form_are_the_same_names(tmp_path: Path) -> None:
    tree = Tree(tmp_path / "data")
    tree.case(
        NFC,
        [probe("pb_0001", NFC)],
        {NFC: [weight("pb_0001", NFC, [1.0])]},
    )
    tree.evaluation(NFC, NFC, [score("pb_0001", True)], system=NFC)
    for path in sorted(tree.root.rglob(f"*{NFC}*"), key=lambda one: -len(one.parts)):
        path.rename(path.with_name(unicodedata.normalize("NFD", path.name)))
    assert ArtifactTree(tree.root).case_labels() == [NFD]
    paths = land_tree(tmp_path / "warehouse", tree.root)
    (row,) = read_landed(paths, "xslides.evaluations")
    assert (row["system_id"], row["audience"], row["case_label"]) == (NFC, NFC, NFC)
    assert row["weight_set_id"] is not None
    assert findings_of(paths) == []


def test_ids_that_are_one_after_normalising_are_all_refused(tmp_path: Path) -> None:
    root = write_scores(tmp_path / "data", [score("pb_0001", True)])
    with (root / PROBES_FILE).open("a", encoding="utf-8") as handle:
        for form in (NFC, NFD):
            handle.write(json.dumps(probe(form, "case_000")) + "\n")
    paths = land_tree(tmp_path / "warehouse", root)
    rejects = read_landed(paths, "core.rejects")
    assert [(one["reason"], one["subject"]) for one in rejects] == [("duplicate_row", NFC)] * 2
    assert [row["probe_id"] for row in read_landed(paths, "xslides.probes")] == ["pb_0001"]


def test_a_judgment_that_stands_twice_multiplies_nothing(tmp_path: Path) -> None:
    rows = [score(name, True) for name in ("a", "a", "a", "b")]
    root = write_scores(tmp_path / "data", [score("a", True), score("b", True)])
    folder = root / "runs/run/evaluations/system_a/agnostic/learners/case_000"
    write_jsonl(folder / "probe_scores.jsonl", rows)
    paths = land_tree(tmp_path / "warehouse", root)
    assert [row["probe_id"] for row in read_landed(paths, "xslides.probe_scores")] == ["b"]
    assert [one["source_line"] for one in read_landed(paths, "core.rejects")] == [1, 2, 3]


BLANKS = ("", "  ", "\u00a0", "\u3000\t", None)


@pytest.mark.parametrize("field", ["probe_id", "question", "answer"])
def test_a_blank_text_is_missing(field: str, tmp_path: Path) -> None:
    root = write_scores(tmp_path / "data", [score("pb_0001", True)])
    with (root / PROBES_FILE).open("a", encoding="utf-8") as handle:
        for number, blank in enumerate(BLANKS):
            row = {**probe(f"pb_{number:04d}x", "case_000"), field: blank}
            handle.write(json.dumps(row) + "\n")
    paths = land_tree(tmp_path / "warehouse", root)
    reasons = [one["reason"] for one in read_landed(paths, "core.rejects")]
    assert reasons == ["blank_field"] * 4 + ["missing_field"]
    assert len(read_landed(paths, "xslides.probes")) == 1


def test_a_blank_answer_of_a_judge_is_no_answer(tmp_path: Path) -> None:
    rows = [{**score(f"pb_{n}", True), "answer": blank} for n, blank in enumerate(BLANKS)]
    paths = land_tree(tmp_path / "warehouse", write_scores(tmp_path / "data", rows))
    assert {row["answer"] for row in read_landed(paths, "xslides.probe_scores")} == {None}


def test_a_missing_number_is_refused_and_never_in_range(tmp_path: Path) -> None:
    root = write_scores(tmp_path / "data", [score("pb_0001", True), score("pb_0002", True)])
    rows = [weight("pb_0001", "learners", [1.0]), weight("pb_0002", "learners", [1.0])]
    write_jsonl(
        root / "probes/case_000/weights/learners.jsonl",
        [rows[0], {**rows[1], "utility_weight": None}],
    )
    paths = land_tree(tmp_path / "warehouse", root)
    checks = {(one.check, one.subject) for one in findings_of(paths)}
    assert ("nothing_is_rejected", "pb_0002") in checks
    assert ("every_probe_has_a_weight", "case_000/learners/pb_0002") in checks


def test_what_ranges_are_asked_of_is_required_by_the_contract() -> None:
    required = {column.name for column in WEIGHTS.columns if not column.nullable}
    assert "utility_weight" in required
    assert {"probe_id", "question", "answer"} <= {
        column.name for column in PROBES.columns if not column.nullable
    }


def test_every_gate_counts_before_it_checks_and_tolerates_no_share() -> None:
    for suite in SUITES.values():
        assert any(rule.outcome is Outcome.NOTHING_SELECTED for rule in suite.rules), suite.gate
    for path in (ROOT / "expectations").rglob("*.py"):
        assert "mostly" not in path.read_text(encoding="utf-8")


def board(rows: list[dict[str, Any]]) -> list[leaderboards.LeaderboardRow]:
    with duckdb.connect() as connection:
        connection.register("given", pa.Table.from_pylist(rows))
        connection.execute("create table rpt_metric_summaries as select * from given")
        return leaderboards.read_rows(connection)


def board_cell(system: str, **fields: Any) -> dict[str, Any]:
    shared = {
        "benchmark": "xslides",
        "slice_type": "all",
        "policy": "exclude_failed",
        "judge_kind": "llm",
        "variant": "",
        "tau_a": 0.7,
        "n_scored": 10,
        "n_total": 10,
        "n_included": 10,
        "n_undefined": 0,
    }
    return {**cell(system_id=system, **shared), **fields}


def test_a_board_tells_how_many_cases_stand_behind_a_figure() -> None:
    rows = board([board_cell("whole"), board_cell("part", n_scored=9, n_included=8, n_undefined=1)])
    shown = {row.key["system_id"]: (leaderboards.table_cells(row)[8], row.flags) for row in rows}
    assert shown == {"whole": ("10/10", ""), "part": ("8/10", "1 missing, 1 undefined, small n")}


def test_a_board_of_equal_systems_has_one_order_whatever_comes_first() -> None:
    rows = [board_cell(f"system_{number}", estimate=0.347) for number in range(6)]
    orders = set()
    for seed in range(5):
        random.Random(seed).shuffle(rows)
        orders.add(tuple(row.key["system_id"] for row in board(rows)))
    assert orders == {tuple(f"system_{number}" for number in range(6))}


def test_a_reader_that_is_kept_out_is_told_by_whom(tmp_path: Path) -> None:
    paths = WarehousePaths(tmp_path)
    database = promote(paths, [cell()]) / DATABASE_FILE
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import duckdb, sys\n"
            "held = duckdb.connect(sys.argv[1])\n"
            "print('held', flush=True)\n"
            "sys.stdin.read()",
            str(database),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    command = [sys.executable, "-c", "from podium.cli.main import main; main()"]
    command += ["query", "select 1", "--warehouse", str(tmp_path)]
    kept_out = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    holder.communicate("")
    assert kept_out.returncode == 2
    assert f"PID {holder.pid}" in kept_out.stderr
    assert "Traceback" not in kept_out.stderr
    assert "fix:" in kept_out.stderr
    after = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert after.returncode == 0, after.stderr
