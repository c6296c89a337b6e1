"""Runs a suite with Great Expectations over DuckDB and turns its results into a verdict."""

from __future__ import annotations

import contextlib
import gc
import io
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import duckdb

from expectations.rules import RowRule, Suite
from expectations.suites import SUITES, expected_counts
from expectations.verdict import Verdict
from warehouse import jsonl, relations
from warehouse.findings import Finding, Outcome
from warehouse.paths import WarehousePaths
from warehouse.relations import LandingState

DETAIL_LIMIT = 20


@dataclass(frozen=True)
class GateResult:
    """A verdict and the rows of `core/expectation_results` that record it."""

    verdict: Verdict
    rows: tuple[dict[str, Any], ...]


def check_landing(paths: WarehousePaths, benchmark: str, profile: str | None = None) -> GateResult:
    """Check what is landed, before any model is built.

    Args:
        paths: the warehouse.
        benchmark: whose suite runs.
        profile: known dataset whose counts every landed one must have.

    Raises:
        InputError: when a manifest names a file that is gone.
        UsageError: when there is no such profile.
    """
    suite = SUITES["landing", benchmark]
    if profile is not None:
        suite = replace(suite, rules=(*suite.rules, expected_counts(benchmark, profile)))
    state = relations.current_state(paths)
    database = paths.build / f"gate-{os.getpid()}.duckdb"
    database.parent.mkdir(parents=True, exist_ok=True)
    try:
        with duckdb.connect(str(database)) as connection:
            relations.register(connection, state)
            accepted = _accepted(connection, benchmark)
        return _run(suite, database, state, accepted)
    finally:
        database.unlink(missing_ok=True)


def check_marts(paths: WarehousePaths, benchmark: str) -> GateResult:
    """Check the build file that `podium build` has just filled."""
    state = relations.current_state(paths)
    with duckdb.connect(str(paths.build_file)) as connection:
        accepted = _accepted(connection, benchmark)
    return _run(SUITES["marts", benchmark], paths.build_file, state, accepted)


def _accepted(connection: duckdb.DuckDBPyConnection, benchmark: str) -> dict[tuple[str, str], str]:
    """Return the reason by (expectation, subject) of what is accepted today."""
    rows = connection.execute(
        "select expectation, subject, reason from core.accepted_findings "
        "where benchmark = ? and (accepted_until is null or accepted_until >= ?)",
        [benchmark, date.today().isoformat()],  # noqa: DTZ011 - an owner's date is local
    ).fetchall()
    return {(expectation, subject): reason for expectation, subject, reason in rows}


def _run(
    suite: Suite, database: Path, state: LandingState, accepted: dict[tuple[str, str], str]
) -> GateResult:
    findings: list[Finding] = []
    rows = []
    checked_at = datetime.now(UTC).isoformat(timespec="seconds")
    # Great Expectations prints advice on stdout, which is for results.
    with contextlib.redirect_stdout(io.StringIO()), _batch(database) as batch:
        for rule in suite.rules:
            found = [_accept(one, accepted) for one in _check(rule, batch)]
            findings += found
            rows.append(_result_row(suite, rule, found, state.state_id, checked_at))
    names = tuple(rule.name for rule in suite.rules)
    title = f"{suite.gate} gate of {suite.benchmark}"
    return GateResult(Verdict(title, names, tuple(findings)), tuple(rows))


def _check(rule: RowRule, batch: Any) -> list[Finding]:
    """Validate one rule; an error inside it is `broken`, never `failed`."""
    from expectations.offending_rows import OffendingRows

    # Great Expectations would put an aliased subquery for its own placeholder, which cannot
    # be joined by name; relations are named outright instead, and one batch serves all rules.
    expectation = OffendingRows(unexpected_rows_query=rule.statement)
    try:
        result = batch.validate(expectation, result_format="COMPLETE")
    except Exception as error:
        return [Finding(rule.name, rule.relation, str(error)[:500], outcome=Outcome.BROKEN)]
    problem = _problem(result.exception_info)
    if problem is not None:
        return [Finding(rule.name, rule.relation, problem[:500], outcome=Outcome.BROKEN)]
    if result.success:
        return []
    return [_row_finding(rule, row) for row in result.result["details"]["unexpected_rows"]]


def _row_finding(rule: RowRule, row: dict[str, Any]) -> Finding:
    line = row.get("source_line")
    return Finding(
        rule.name,
        str(row["subject"]),
        str(row["message"]),
        row.get("source_file"),
        int(line) if line is not None else None,
        rule.outcome,
    )


def _accept(finding: Finding, accepted: dict[tuple[str, str], str]) -> Finding:
    reason = accepted.get((finding.check, finding.subject))
    if reason is None or finding.outcome is Outcome.BROKEN:
        return finding
    return replace(
        finding, outcome=Outcome.ACCEPTED, message=f"{finding.message} (accepted: {reason})"
    )


def _problem(exception_info: Any) -> str | None:
    """Return the message of an exception inside an expectation, if there was one."""
    if not isinstance(exception_info, dict):
        return None
    if "raised_exception" in exception_info:
        message = exception_info.get("exception_message")
        return str(message) if exception_info["raised_exception"] else None
    messages = [
        str(one.get("exception_message") if isinstance(one, dict) else one)
        for one in exception_info.values()
    ]
    return messages[0] if messages else None


def _result_row(
    suite: Suite, rule: RowRule, found: list[Finding], state_id: str, checked_at: str
) -> dict[str, Any]:
    shown = [
        {"subject": one.subject, "message": one.message, "place": one.place}
        for one in found[:DETAIL_LIMIT]
    ]
    return {
        "landing_state_id": state_id,
        "gate": suite.gate,
        "benchmark": suite.benchmark,
        "expectation": rule.name,
        "relation": rule.relation,
        "outcome": Verdict("", (), tuple(found)).outcome.value,
        "finding_count": len(found),
        "detail": jsonl.canonical(shown) if shown else None,
        "checked_at": checked_at,
    }


@contextmanager
def _batch(database: Path) -> Iterator[Any]:
    """Yield a Great Expectations batch over a database."""
    # Great Expectations takes four seconds to import; only gates pay for it.
    os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
    import great_expectations as gx

    from expectations import duckdb_dialect

    duckdb_dialect.register()
    logging.disable(logging.WARNING)
    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    source = context.data_sources.add_sql(
        name="warehouse", connection_string=f"{duckdb_dialect.SCHEME}:///{database}"
    )
    try:
        asset = source.add_query_asset(name="batch", query="select 1 as rules")
        yield asset.add_batch_definition_whole_table("whole").get_batch()
    finally:
        logging.disable(logging.NOTSET)
        # Each holds a connection of its own, and with it the database file.
        source.get_execution_engine().close()
        source.get_execution_engine().engine.dispose()
        source.get_engine().dispose()
        gc.collect()
