"""RAGChecker's files: answers with their passages, and the labels of their claims if judged.

A result is taken whole or not at all: labels that are missing, too many or unknown make its
judgment `invalid`, where the tool itself would fill in Neutral or cut them off in silence.
Source: reference of the tool's formats, release 6091f08 (files of both key spellings).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ingest import land_fields as fields
from ingest.land_fields import FieldError, FileReader
from ingest.rageval.imports import ImportedRun
from ingest.rageval.ragchecker_metrics import published_rows
from ingest.row_fields import provenance_of
from warehouse import jsonl
from warehouse.contracts.docqa_values import LABELS
from warehouse.contracts.rageval_judging import JUDGMENTS
from warehouse.contracts.rageval_runs import ANSWERS
from warehouse.errors import InputError
from warehouse.landing import Row

METRIC = "ragchecker"
_CLAIMS = {"response": "response_claims", "reference": "gt_answer_claims"}
# Side, premise, and the field that holds their labels.
_OWN_LABELS = (
    ("response", "reference", "answer2response"),
    ("reference", "response", "response2answer"),
)
_PASSAGE_LABELS = (("response", "retrieved2response"), ("reference", "retrieved2answer"))
_JUDGED = (
    *_CLAIMS.values(),
    *(name for *_, name in _OWN_LABELS),
    *(name for _, name in _PASSAGE_LABELS),
)


@dataclass
class RagcheckerRows:
    """Rows of one file by table."""

    questions: list[Row] = field(default_factory=list)
    answers: list[Row] = field(default_factory=list)
    contexts: list[Row] = field(default_factory=list)
    judgments: list[Row] = field(default_factory=list)
    statements: list[Row] = field(default_factory=list)
    verdicts: list[Row] = field(default_factory=list)
    published: list[Row] = field(default_factory=list)


def read_results(
    path: Path, run: ImportedRun, question_set: str, reader: FileReader
) -> RagcheckerRows:
    """Read an input or output file of RAGChecker.

    Args:
        path: the file.
        run: which system of which run it holds.
        question_set: name of the landing unit, which its questions stand under.
        reader: keeps rejects.

    Raises:
        InputError: when the file holds no list of results.
    """
    try:
        content = jsonl.read_json(path)
    except jsonl.StrictJsonError as error:
        raise InputError(f"`{path.name}` cannot be read as JSON", got=str(error)) from None
    results = content.get("results")
    if not isinstance(results, list) or not results:
        raise InputError(
            f"`{path.name}` holds no results of RAGChecker",
            expected="an object with a list `results` that is not empty",
            got=", ".join(map(repr, content)) or "an empty object",
        )
    found = RagcheckerRows()
    for number, result in enumerate(results, start=1):
        try:
            _add_result(found, result, run, question_set)
        except FieldError as error:
            _reject(reader, path, ANSWERS.table, result, number, error)
            continue
        try:
            _add_judgment(found, result, run)
        except FieldError as error:
            _reject(reader, path, JUDGMENTS.table, result, number, error)
            found.judgments.append(
                run.judgment_row(
                    _query_id(result),
                    METRIC,
                    judgment_status="invalid",
                    status_reason=error.reason,
                    passage_count=len(result["retrieved_context"]),
                )
            )
    found.published += published_rows(content.get("metrics"), "", "percent", run)
    return found


def _add_result(found: RagcheckerRows, result: Any, run: ImportedRun, question_set: str) -> None:
    """Add question, answer and passages of one result, all of them or none."""
    if not isinstance(result, dict):
        raise FieldError("wrong_type", f"a result is no object but {fields.kind(result)}")
    question_id = _query_id(result)
    reference = fields.optional_text(result, "gt_answer")
    answer = run.answer_row(question_id, fields.optional_text(result, "response"))
    contexts = [
        _context_row(run, question_id, number, passage)
        for number, passage in enumerate(_list(result, "retrieved_context"), start=1)
    ]
    metrics = published_rows(result.get("metrics"), question_id, "share", run)
    question = {
        "dataset_id": run.dataset_id,
        "question_id": question_id,
        "question_set": question_set,
        "question": fields.text(result, "query"),
        "background": None,
        "history": [],
        "gold_answers": [] if reference is None else [reference],
        "modality": None,
        "question_type": None,
        **provenance_of(run.source_file),
    }
    if any(one["question_id"] == question_id for one in found.answers):
        raise FieldError("duplicate_row", f"query_id `{question_id}` stands twice")
    found.questions.append(question)
    found.answers.append(answer)
    found.contexts += contexts
    found.published += metrics


def _context_row(run: ImportedRun, question_id: str, number: int, passage: Any) -> Row:
    if not isinstance(passage, dict):
        raise FieldError("wrong_type", f"passage {number} is no object")
    return {
        **run.key,
        "question_id": question_id,
        "passage_number": number,
        "chunk_id": None,
        "document_id": fields.optional_text(passage, "doc_id"),
        "first_page": None,
        "last_page": None,
        "text": fields.text(passage, "text"),
        "image_count": 0,
        "token_count": None,
        "is_cut": False,
        **provenance_of(run.source_file),
    }


def _add_judgment(found: RagcheckerRows, result: Mapping[str, Any], run: ImportedRun) -> None:
    """Add the judgment of one result with its statements and verdicts, if it was judged."""
    there = [name for name in _JUDGED if result.get(name) is not None]
    if not there:
        return
    if len(there) < len(_JUDGED):
        absent = ", ".join(sorted(set(_JUDGED) - set(there)))
        raise FieldError("labels_missing", f"`{there[0]}` is there, and these are not: {absent}")
    question_id = _query_id(result)
    claims = {side: _claims(result, name) for side, name in _CLAIMS.items()}
    passage_count = len(result["retrieved_context"])
    status = {} if claims["response"] else _abstained()
    judgment = run.judgment_row(
        question_id,
        METRIC,
        reference_count=len(claims["reference"]),
        response_count=len(claims["response"]),
        passage_count=passage_count,
        **status,
    )
    owner = {"judgment_id": judgment["judgment_id"], "dataset_id": run.dataset_id}
    source = provenance_of(run.source_file)
    verdicts = [
        {**owner, **verdict, "label_source": "imported", **source}
        for verdict in _verdicts(result, claims, passage_count)
    ]
    found.judgments.append(judgment)
    found.verdicts += verdicts
    found.statements += [
        {**owner, "side": side, "statement_number": number, "statement": text, **source}
        for side, texts in claims.items()
        for number, text in enumerate(texts, start=1)
    ]


def _abstained() -> Row:
    return {"judgment_status": "abstained", "status_reason": "the response makes no claim"}


def _verdicts(
    result: Mapping[str, Any], claims: Mapping[str, Sequence[str]], passage_count: int
) -> Iterator[Row]:
    for side, premise, name in _OWN_LABELS:
        for number, label in enumerate(_labels(result[name], name, len(claims[side])), start=1):
            yield _verdict(side, number, premise, 0, label)
    for side, name in _PASSAGE_LABELS:
        rows = result[name]
        if not isinstance(rows, list) or len(rows) != len(claims[side]):
            raise FieldError("label_count", f"`{name}` has not one row for each claim")
        for number, row in enumerate(rows, start=1):
            for passage, label in enumerate(_labels(row, name, passage_count), start=1):
                yield _verdict(side, number, "passage", passage, label)


def _verdict(side: str, number: int, premise: str, passage: int, label: str) -> Row:
    return {
        "side": side,
        "statement_number": number,
        "premise": premise,
        "passage_number": passage,
        "label": label,
    }


def _labels(labels: Any, name: str, count: int) -> list[str]:
    if not isinstance(labels, list) or len(labels) != count:
        got = len(labels) if isinstance(labels, list) else fields.kind(labels)
        raise FieldError("label_count", f"`{name}` should have {count} labels, and has {got}")
    for label in labels:
        if label not in LABELS:
            raise FieldError("unknown_label", f"`{name}` has a label {label!r}"[:200])
    return labels


def _claims(result: Mapping[str, Any], name: str) -> list[str]:
    """Return claims as text; the parts of a triple are joined by blanks."""
    claims = []
    for number, claim in enumerate(_list(result, name), start=1):
        parts = [claim] if isinstance(claim, str) else claim
        if not isinstance(parts, list) or not all(isinstance(one, str) for one in parts):
            raise FieldError("wrong_type", f"claim {number} of `{name}` is neither text nor triple")
        text = " ".join(one.strip() for one in parts).strip()
        if not text:
            raise FieldError("blank_field", f"claim {number} of `{name}` is blank")
        claims.append(text)
    return claims


def _query_id(result: Mapping[str, Any]) -> str:
    """Return the id of a query; the tool writes numbers and texts."""
    value = result.get("query_id")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return fields.label(dict(result), "query_id")


def _list(result: Mapping[str, Any], name: str) -> list[Any]:
    value = result.get(name)
    if not isinstance(value, list):
        raise FieldError("wrong_type", f"field `{name}` is no list but {fields.kind(value)}")
    return value


def _reject(
    reader: FileReader, path: Path, table: str, result: Any, number: int, error: FieldError
) -> None:
    raw = jsonl.dumps(result)[: jsonl.RAW_TEXT_LIMIT]
    named = result.get("query_id") if isinstance(result, dict) else None
    subject = str(named if named is not None else f"result {number}")[:200]
    reader.reject(table, path, error.reason, subject, str(error), None, raw)
