"""Recorded outputs of consistency judges, as rows: an output that cannot be read is invalid."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ingest import land_fields as fields
from ingest.land_fields import FileReader
from ingest.rageval.imports import ImportedRun
from ingest.rageval.judging.exchange import CONSISTENCY, PREMISES
from ingest.rageval.judging.numbered import judged_of
from ingest.row_fields import provenance_of
from warehouse.contracts.rageval_judging import JUDGMENTS
from warehouse.landing import Row, keep_unique


@dataclass
class OutputRows:
    """Rows of one file by table."""

    judgments: list[Row] = field(default_factory=list)
    statements: list[Row] = field(default_factory=list)
    verdicts: list[Row] = field(default_factory=list)


def read_outputs(path: Path, run: ImportedRun, reader: FileReader) -> OutputRows:
    """Read recorded outputs.

    Args:
        path: JSON Lines of `query_id` and `raw`.
        run: the system and run whose answers were judged.
        reader: keeps rejects: lines that are none, and all copies of a repeated query.
    """
    found = OutputRows()
    texts: dict[str, str] = {}

    def build(row: Row, line: int) -> Row:
        question_id = fields.label(row, "query_id")
        text = row.get("raw")
        if not isinstance(text, str):
            raise fields.FieldError("wrong_type", "field `raw` is no text")
        texts[question_id] = text
        return run.judgment_row(question_id, CONSISTENCY, source_line=line)

    rows = reader.rows(path, JUDGMENTS.table, build, "query_id")
    for row in keep_unique(JUDGMENTS, rows, reader.log, subject="question_id"):
        _add(found, row, texts[row["question_id"]])
    return found


def _add(found: OutputRows, row: Row, text: str) -> None:
    judged = judged_of(text)
    found.judgments.append(
        {
            **row,
            "judgment_status": judged.status,
            "status_reason": judged.reason,
            "response_count": judged.count("response") if judged.status != "invalid" else None,
        }
    )
    owner = {"judgment_id": row["judgment_id"], "dataset_id": row["dataset_id"]}
    for one in judged.statements:
        place = {**owner, "side": one.side, "statement_number": one.number}
        source = provenance_of(row["source_file"], row["source_line"])
        found.statements.append({**place, "statement": one.text, **source})
        verdict = {
            "premise": PREMISES[CONSISTENCY][one.side],
            "passage_number": 0,
            "label": one.label,
            "label_source": "imported",
        }
        found.verdicts.append({**place, **verdict, **source})
