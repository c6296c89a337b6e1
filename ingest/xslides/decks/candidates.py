"""What an import finds before it knows which deck it is: a file, and what speaks for a case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from warehouse import jsonl

MAX_JSON_BYTES = 4 * 1024 * 1024
MAX_FACT_CHARS = 200
DECK_SUFFIXES = (".pptx", ".pdf")


@dataclass(frozen=True)
class Candidate:
    """One deck that a tool made, or one that it failed to make.

    Attributes:
        path: the file; None when the tool made none.
        unit: what a mapping names it by: its session or run folder, else the file itself,
            relative to the imported folder.
        layout: the layout that it was found by.
        folders: folders that name system, condition, audience and case; None where a layout
            has no such folders.
        names: names that may be a case label.
        source_hashes: SHA-256 of documents that the deck was made of.
        prompt: what the tool was asked, word for word.
        system: the system that the layout tells.
        failure: why there is no file; empty when there is one.
        facts: what else the workspace says, for the record of the import.
    """

    path: Path | None
    unit: str
    layout: str
    folders: tuple[str, ...] | None = None
    names: tuple[str, ...] = ()
    source_hashes: frozenset[str] = frozenset()
    prompt: str = ""
    system: str | None = None
    failure: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


def read_foreign_json(path: Path) -> Any:
    """Return the value in a JSON file of another tool, or None when it cannot be read."""
    try:
        if path.is_symlink() or path.stat().st_size > MAX_JSON_BYTES:
            return None
        return jsonl.parse(path.read_bytes().removeprefix(b"\xef\xbb\xbf"))
    except (OSError, jsonl.StrictJsonError):
        return None


def fact(value: Any) -> str | int | bool | None:
    """Return a foreign value as a short printable one."""
    if value is None or isinstance(value, bool | int):
        return value
    text = value if isinstance(value, str) else jsonl.dumps(value)
    return "".join(one if one.isprintable() else " " for one in text)[:MAX_FACT_CHARS]
