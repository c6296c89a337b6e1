"""Typed fields out of JSON rows: the stable fields strictly, the rest kept as JSON text."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from ingest.documents.words import normalize_tokens
from warehouse import jsonl
from warehouse.identity import normalize_label
from warehouse.jsonl import StrictJsonError
from warehouse.landing import Reject, RejectLog, Row

_MISSING = object()


class FieldError(ValueError):
    """A field that cannot be landed; `reason` is a stable code."""

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        super().__init__(message)


def text(row: Row, name: str, *, default: str | None = None) -> str:
    """Return a text field that must not be blank; a default makes it optional."""
    value = row.get(name, _MISSING)
    if (value is _MISSING or value is None) and default is not None:
        return default
    if value is _MISSING or value is None:
        raise FieldError("missing_field", f"field `{name}` is missing")
    if not isinstance(value, str):
        raise FieldError("wrong_type", f"field `{name}` is no text but {kind(value)}")
    if not value.strip():
        raise FieldError("blank_field", f"field `{name}` is blank")
    return value


def label(row: Row, name: str) -> str:
    """Return a text field that serves as a key, in NFC."""
    return normalize_label(text(row, name))


def optional_text(row: Row, name: str) -> str | None:
    """Return a text field, or None when it is absent, null or blank."""
    value = row.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise FieldError("wrong_type", f"field `{name}` is no text but {kind(value)}")
    return value if value.strip() else None


def number(row: Row, name: str) -> float:
    """Return a finite number field; a number written as text is refused."""
    value = optional_number(row, name)
    if value is None:
        raise FieldError("missing_field", f"field `{name}` is missing")
    return value


def optional_number(row: Row, name: str) -> float | None:
    """Return a finite number field, or None when it is absent or null."""
    value = row.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FieldError("wrong_type", f"field `{name}` is no number but {kind(value)}")
    if not math.isfinite(value):
        raise FieldError("non_finite_number", f"field `{name}` is not finite")
    return float(value)


def optional_integer(row: Row, name: str) -> int | None:
    """Return an integer field, or None; 3.0 is an integer, 3.5 is refused."""
    value = optional_number(row, name)
    if value is None:
        return None
    if value != int(value):
        raise FieldError("wrong_type", f"field `{name}` is no integer but {value}")
    return int(row[name])


def boolean(row: Row, name: str) -> bool:
    """Return a field that is true or false; 1 and "true" are refused."""
    value = row.get(name, _MISSING)
    if value is _MISSING or value is None:
        raise FieldError("missing_field", f"field `{name}` is missing")
    if not isinstance(value, bool):
        raise FieldError("wrong_type", f"field `{name}` is no boolean but {kind(value)}")
    return value


def mapping(row: Row, name: str) -> dict[str, Any]:
    """Return an object field, or an empty one when it is absent or null."""
    value = row.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise FieldError("wrong_type", f"field `{name}` is no object but {kind(value)}")
    return value


def choice(value: str, allowed: Collection[str], name: str) -> str:
    """Return a value of a closed set."""
    if value not in allowed:
        raise FieldError("unknown_value", f"field `{name}` is `{value}`, not one of {allowed}")
    return value


def json_text(value: Any) -> str | None:
    """Return a value as canonical JSON text; None for nothing."""
    return None if value in (None, {}, []) else jsonl.canonical(value)


def tokens(value: str | None) -> str:
    """Return the normalised words of a text, blank padded, for phrase rules in SQL."""
    words = normalize_tokens(value or "")
    return f" {' '.join(words)} " if words else " "


def kind(value: Any) -> str:
    """Return the JSON name of a value's type."""
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a text"
    return "a list" if isinstance(value, list) else "an object"


class FileReader:
    """Reads the files of one landing unit and turns what is wrong with them into rejects."""

    def __init__(self, root: Path, log: RejectLog) -> None:
        self.root = root
        self.log = log
        self._prefix = f"{root.as_posix().rstrip('/')}/"

    def relative(self, path: Path) -> str:
        """Return a path below the data root with forward slashes."""
        # Thousands of files are named so; pathlib would take longer than reading them does.
        text = path.as_posix()
        if text.startswith(self._prefix):
            return text[len(self._prefix) :]
        return path.relative_to(self.root).as_posix()

    def document(self, path: Path, table: str) -> dict[str, Any] | None:
        """Return a JSON document, or None after a reject when it is torn or no object."""
        try:
            return jsonl.read_json(path)
        except StrictJsonError as error:
            self.reject(table, path, error.reason, path.name, str(error))
        except OSError as error:
            self.reject(table, path, "unreadable_file", path.name, str(error))
        return None

    def rows(
        self, path: Path, table: str, build: Callable[[Row, int], Row], subject: str
    ) -> list[Row]:
        """Return the rows of a JSON Lines file that `build` accepts; the rest are rejects.

        Args:
            path: the file.
            table: landing table that the rows are meant for.
            build: makes a landing row of an object and its line, or raises FieldError.
            subject: field that names a row in its reject.
        """
        try:
            content = jsonl.read_jsonl(path)
        except OSError as error:
            self.reject(table, path, "unreadable_file", path.name, str(error))
            return []
        for bad in content.rejects:
            self.reject(
                table, path, bad.reason, _guess(bad.raw, subject), bad.message, bad.line, bad.raw
            )
        built = []
        for one in content.rows:
            try:
                built.append(build(one.value, one.line))
            except FieldError as error:
                raw = jsonl.dumps(one.value)[: jsonl.RAW_TEXT_LIMIT]
                who = str(one.value.get(subject) or f"line {one.line}")
                self.reject(table, path, error.reason, who, str(error), one.line, raw)
        return built

    def reject(
        self,
        table: str,
        path: Path,
        reason: str,
        subject: str,
        message: str,
        line: int | None = None,
        raw: str | None = None,
    ) -> None:
        """Keep one reject about a file or a line of it."""
        self.log.add(Reject(table, reason, subject, message, self.relative(path), line, raw))


def _guess(raw: str, field: str) -> str:
    """Return the id that a torn line seems to carry, for the message alone."""
    _, found, rest = raw.partition(f'"{field}"')
    parts = rest.split('"') if found else []
    return parts[1][:100] if len(parts) > 2 else "unknown"
