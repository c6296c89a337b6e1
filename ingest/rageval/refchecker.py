"""RefChecker's human labels: claims of responses, each labelled by a person.

A response without claims is `abstained`; one whose claims are not all there is `invalid`.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from ingest.csv_files import read_csv
from ingest.land_fields import FieldError, FileReader
from ingest.rageval.imports import ImportedRun
from ingest.row_fields import provenance_of
from warehouse import jsonl
from warehouse.contracts.docqa_values import LABELS
from warehouse.contracts.rageval_judging import JUDGMENTS, STATEMENTS
from warehouse.landing import Row

METRIC = "claims"
JUDGE_ID, JUDGE_KIND = "human", "human"
CLAIM_COLUMNS = (
    "setting",
    "model",
    "id",
    "claim_no",
    "subject",
    "predicate",
    "object",
    "human_label",
)
RESPONSE_COLUMNS = ("setting", "model", "id", "n_claims")

Key = tuple[str, str, str]
"""Setting, model, id of the question."""


@dataclass
class RefcheckerRows:
    """Rows of both files by table."""

    runs: list[Row] = field(default_factory=list)
    answers: list[Row] = field(default_factory=list)
    judgments: list[Row] = field(default_factory=list)
    statements: list[Row] = field(default_factory=list)
    verdicts: list[Row] = field(default_factory=list)


@dataclass(frozen=True)
class _Claim:
    number: int
    text: str
    label: str
    line: int


def read_labels(
    claims: Path, responses: Path, dataset_id: str, reader: FileReader
) -> RefcheckerRows:
    """Read claims and responses; a setting is a run, a model is a system.

    Args:
        claims: one row a claim.
        responses: one row a response, with the number of its claims.
        dataset_id: data set.
        reader: keeps rejects; both files lie in its root.

    Raises:
        InputError: when a file lacks columns.
    """
    by_response = _claims(claims, reader)
    found = RefcheckerRows()
    counts: dict[tuple[str, str], int] = defaultdict(int)
    seen: set[Key] = set()
    for line, row in read_csv(responses, RESPONSE_COLUMNS):
        try:
            key = _key(row)
            if key in seen:
                raise FieldError("duplicate_row", "this response stands twice")
            count = _whole(row, "n_claims")
        except FieldError as error:
            _reject(reader, responses, JUDGMENTS.table, line, row, error)
            continue
        seen.add(key)
        counts[key[:2]] += 1
        run = _run(key, dataset_id, responses)
        found.answers.append(run.answer_row(key[2], None, line) | {"answer_status": "answered"})
        _judge(found, run, key[2], by_response.pop(key, []), count, line, claims)
    for key, orphans in sorted(by_response.items()):
        unknown = FieldError("unknown_response", "these claims are of no response")
        for claim in orphans:
            _reject(reader, claims, STATEMENTS.table, claim.line, {"id": key[2]}, unknown)
    found.runs += [
        _run((*key, ""), dataset_id, responses).run_row(count)
        for key, count in sorted(counts.items())
    ]
    return found


def _judge(
    found: RefcheckerRows,
    run: ImportedRun,
    question_id: str,
    claims: list[_Claim],
    count: int,
    line: int,
    file: Path,
) -> None:
    """Add the judgment of one response with its claims."""
    numbers = sorted(claim.number for claim in claims)
    if numbers != list(range(1, count + 1)):
        status = {"judgment_status": "invalid", "status_reason": "claims are missing or twice"}
        claims = []
    elif count == 0:
        status = {"judgment_status": "abstained", "status_reason": "the response makes no claim"}
    else:
        status = {}
    judgment = run.judgment_row(
        question_id, METRIC, response_count=count, source_line=line, **status
    )
    owner = {"judgment_id": judgment["judgment_id"], "dataset_id": run.dataset_id}
    found.judgments.append(judgment)
    for claim in claims:
        place = {"side": "response", "statement_number": claim.number}
        source = provenance_of(file.name, claim.line)
        found.statements.append({**owner, **place, "statement": claim.text, **source})
        verdict = {
            "premise": "reference",
            "passage_number": 0,
            "label": claim.label,
            "label_source": "human",
        }
        found.verdicts.append({**owner, **place, **verdict, **source})


def _claims(path: Path, reader: FileReader) -> dict[Key, list[_Claim]]:
    claims: dict[Key, list[_Claim]] = defaultdict(list)
    for line, row in read_csv(path, CLAIM_COLUMNS):
        try:
            if row["human_label"] not in LABELS:
                raise FieldError("unknown_label", f"label `{row['human_label']}` is none")
            text = " ".join(row[name] for name in ("subject", "predicate", "object")).strip()
            if not text:
                raise FieldError("blank_field", "the claim is blank")
            claim = _Claim(_whole(row, "claim_no") + 1, text, row["human_label"], line)
        except FieldError as error:
            _reject(reader, path, STATEMENTS.table, line, row, error)
        else:
            claims[_key(row)].append(claim)
    return claims


def _key(row: dict[str, str]) -> Key:
    for name in ("setting", "model", "id"):
        if not row[name]:
            raise FieldError("blank_field", f"field `{name}` is blank")
    return row["setting"], row["model"], row["id"]


def _whole(row: dict[str, str], name: str) -> int:
    text = row[name]
    if not (text.isascii() and text.isdigit()):
        raise FieldError("wrong_type", f"field `{name}` is no count but `{text}`")
    return int(text)


def _run(key: Key, dataset_id: str, file: Path) -> ImportedRun:
    return ImportedRun(dataset_id, key[0], key[1], JUDGE_ID, JUDGE_KIND, file.name)


def _reject(
    reader: FileReader,
    path: Path,
    table: str,
    line: int,
    row: dict[str, str],
    error: FieldError,
) -> None:
    subject = str(row.get("id") or f"line {line}")
    reader.reject(table, path, error.reason, subject, str(error), line, jsonl.dumps(row))
