"""Public per-prompt records: `prompt_scores.jsonl`, one prompt a line with a map of models.

A record is landed as it stands or set aside; nothing is filled in. A pair without a record has
no row, and the landing gate tells which pairs those are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ingest import land_fields as fields
from ingest.land_fields import FieldError, FileReader
from ingest.searchgen.model_registry import Model, Release
from ingest.searchgen.prompts import (
    PromptRules,
    Prompts,
    finished,
    prompt_row,
)
from ingest.searchgen.results import Results
from warehouse import jsonl
from warehouse.contracts.searchgen import PROMPT_SCORES
from warehouse.contracts.searchgen_values import (
    COMPONENTS,
    RAW_MAXIMUM,
    RAW_MINIMUM,
    SCORED,
    STATUSES,
)
from warehouse.landing import Row, keep_unique

TABLE = PROMPT_SCORES.table
_MAX_REASON = 300


@dataclass(frozen=True)
class PromptScores:
    """What a file of public records holds."""

    prompts: Prompts
    results: Results


@dataclass
class PromptScoreFile:
    """Reads one file of public records.

    Attributes:
        reader: reads the file and keeps rejects.
        path: the file.
        release: models that its records belong to.
        rules: how the prompt of a line is read.
    """

    reader: FileReader
    path: Path
    release: Release
    rules: PromptRules
    _rows: list[Row] = field(default_factory=list)

    def read(self) -> PromptScores:
        """Return prompts and records; lines and records that cannot be landed are rejects."""
        prompts = self.reader.rows(self.path, "searchgen/prompts", self._line, "sample_id")
        kept = finished(self.reader, prompts, self.rules, {})
        ids = {row["sample_id"] for row in kept.rows}
        rows = keep_unique(PROMPT_SCORES, self._rows, self.reader.log, subject="sample_id")
        # A prompt that stands twice is set aside with its records: neither copy is the right one.
        return PromptScores(kept, Results([one for one in rows if one["sample_id"] in ids], [], []))

    def _line(self, line: Row, number: int) -> Row:
        prompt = prompt_row(line, number, self.reader.relative(self.path), self.rules)
        models = line.get("models")
        if not isinstance(models, dict):
            raise FieldError("wrong_type", "field `models` is no object of records by model")
        for name, record in [*models.items(), *_other_lanes(line)]:
            try:
                self._rows.append(self._record(prompt, name, record))
            except FieldError as error:
                subject = f"{prompt['sample_id']}/{name}"[:200]
                raw = jsonl.dumps(record)[: jsonl.RAW_TEXT_LIMIT]
                self.reader.reject(TABLE, self.path, error.reason, subject, str(error), number, raw)
        return prompt

    def _record(self, prompt: Row, name: str, record: Any) -> Row:
        if not isinstance(record, dict):
            raise FieldError("wrong_type", f"the record of `{name}` is no object")
        model = self._model(name)
        status = fields.choice(fields.text(record, "status"), STATUSES, "status")
        reason = fields.optional_text(record, "status_reason")
        return {
            "run_id": prompt["run_id"],
            "dataset_id": prompt["dataset_id"],
            "sample_id": prompt["sample_id"],
            "source_id": model.source_id,
            "lane": fields.text(record, "lane", default=model.lane),
            "status": status,
            "status_reason": _reason(reason) if status != SCORED else None,
            **_components(record, status),
            "stated_overall_9": _score(record, "overall_9_raw"),
            "stated_overall_10": _score(record, "overall_10_raw"),
            "evaluation_sha256": fields.optional_text(record, "evaluation_sha256"),
            "source_file": prompt["source_file"],
            "source_line": prompt["source_line"],
        }

    def _model(self, name: str) -> Model:
        model = self.release.find(name)
        if model is None:
            known = ", ".join(one.source_id for one in self.release.models)
            raise FieldError("unknown_model", f"`{name}` is none of {known}"[:1000])
        return model


def _other_lanes(line: Row) -> Iterator[tuple[str, Any]]:
    """Yield the records of lanes that no board shows, by the name of their model."""
    others = line.get("other_lanes")
    if others is None:
        return
    if not isinstance(others, list) or not all(isinstance(one, dict) for one in others):
        raise FieldError("wrong_type", "field `other_lanes` is no list of records")
    for one in others:
        yield fields.text(one, "source_id"), one


def _components(record: Row, status: str) -> Row:
    """Return the ten components of a record, all None unless it is scored."""
    stated = fields.mapping(record, "components_raw_0to3")
    unknown = sorted(set(stated) - set(COMPONENTS))
    if unknown:
        raise FieldError("unknown_component", f"`{unknown[0]}` is no component")
    absent = [name for name in COMPONENTS if name not in stated]
    if status == SCORED and absent:
        # Null says that a component does not apply; that it is not there says nothing.
        raise FieldError("missing_component", f"component `{absent[0]}` is neither score nor null")
    values = {name: _score(stated, name) for name in COMPONENTS}
    if status != SCORED and any(value is not None for value in values.values()):
        raise FieldError("score_without_evaluation", f"a record that is {status} has a score")
    return values


def _score(record: Row, name: str) -> float | None:
    value = fields.optional_number(record, name)
    if value is not None and not RAW_MINIMUM <= value <= RAW_MAXIMUM:
        raise FieldError("out_of_range", f"`{name}` is {value:g}, not 0 to 3")
    return value


def _reason(text: str | None) -> str:
    shown = "".join(one if one.isprintable() else " " for one in text or "stated")
    return shown[:_MAX_REASON]
