"""Question sets: questions about documents, with gold answers and the pages that hold them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ingest import land_fields as fields
from ingest.land_fields import FieldError, FileReader
from ingest.landing_units import LandReport, UnitLander
from ingest.names import check_name
from ingest.rageval.imports import ImportOptions
from ingest.rageval.landed_rows import BENCHMARK
from ingest.row_fields import provenance_of
from ingest.row_files import read_rows
from ingest.shrunken_tables import shrunken_tables
from warehouse import manifests
from warehouse.contracts.docqa_values import MODALITIES
from warehouse.contracts.rageval import GOLD_PAGES, QUESTIONS
from warehouse.landing import Chunk, RejectLog, Row, keep_unique
from warehouse.paths import WarehousePaths

LANDER = 1
"""Raised when the same file gives other rows."""
PAGE_MARK = "#"


def land_questions(paths: WarehousePaths, file: Path, options: ImportOptions) -> LandReport:
    """Land a question set: JSON Lines, a JSON list, CSV or Parquet.

    A row has `question_id`, `question`, `gold_answers`, and may have `gold_pages` (texts of
    `<document>#<page>`, pages from 1), `modality`, `question_type`, `background`, `history`.

    Args:
        paths: the warehouse.
        file: the file; its stem names the set, and the data set where no option does.
        options: see ImportOptions.

    Returns:
        What was landed; a set that lost rows is not landed and is a finding.

    Raises:
        InputError: when the file cannot be read.
        UsageError: when the set was landed from another folder and `replace` is off.
    """
    dataset_id = check_name("dataset", options.dataset_id or file.stem)
    question_set = check_name("set", file.stem)
    unit = f"{dataset_id}/questions/{question_set}"
    reader = FileReader(file.parent, RejectLog(BENCHMARK, dataset_id, unit))

    def build(row: Row, line: int | None) -> tuple[Row, list[Row]]:
        ids = {"dataset_id": dataset_id, **provenance_of(file.name, line)}
        return _question(row, {**ids, "question_set": question_set}, ids)

    found = read_rows(file, QUESTIONS.table, build, {}, reader)
    questions = keep_unique(QUESTIONS, [one for one, _ in found], reader.log, subject="question_id")
    kept = {row["question_id"] for row in questions}
    pages = [page for one, held in found if one["question_id"] in kept for page in held]

    def chunks(log: RejectLog) -> Iterator[Chunk]:
        log.rejects += reader.log.rejects
        yield QUESTIONS, questions, None
        yield GOLD_PAGES, pages, None

    report = LandReport(dataset_id)
    lander = UnitLander(
        paths,
        BENCHMARK,
        str(file.parent.resolve()),
        report,
        lambda old, new: shrunken_tables((QUESTIONS, GOLD_PAGES), old, new),
        options.replace,
        options.accept_removals,
        options.code_version,
    )
    lander.land(unit, [manifests.hash_file(file, file.parent)], chunks, {"lander": LANDER})
    return report


def _question(row: Row, columns: Row, ids: Row) -> tuple[Row, list[Row]]:
    question_id = fields.label(row, "question_id")
    modality = fields.optional_text(row, "modality")
    question = {
        **columns,
        "question_id": question_id,
        "question": fields.text(row, "question"),
        "background": fields.optional_text(row, "background"),
        "history": _texts(row, "history"),
        "gold_answers": _texts(row, "gold_answers"),
        "modality": None if modality is None else fields.choice(modality, MODALITIES, "modality"),
        "question_type": fields.optional_text(row, "question_type"),
    }
    places = dict.fromkeys(map(_place, _texts(row, "gold_pages")))
    pages = [
        {**ids, "question_id": question_id, "document_id": document_id, "page_number": page}
        for document_id, page in places
    ]
    return question, pages


def _place(text: str) -> tuple[str, int]:
    """Return document and page of `<document>#<page>`."""
    document_id, _, page = text.rpartition(PAGE_MARK)
    if not document_id or not page.isascii() or not page.isdigit() or int(page) < 1:
        raise FieldError("wrong_page", f"`{text}` is no `<document>{PAGE_MARK}<page>` from page 1")
    return document_id, int(page)


def _texts(row: Row, name: str) -> list[str]:
    value: Any = row.get(name)
    members = [] if value is None else value if isinstance(value, list) else [value]
    if not all(isinstance(one, str) for one in members):
        raise FieldError("wrong_type", f"field `{name}` is no list of texts")
    return list(members)
