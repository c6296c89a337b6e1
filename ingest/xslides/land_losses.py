"""Rows that a unit must not lose unseen: fewer of them than before is a loss until accepted."""

from __future__ import annotations

from warehouse.findings import Finding, Outcome
from warehouse.manifests import Manifest

_GUARDED = (
    "cases",
    "probe_banks",
    "probes",
    "weight_sets",
    "weights",
    "evaluations",
    "probe_scores",
    "imported_metrics",
)
_GUARDED_TABLES = tuple(f"xslides/{noun}" for noun in _GUARDED)


def lost_rows(old: Manifest | None, new: Manifest) -> list[Finding]:
    """Return a finding for each guarded table of a unit with fewer rows than are landed."""
    if old is None:
        return []
    gone = sorted({one.file for one in old.inputs} - {one.file for one in new.inputs})
    findings = []
    for table in _GUARDED_TABLES:
        before, after = old.row_counts.get(table, 0), new.row_counts.get(table, 0)
        if after < before:
            where = f"; files gone: {', '.join(gone[:5])}" if gone else ""
            findings.append(
                Finding(
                    "landing_keeps_rows",
                    f"{new.unit}/{table}",
                    f"{before} rows are landed, {after} are here now{where}; "
                    "land with --accept-removals if they are meant to go",
                    gone[0] if gone else None,
                    outcome=Outcome.INCOMPLETE,
                )
            )
    return findings
