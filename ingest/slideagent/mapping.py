"""mapping.yml: what other people call the fields of questions and answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ingest.strict_yaml import read_yaml
from warehouse.errors import InputError

FIELDS = {
    "questions": (
        "dataset",
        "question_id",
        "question",
        "gold_answers",
        "gold_mode",
        "gold_pages",
        "question_type",
        "page_count",
        "is_numeric",
    ),
    "answers": ("dataset", "question_id", "system_id", "setting", "answer", "pages"),
}


@dataclass(frozen=True)
class Mapping:
    """Names in the files by names of ours."""

    questions: dict[str, str] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)

    def as_record(self) -> dict[str, Any]:
        """Return the mapping as JSON values."""
        return {"questions": self.questions, "answers": self.answers}


def read_mapping(path: Path) -> Mapping:
    """Read a mapping.

    Raises:
        InputError: when it is no YAML, or names a part or a field that there is not.
    """
    content, _ = read_yaml(path)
    for part, renamed in content.items():
        if part not in FIELDS or not isinstance(renamed, dict):
            raise InputError(
                f"`{path.name}` has a part `{part}`", expected="questions, answers, each a mapping"
            )
        for ours, theirs in renamed.items():
            if ours not in FIELDS[part] or not isinstance(theirs, str):
                raise InputError(
                    f"`{path.name}` maps `{ours}` of {part}",
                    expected=f"one of {', '.join(FIELDS[part])}, to the name of a field",
                    got=f"{ours}: {theirs}",
                )
    return Mapping(dict(content.get("questions", {})), dict(content.get("answers", {})))
