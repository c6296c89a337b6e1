"""The reviewed snapshot of all landing contracts, and the command that writes it anew.

    .venv/bin/python -m tests.support.contract_columns

It refuses to write a table that changed under the version that the snapshot has: files of
that version are landed, and a reader takes their manifests' word for what is in them.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.support.project import ROOT
from warehouse.contracts import ALL
from warehouse.contracts.base import Contract

SNAPSHOT = ROOT / "tests" / "contracts" / "contract_columns.csv"
COMMAND = ".venv/bin/python -m tests.support.contract_columns"
FIELDS = ("table", "version", "column", "type", "is_nullable", "key_position", "closed_set")

Row = dict[str, str]
Snapshot = dict[str, list[Row]]


def rows_of(contract: Contract) -> list[Row]:
    """Return one row a column, in file order."""
    return [
        {
            "table": contract.table,
            "version": str(contract.version),
            "column": column.name,
            "type": str(column.type),
            "is_nullable": str(column.nullable).lower(),
            "key_position": (
                str(contract.key.index(column.name) + 1) if column.name in contract.key else ""
            ),
            "closed_set": " ".join(column.values or ()),
        }
        for column in contract.columns
    ]


def read(path: Path = SNAPSHOT) -> Snapshot:
    """Return the rows of the snapshot by table."""
    found: Snapshot = {}
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                found.setdefault(row["table"], []).append(row)
    return found


def complaints(
    snapshot: Snapshot, contracts: Mapping[str, Contract], *, is_rewriting: bool = False
) -> list[str]:
    """Return what is wrong with contracts that differ from the snapshot, and what mends it.

    Args:
        snapshot: what was reviewed.
        contracts: what the code says.
        is_rewriting: leave out what a new snapshot mends.
    """
    found = []
    for table, contract in sorted(contracts.items()):
        old, new = snapshot.get(table, []), rows_of(contract)
        if old == new:
            continue
        before = int(old[0]["version"]) if old else 0
        if contract.version < before:
            found.append(f"`{table}`: version {contract.version} was {before}; it only rises")
        elif contract.version == before:
            names = ", ".join(_differing(old, new)) or "their order"
            found.append(
                f"`{table}` changed ({names}) but its version is still {before}: set version = "
                f"{before + 1} in its contract (and readable_from = {before + 1} if old rows "
                f"would be read wrongly), then run: {COMMAND}"
            )
        elif not is_rewriting:
            found.append(f"`{table}` is at version {contract.version}, new here: run {COMMAND}")
    gone = sorted(snapshot.keys() - contracts.keys())
    if not is_rewriting:
        found += [f"`{table}` is gone: run {COMMAND}" for table in gone]
    return found


def write(path: Path = SNAPSHOT, contracts: Iterable[Contract] = tuple(ALL.values())) -> None:
    """Write the snapshot of all contracts."""
    rows = [row for one in sorted(contracts, key=lambda one: one.table) for row in rows_of(one)]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    """Write the snapshot, or say which version has to be raised first and exit with 1."""
    wrong = complaints(read(), ALL, is_rewriting=True)
    if wrong:
        sys.exit("\n".join(wrong))
    write()


def _differing(old: list[Row], new: list[Row]) -> list[str]:
    before = {row["column"]: row for row in old}
    after = {row["column"]: row for row in new}
    return sorted(
        name for name in before.keys() | after.keys() if before.get(name) != after.get(name)
    )


if __name__ == "__main__":
    main()
