"""What a landing has to say: rows by table, units, rejects and losses, one exit code."""

from __future__ import annotations

from expectations.verdict import Verdict
from ingest.landing_units import LandReport
from podium import console
from podium.cli.shared import finish
from warehouse.findings import Finding

_MOST_NAMES = 12


def show_landing(report: LandReport, *, as_json: bool) -> None:
    """Print the report of a landing and end the command with its exit code."""
    verdict = Verdict("landing", (), (*report.findings, *_reject_findings(report)))
    if as_json:
        console.print_json(
            {
                "dataset_id": report.dataset_id,
                "landed_units": report.landed_units,
                "unchanged_units": report.unchanged_units,
                "row_counts": report.row_counts,
                **verdict.as_record(),
            }
        )
    else:
        rows = sorted(report.row_counts.items())
        console.print_rows(("table", "rows"), rows)
        console.say(
            f"landed: {_named(report.landed_units) or 'nothing new'}; "
            f"unchanged: {_named(report.unchanged_units) or 'none'}"
        )
        if verdict.findings:
            console.print_verdict(verdict)
    finish(verdict.exit_code)


def _named(units: list[str]) -> str:
    """Return units by name, or their number where a screen would not hold the names."""
    return ", ".join(units) if len(units) <= _MOST_NAMES else f"{len(units)} units"


def _reject_findings(report: LandReport) -> list[Finding]:
    """Return the rejects of a landing as findings; those landed before are counted."""
    findings = [
        Finding(
            "nothing_is_rejected",
            one.subject,
            f"{one.reason} ({one.landing_table}): {one.message}",
            one.source_file,
            one.source_line,
        )
        for one in report.rejects
    ]
    before = report.row_counts.get("core/rejects", 0) - len(set(report.rejects))
    if before > 0 and report.unchanged_units:
        message = f"{before} rows or files of unchanged units stand in the rejects"
        findings.append(Finding("nothing_is_rejected", report.dataset_id, message))
    return findings
