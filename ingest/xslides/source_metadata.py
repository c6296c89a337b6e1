"""`source_metadata.json`: what a case is, and which audiences it is meant for."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ingest.judge.exchange import AudienceProfile
from ingest.xslides.tree import ArtifactTree
from warehouse import jsonl
from warehouse.errors import UsageError

UNSTATED = "unstated"
SELECTORS = ("case", "scene", "category", "topic")


@dataclass(frozen=True)
class SourceMetadata:
    """One case.

    Attributes:
        case_label: folder name of the case.
        case_id: id of the source document; the label when nothing else is stated.
        valid_audiences: audiences that the case is meant for; None means all.
        fields: all fields of the file as they stand, known and unknown.
    """

    case_label: str
    case_id: str
    title: str
    scene: str
    valid_audiences: tuple[str, ...] | None
    fields: dict[str, Any] = field(default_factory=dict)

    def active(self, configured: Iterable[AudienceProfile]) -> tuple[AudienceProfile, ...]:
        """Return the configured audiences that the case is meant for, in configured order."""
        return tuple(
            profile
            for profile in configured
            if self.valid_audiences is None or profile.audience in self.valid_audiences
        )

    def value(self, name: str) -> str | None:
        """Return a selecting field: `case`, `scene`, `category`, `topic`."""
        if name == "case":
            return self.case_label
        if name == "scene":
            return self.scene
        inner = self.fields.get("metadata")
        found = self.fields.get(name, inner.get(name) if isinstance(inner, dict) else None)
        return None if found is None else str(found)


def parse_metadata(case_label: str, fields: dict[str, Any]) -> SourceMetadata:
    """Read metadata fields, with the defaults of the benchmark for what is absent.

    Raises:
        ValueError: when a known field has the wrong type.
    """
    texts = {}
    for name, default in (("case_id", case_label), ("title", case_label), ("scene", UNSTATED)):
        value = fields.get(name)
        value = default if value is None or value == "" else value
        if not isinstance(value, str):
            raise ValueError(f"`{name}` is not a text")
        texts[name] = unicodedata.normalize("NFC", value)
    valid = fields.get("valid_audiences")
    if valid is not None and not (
        isinstance(valid, list) and all(isinstance(name, str) for name in valid)
    ):
        raise ValueError("`valid_audiences` is not a list of texts")
    audiences = None if valid is None else tuple(valid)
    return SourceMetadata(case_label, valid_audiences=audiences, fields=fields, **texts)


def read_metadata(path: Path, case_label: str) -> SourceMetadata:
    """Read one metadata file; an absent file gives the defaults.

    Raises:
        ValueError: when the file is no JSON object or a known field has the wrong type.
    """
    if not path.is_file():
        return parse_metadata(case_label, {})
    try:
        return parse_metadata(case_label, jsonl.read_json(path))
    except OSError as error:
        raise ValueError(str(error)) from None


def selected_cases(tree: ArtifactTree, select: Sequence[str]) -> list[SourceMetadata]:
    """Return the cases of a tree that match every selector, sorted by label.

    Selectors of one field are alternatives, selectors of different fields must all hold.
    A case whose metadata cannot be read counts with its defaults; the sources stage has
    a finding for it.

    Raises:
        UsageError: when a selector is not `field:value` with a field out of `SELECTORS`.
    """
    wanted: dict[str, set[str]] = {}
    for text in select:
        name, colon, value = text.partition(":")
        if not colon or name not in SELECTORS:
            raise UsageError(
                f"selector `{text}` is not known",
                expected=", ".join(f"{name}:VALUE" for name in SELECTORS),
            )
        wanted.setdefault(name, set()).add(unicodedata.normalize("NFC", value))
    cases = [_read_or_default(tree, label) for label in tree.case_labels()]
    return [
        case for case in cases if all(case.value(name) in values for name, values in wanted.items())
    ]


def _read_or_default(tree: ArtifactTree, label: str) -> SourceMetadata:
    try:
        return read_metadata(tree.source_metadata(label), label)
    except ValueError:
        return parse_metadata(label, {})
