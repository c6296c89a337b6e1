"""Layouts of public question sets: SlideVQA's annotations, TAT-QA's questions and predictions.

A layout is known by what its rows or its whole hold. What it does not say (system, setting,
question set) comes from options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ingest.land_fields import FieldError, FileReader
from ingest.row_files import read_rows
from ingest.slideagent import native
from ingest.slideagent.native import Stated
from ingest.slideagent.records import ALL, ANY, Answer, Question
from warehouse import jsonl
from warehouse.contracts.slideagent import ANSWERS, QUESTIONS
from warehouse.errors import InputError
from warehouse.landing import Row

NATIVE, SLIDEVQA, TATQA = "native", "slidevqa", "tatqa"
LAYOUTS = (NATIVE, SLIDEVQA, TATQA)
# TAT-QA writes the scale beside the answer; read together they are the number that is meant.
_SCALES = {"": "", "percent": "%", "thousand": " thousand", "million": " million",
           "billion": " billion"}  # fmt: skip
_SLIDEVQA_PAGES = 20


def read_questions(
    path: Path, layout: str, stated: Stated, renamed: Mapping[str, str], reader: FileReader
) -> list[Question]:
    """Read questions in a layout; what cannot be read is rejected.

    Raises:
        InputError: when the file cannot be read at all.
    """
    if layout == TATQA and path.suffix.lower() == ".json":
        return _built(path, QUESTIONS.table, _tatqa_rows(path), _tatqa(stated), reader)
    build: Callable[[Row, int | None], Question] = {
        NATIVE: lambda row, line: native.question_of(row, line, stated),
        SLIDEVQA: lambda row, line: _slidevqa_question(row, line, stated),
        TATQA: _tatqa(stated),
    }[layout]
    return read_rows(path, QUESTIONS.table, build, renamed, reader)


def read_answers(
    path: Path, layout: str, stated: Stated, renamed: Mapping[str, str], reader: FileReader
) -> list[Answer]:
    """Read answers in a layout; only TAT-QA has one of its own, the others use ours.

    Raises:
        InputError: when the file cannot be read at all.
    """
    if layout == TATQA and path.suffix.lower() == ".json":
        predictions = _json(path)
        if not isinstance(predictions, dict):
            raise InputError(
                f"`{path.name}` holds no predictions of TAT-QA",
                expected="an object: question id to a list of answer and scale",
            )
        rows = ({"uid": uid, "prediction": one} for uid, one in predictions.items())
        return _built(path, ANSWERS.table, rows, lambda row, _: _tatqa_answer(row, stated), reader)
    return read_rows(
        path, ANSWERS.table, lambda row, line: native.answer_of(row, line, stated), renamed, reader
    )


def _slidevqa_question(row: Row, line: int | None, stated: Stated) -> Question:
    """Return a question of SlideVQA; its evidence pages count from 1, its decks have 20."""
    return native.question_of(
        {
            "question_id": row.get("qa_id"),
            "question": row.get("question"),
            "gold_answers": row.get("answer"),
            "gold_pages": row.get("evidence_pages"),
            "question_type": row.get("reasoning_type"),
            "page_count": _SLIDEVQA_PAGES,
        },
        line,
        Stated(stated.dataset or "SlideVQA"),
    )


def _tatqa(stated: Stated) -> Callable[[Row, int | None], Question]:
    def build(row: Row, line: int | None) -> Question:
        answers = row.get("answer")
        golds = native.texts(answers, "answer")
        scaled = tuple(_scaled(one, row.get("scale")) for one in golds)
        return native.question_of(
            {
                "question_id": row.get("uid"),
                "question": row.get("question"),
                "gold_answers": list(scaled),
                "gold_mode": ALL if len(scaled) > 1 else ANY,
                "question_type": row.get("answer_type"),
            },
            line,
            Stated(stated.dataset or "TAT-QA"),
        )

    return build


def _tatqa_rows(path: Path) -> Iterator[Row]:
    """Yield the questions of TAT-QA's own file, a list of documents with their questions."""
    documents = _json(path)
    if not isinstance(documents, list):
        raise InputError(
            f"`{path.name}` holds no questions of TAT-QA", expected="a list of documents"
        )
    for document in documents:
        questions = document.get("questions") if isinstance(document, dict) else None
        yield from questions if isinstance(questions, list) else [{"question": document}]


def _tatqa_answer(row: Row, stated: Stated) -> Answer:
    """Return an answer of TAT-QA: a text, a number or a list, and the scale beside it."""
    prediction = row["prediction"]
    if not isinstance(prediction, list) or len(prediction) != 2:
        raise FieldError("wrong_type", "a prediction is no pair of answer and scale")
    answers = native.texts(prediction[0], "answer")
    text = ", ".join(_scaled(one, prediction[1]) for one in answers)
    return native.answer_of(
        {"question_id": row["uid"], "answer": text or None},
        None,
        Stated(stated.dataset or "TAT-QA", stated.system_id, stated.setting),
    )


def _scaled(text: str, scale: Any) -> str:
    if scale is not None and scale not in _SCALES:
        raise FieldError("unknown_value", f"scale `{scale}` is none of {', '.join(_SCALES)}")
    return f"{text}{_SCALES[scale or '']}" if text.strip() else text


def _built(
    path: Path, table: str, rows: Any, build: Callable[[Row, int | None], Any], reader: FileReader
) -> list[Any]:
    """Return what `build` makes of rows that have no line; the rest are rejects."""
    built = []
    for row in rows:
        try:
            built.append(build(row, None))
        except (FieldError, AttributeError) as error:
            reason = error.reason if isinstance(error, FieldError) else "not_an_object"
            subject = str(row.get("uid") if isinstance(row, dict) else row)[:200]
            raw = jsonl.dumps(row)[: jsonl.RAW_TEXT_LIMIT]
            reader.reject(table, path, reason, subject, str(error), None, raw)
    return built


def _json(path: Path) -> Any:
    try:
        return jsonl.parse(path.read_bytes())
    except (OSError, jsonl.StrictJsonError) as error:
        raise InputError(f"`{path.name}` cannot be read as JSON", got=str(error)) from None
