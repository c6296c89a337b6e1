"""Strict JSON and JSON Lines: every malformed row has one named outcome.

Engines disagree on dirty rows: some keep a torn line as a row of NULLs, some keep the
first of two equal keys and some the last, some read NaN. Here a line is either one JSON
value without any of that, or a reject with its line number, a reason and its raw text.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warehouse import storage

MAX_DEPTH = 64
MAX_LINE_BYTES = 16 * 1024 * 1024
MAX_FILE_BYTES = 4 * 1024 * 1024 * 1024
RAW_TEXT_LIMIT = 2000
_UTF8_BOM = b"\xef\xbb\xbf"


class StrictJsonError(ValueError):
    """A JSON text that is not accepted; `reason` is a stable code."""

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        super().__init__(message)


@dataclass(frozen=True)
class JsonRow:
    """One accepted line: 1-based `line` and its parsed object."""

    line: int
    value: dict[str, Any]


@dataclass(frozen=True)
class JsonReject:
    """One refused line: 1-based `line`, reason code, message, raw text (cut)."""

    line: int
    reason: str
    message: str
    raw: str


@dataclass(frozen=True)
class JsonlContent:
    """What a JSON Lines file holds: accepted rows and rejects, both in file order."""

    rows: list[JsonRow]
    rejects: list[JsonReject]


def parse(text: str | bytes) -> Any:
    """Parse one JSON text strictly.

    Raises:
        StrictJsonError: with reason `invalid_utf8`, `invalid_json`, `duplicate_key`,
            `non_finite_number`, `integer_out_of_range`, `lone_surrogate`, `nul_character`
            or `too_deep`.
    """
    is_decoded = isinstance(text, bytes)
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise StrictJsonError("invalid_utf8", f"not UTF-8: {error.reason}") from None
    try:
        value = _DECODER.decode(text)
    except StrictJsonError:
        raise
    except RecursionError:
        raise StrictJsonError("too_deep", f"nested deeper than {MAX_DEPTH}") from None
    except ValueError as error:
        raise StrictJsonError("invalid_json", str(error)) from None
    # From bytes only an escape makes half of a pair or U+0000, and only brackets nest.
    if not is_decoded or "\\u" in text or text.count("{") + text.count("[") > MAX_DEPTH:
        _check_tree(value, depth=0)
    return value


def read_json(path: Path) -> dict[str, Any]:
    """Read a file that holds one JSON object.

    Raises:
        StrictJsonError: as `parse`, or with reason `not_an_object` or `too_large`.
        OSError: when the file cannot be read.
    """
    if path.stat().st_size > MAX_LINE_BYTES:
        raise StrictJsonError("too_large", f"more than {MAX_LINE_BYTES} bytes")
    value = parse(path.read_bytes().removeprefix(_UTF8_BOM))
    if not isinstance(value, dict):
        raise StrictJsonError("not_an_object", "the file does not hold a JSON object")
    return value


def read_jsonl(path: Path) -> JsonlContent:
    """Read a JSON Lines file; nothing is dropped without a reject.

    A byte order mark is skipped, CRLF and LF end a line, U+2028 does not, blank lines
    are no rows. A last line without an end is read like any other: it is a reject only
    when it is torn. Each line must hold an object.

    Raises:
        OSError: when the file cannot be read.
    """
    rows: list[JsonRow] = []
    rejects: list[JsonReject] = []
    for number, raw in enumerate(_lines(path), start=1):
        line = raw.strip(b" \t\r\n")
        if not line:
            continue
        try:
            if len(line) > MAX_LINE_BYTES:
                raise StrictJsonError("too_large", f"more than {MAX_LINE_BYTES} bytes")
            value = parse(line)
            if not isinstance(value, dict):
                raise StrictJsonError("not_an_object", "the line is no JSON object")
        except StrictJsonError as error:
            reason = error.reason
            if reason == "invalid_json" and not raw.endswith(b"\n"):
                reason = "torn_line"
            rejects.append(JsonReject(number, reason, str(error), raw_text(line)))
        else:
            rows.append(JsonRow(number, value))
    return JsonlContent(rows, rejects)


def dumps(value: Any, *, indent: int | None = None) -> str:
    """Serialise to JSON that every strict reader takes (no NaN, UTF-8 text kept)."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)


def canonical(value: Any) -> str:
    """Serialise to one form per value (sorted keys, no spaces): the text that ids hash."""
    return json.dumps(
        value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
    )


def published_document(value: Any) -> bytes:
    """Return a JSON document as public releases have it: two spaces, sorted keys, ASCII."""
    return (json.dumps(value, indent=2, sort_keys=True, allow_nan=False) + "\n").encode("ascii")


def published_lines(values: Iterable[Any]) -> bytes:
    """Return JSON Lines as public releases have them: sorted keys, no spaces, ASCII."""
    texts = (
        json.dumps(value, sort_keys=True, allow_nan=False, separators=(",", ":")) + "\n"
        for value in values
    )
    return "".join(texts).encode("ascii")


def write_json(path: Path, value: Any) -> None:
    """Write one JSON document atomically, indented, with a final line feed."""
    storage.write_text(path, dumps(value, indent=2) + "\n")


def write_jsonl(path: Path, values: Iterable[Any]) -> None:
    """Write JSON Lines atomically, one value a line."""
    storage.write_text(path, "".join(dumps(value) + "\n" for value in values))


def raw_text(raw: bytes) -> str:
    """Return refused bytes as text that can be stored: cut, and undecodable bytes shown."""
    return raw[:RAW_TEXT_LIMIT].decode("utf-8", errors="backslashreplace").replace("\0", "\\x00")


def _lines(path: Path) -> list[bytes]:
    if path.stat().st_size > MAX_FILE_BYTES:
        raise OSError(f"{path} has more than {MAX_FILE_BYTES} bytes")
    # bytes.splitlines would also cut at a bare carriage return.
    lines = path.read_bytes().removeprefix(_UTF8_BOM).split(b"\n")
    ended = [line + b"\n" for line in lines[:-1]]
    return [*ended, lines[-1]] if lines[-1] else ended


def _unique_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise StrictJsonError("duplicate_key", f"key `{twice}` stands twice in one object")
    return value


def _refuse_constant(name: str) -> Any:
    raise StrictJsonError("non_finite_number", f"`{name}` is not a JSON number")


def _finite_float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise StrictJsonError("non_finite_number", f"`{text}` is beyond a double")
    return number


def _bounded_int(text: str) -> int:
    if len(text) > 20 or not -(2**63) <= int(text) < 2**63:
        raise StrictJsonError("integer_out_of_range", f"`{text[:24]}` is beyond 64 bits")
    return int(text)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique_object,
    parse_constant=_refuse_constant,
    parse_float=_finite_float,
    parse_int=_bounded_int,
)


def _check_tree(value: Any, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise StrictJsonError("too_deep", f"nested deeper than {MAX_DEPTH}")
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, dict):
        for key, member in value.items():
            _check_text(key)
            _check_tree(member, depth + 1)
    elif isinstance(value, list):
        for member in value:
            _check_tree(member, depth + 1)


def _check_text(text: str) -> None:
    if "\0" in text:
        raise StrictJsonError("nul_character", "a string holds U+0000")
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise StrictJsonError("lone_surrogate", "a string holds half of a surrogate pair")
