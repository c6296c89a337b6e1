"""Probes out of tables that the text keeps as rows of cells between upright strokes."""

from __future__ import annotations

import re

from ingest.judge.exchange import Evidence, ProbeDraft

_RULE = re.compile(r"^[\s|:-]+$")
_HEADING = re.compile(r"^\s*#{1,6}\s+")
LEAST_COLUMNS = 2


def is_table_row(line: str) -> bool:
    """Return whether a line is a row of cells."""
    return "|" in line


def table_drafts(text: str, most: int) -> list[ProbeDraft]:
    """Return at most `most` probes, one per data row of each table, columns in turn."""
    drafts: list[ProbeDraft] = []
    heading = ""
    header: list[str] = []
    number = 0
    for line in text.split("\n"):
        if not is_table_row(line):
            if _HEADING.match(line):
                heading = _HEADING.sub("", line).strip()
            header = []
            continue
        if _RULE.match(line):
            continue
        cells = [cell.strip().replace("*", "") for cell in line.strip().strip("|").split("|")]
        if not header:
            header, number = cells, 0
            continue
        number += 1
        draft = _row_draft(header, cells, number, heading)
        if draft is not None and len(drafts) < most:
            drafts.append(draft)
    return drafts


def _row_draft(header: list[str], cells: list[str], number: int, heading: str) -> ProbeDraft | None:
    if len(cells) != len(header) or len(cells) < LEAST_COLUMNS or not all(cells):
        return None
    column = 1 + (number - 1) % (len(cells) - 1)
    name, label, value = header[column], cells[0], cells[column]
    if not any(character.isdigit() for character in value) or not name:
        return None
    place = f" in the table on {heading}" if heading else " in the table"
    return ProbeDraft(
        question=f"What is the {name[:1].lower() + name[1:]} for {label}{place}?",
        answer=f"{label}: {name} {value}.",
        evidence=(Evidence(heading, " | ".join(cells)),),
        level=1,
        modality="table",
        theme=heading or "table",
        domain="evidence",
    )
