"""Landing of `accepted_findings.csv`: what the owners of a dataset know and accept."""

from __future__ import annotations

import csv
import io
import re

from ingest.land_fields import FileReader
from warehouse.contracts.core import ACCEPTED_FINDINGS
from warehouse.landing import Row, keep_unique

FILE = "accepted_findings.csv"
COLUMNS = ("check", "subject", "reason", "accepted_until")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def read_accepted(reader: FileReader, benchmark: str, dataset_id: str) -> list[Row]:
    """Return the accepted findings of a dataset.

    A row without check, subject or reason is a reject: nothing is accepted unsaid.
    """
    path = reader.root / FILE
    if not path.is_file():
        return []
    table = ACCEPTED_FINDINGS.table
    try:
        lines = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig")))
        if tuple(lines.fieldnames or ()) != COLUMNS:
            raise ValueError(f"columns are not {', '.join(COLUMNS)}")
        parsed = [(lines.line_num, row) for row in lines]
    except (OSError, ValueError, csv.Error) as error:
        reader.reject(table, path, "unreadable_file", FILE, str(error))
        return []
    rows = []
    for line, cells in parsed:
        values = {name: (cells.get(name) or "").strip() for name in COLUMNS}
        until = values["accepted_until"]
        if not all(values[name] for name in COLUMNS[:3]) or (until and not _DATE.fullmatch(until)):
            reader.reject(
                table, path, "missing_field", values["subject"], "check, subject, reason", line
            )
            continue
        rows.append(
            {
                "benchmark": benchmark,
                "dataset_id": dataset_id,
                "expectation": values["check"],
                "subject": values["subject"],
                "reason": values["reason"],
                "accepted_until": until or None,
                "source_file": FILE,
                "source_line": line,
            }
        )
    return keep_unique(ACCEPTED_FINDINGS, rows, reader.log, subject="subject")
