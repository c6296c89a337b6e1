"""What people prefer: two answers to one question, compared, beside what metrics give both.

One row a pair. `m1_<metric>` and `m2_<metric>` are what a metric gives the first and the second
answer, `<annotator>_<aspect>` what a person says: positive where the second answer is better.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ingest.csv_files import read_csv
from ingest.land_fields import FieldError, FileReader
from ingest.row_fields import provenance_of
from warehouse import jsonl
from warehouse.contracts.rageval_judging import PAIR_SCORES, PREFERENCES
from warehouse.errors import InputError
from warehouse.landing import Row, keep_unique

PAIR_COLUMNS = ("pair_no", "model1", "model2")
_FIRST, _SECOND = "m1_", "m2_"
# Columns that say what a pair is.
_ABOUT = frozenset({*PAIR_COLUMNS, "dataset", "query_id"})
_UNDEFINED = ("", "nan")


@dataclass
class PreferenceRows:
    """Rows of one file by table."""

    preferences: list[Row] = field(default_factory=list)
    scores: list[Row] = field(default_factory=list)


def read_preferences(
    path: Path, dataset_id: str, preference_set: str, reader: FileReader
) -> PreferenceRows:
    """Read a file of preferences.

    Args:
        path: the CSV file.
        dataset_id: data set.
        preference_set: name of the set.
        reader: keeps rejects. A pair is taken whole or not at all.

    Raises:
        InputError: when the header names no metric of both answers, or no annotator.
    """
    rows = read_csv(path, PAIR_COLUMNS)
    names = list(rows[0][1]) if rows else []
    metrics = [
        name.removeprefix(_FIRST)
        for name in names
        if name.startswith(_FIRST) and _SECOND + name.removeprefix(_FIRST) in names
    ]
    scores = {side + metric for metric in metrics for side in (_FIRST, _SECOND)}
    voices = [name for name in names if name not in scores | _ABOUT and "_" in name]
    if not metrics or not voices:
        raise InputError(
            f"`{path.name}` compares nothing",
            expected="m1_<metric> and m2_<metric>, and <annotator>_<aspect>",
            got=", ".join(names) or "no rows",
        )
    found = PreferenceRows()
    common = {"dataset_id": dataset_id, "preference_set": preference_set}
    for line, row in rows:
        source = provenance_of(path.name, line)
        try:
            pair = {**common, "pair_id": _text(row, "pair_no")}
            said = [{**pair, **one, **source} for one in _said(row, voices)]
            scored = [{**pair, **one, **source} for one in _scored(row, metrics)]
        except FieldError as error:
            subject = row["pair_no"] or f"line {line}"
            raw = jsonl.dumps(row)
            reader.reject(PREFERENCES.table, path, error.reason, subject, str(error), line, raw)
            continue
        found.preferences += said
        found.scores += scored
    found.preferences = keep_unique(PREFERENCES, found.preferences, reader.log, subject="pair_id")
    found.scores = keep_unique(PAIR_SCORES, found.scores, reader.log, subject="pair_id")
    return found


def _said(row: dict[str, str], voices: list[str]) -> Iterator[Row]:
    """Yield what each annotator says; an empty field is one that says nothing."""
    for name in voices:
        annotator, _, aspect = name.partition("_")
        value = _number(row, name)
        if value is not None:
            yield {"annotator": annotator, "aspect": aspect, "preference": value}


def _scored(row: dict[str, str], metrics: list[str]) -> Iterator[Row]:
    for metric in metrics:
        yield {
            "metric": metric,
            "first_system_id": _text(row, "model1"),
            "second_system_id": _text(row, "model2"),
            "first_score": _number(row, _FIRST + metric),
            "second_score": _number(row, _SECOND + metric),
        }


def _text(row: dict[str, str], name: str) -> str:
    if not row[name]:
        raise FieldError("blank_field", f"field `{name}` is blank")
    return row[name]


def _number(row: dict[str, str], name: str) -> float | None:
    """Return a number; nothing and NaN are None, which is not zero."""
    text = row[name]
    if text.lower() in _UNDEFINED:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.inf
    # float() also takes 1_000, which no writer of numbers means.
    if not math.isfinite(value) or "_" in text:
        raise FieldError("wrong_type", f"field `{name}` is no finite number but `{text}`"[:200])
    return value
