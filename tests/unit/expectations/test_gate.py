"""The gate around its rules: one question a rule, and a rule that cannot run is broken."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from expectations import duckdb_dialect, gate
from expectations.rules import RowRule, Suite
from expectations.verdict import Verdict
from warehouse.contracts.core import ACCEPTED_FINDINGS
from warehouse.findings import Outcome
from warehouse.paths import WarehousePaths

ROW = "'a/b' as subject, 'it is odd' as message, 'f.jsonl' as source_file, 3 as source_line"


@pytest.fixture
def paths(tmp_path: Path) -> WarehousePaths:
    found = WarehousePaths(tmp_path)
    found.build_file.parent.mkdir(parents=True)
    with duckdb.connect(str(found.build_file)) as connection:
        connection.register("given", ACCEPTED_FINDINGS.schema.empty_table())
        connection.execute("create schema core; create schema marts")
        connection.execute("create table core.accepted_findings as select * from given")
        connection.execute("create table marts.numbers as select unnest([1, 2]) as number")
    return found


def verdict_on(paths: WarehousePaths, rule: RowRule, monkeypatch: pytest.MonkeyPatch) -> Verdict:
    monkeypatch.setitem(gate.SUITES, ("marts", "xslides"), Suite("marts", "xslides", (rule,)))
    return gate.check_marts(paths, "xslides").verdict


def test_a_rule_is_asked_once_and_tells_what_it_returns(
    paths: WarehousePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    plain = duckdb_dialect.BufferedExecutionContext.post_exec

    def post_exec(self: duckdb_dialect.BufferedExecutionContext) -> None:
        asked.append(str(self.statement))
        plain(self)

    monkeypatch.setattr(duckdb_dialect.BufferedExecutionContext, "post_exec", post_exec)
    query = f"select {ROW} from {{relation}} where number = 2"
    rule = RowRule("numbers_are_small", "marts__numbers", query, Outcome.WARNED)
    (finding,) = verdict_on(paths, rule, monkeypatch).findings
    assert (finding.check, finding.subject, finding.message) == (rule.name, "a/b", "it is odd")
    assert (finding.place, finding.outcome) == ("f.jsonl:3", Outcome.WARNED)
    assert sum("it is odd" in one for one in asked) == 1


def test_a_rule_that_returns_nothing_passes(
    paths: WarehousePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = f"select {ROW} from {{relation}} where number > 2"
    verdict = verdict_on(paths, RowRule("numbers_are_small", "marts__numbers", query), monkeypatch)
    assert verdict.findings == ()
    assert verdict.checks == ("numbers_are_small",)


def test_a_rule_that_cannot_run_is_broken_and_not_failed(
    paths: WarehousePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = RowRule("numbers_are_small", "marts__letters", f"select {ROW} from {{relation}}")
    verdict = verdict_on(paths, rule, monkeypatch)
    assert [one.outcome for one in verdict.findings] == [Outcome.BROKEN]
    assert "letters" in verdict.findings[0].message
    assert verdict.exit_code == 2
