"""Tables of a landing unit that lost rows since it was landed last."""

from __future__ import annotations

from collections.abc import Iterable

from warehouse.contracts.base import Contract
from warehouse.findings import Finding, Outcome
from warehouse.manifests import Manifest

CHECK = "landing_keeps_rows"
FIX = "land with --accept-removals if they are meant to go"


def shrunken_tables(
    contracts: Iterable[Contract], old: Manifest | None, new: Manifest
) -> list[Finding]:
    """Return a finding for each table that has fewer rows now.

    Args:
        contracts: the tables that are looked at.
        old: the unit that stands; None when nothing does.
        new: the unit that would take its place.
    """
    findings = []
    for contract in contracts if old is not None else ():
        assert old is not None
        before, after = (one.row_counts.get(contract.table, 0) for one in (old, new))
        if after < before:
            message = f"{before} rows are landed, {after} are here now; {FIX}"
            subject = f"{new.unit}/{contract.table}"
            findings.append(Finding(CHECK, subject, message, outcome=Outcome.INCOMPLETE))
    return findings
