"""From the text of a reply to one value that keeps its schema, or a refusal with a reason.

Nothing is guessed. A text that is no JSON as a whole is searched for JSON objects and arrays;
exactly one of them must keep the schema, wherever it stands: neither the first nor the last
wins by position, since a deck may speak in the judge's words. Repair mends writing (raw
control characters in strings, comments, commas before a bracket), never content: a cut
string, a missing bracket, two equal keys, NaN and Infinity are refused. General repairers
close what was cut and keep the last of two keys, which is why none is used.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ingest.endpoint.repair import Span, bracketed, mended
from warehouse import jsonl

MAX_REPLY_CHARS = 4 * 1024 * 1024
MAX_CANDIDATES = 1000
_THOUGHT = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_FENCE_BEFORE = re.compile(r"(?:\A|\n)[ \t]*(?:```|~~~)[ \t]*[A-Za-z0-9]*[ \t]*\r?\n?\s*\Z")
_FENCE_AFTER = re.compile(r"\A\s*(?:```|~~~)")


class ParseLevel(StrEnum):
    """How far a text was from being plain JSON: strict, fenced, embedded, repaired."""

    STRICT = "strict"
    FENCED = "fenced"
    EMBEDDED = "embedded"
    REPAIRED = "repaired"


@dataclass(frozen=True)
class Parsed:
    """A value that keeps the schema, and the level at which it was found."""

    value: Any
    level: ParseLevel


class ReplyError(ValueError):
    """A text without exactly one usable value; `reason` is a stable code."""

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        super().__init__(f"{reason}: {message}")


def parse_reply(text: str, schema_text: str) -> Parsed:
    """Return the one value of a reply.

    Args:
        text: what the model wrote; a leading block of thoughts is cut off.
        schema_text: the JSON schema as canonical JSON.

    Raises:
        ReplyError: with reason `empty`, `too_long`, `no_json`, `unbalanced`, `ambiguous`,
            `schema`, or a reason of `jsonl.parse`.
    """
    if len(text) > MAX_REPLY_CHARS:
        raise ReplyError("too_long", f"more than {MAX_REPLY_CHARS:,} characters")
    text = _THOUGHT.sub("", text, count=1).strip().removeprefix("\ufeff")
    if not text:
        raise ReplyError("empty", "the reply holds no text")
    try:
        value = jsonl.parse(text)
    except jsonl.StrictJsonError:
        return _search(text, schema_text)
    problem = schema_problem(value, schema_text)
    if problem is not None:
        raise ReplyError("schema", problem)
    return Parsed(value, ParseLevel.STRICT)


def schema_problem(value: Any, schema_text: str) -> str | None:
    """Return in one line how a value breaks a schema; None when it keeps it."""
    error = next(iter(_validator(schema_text).iter_errors(value)), None)
    if error is None:
        return None
    where = "/".join(str(step) for step in error.absolute_path) or "the whole"
    return f"at `{where}`: {str(error.message)[:200]}"


def _search(text: str, schema_text: str) -> Parsed:
    found: list[Parsed] = []
    reasons: list[ReplyError] = []
    spans = bracketed(text, with_flat_arrays=jsonl.parse(schema_text).get("type") != "object")
    if spans is None:
        raise ReplyError("unbalanced", "a bracket is never closed")
    if len(spans) > MAX_CANDIDATES:
        raise ReplyError("ambiguous", f"more than {MAX_CANDIDATES:,} pieces of JSON")
    for span in spans:
        try:
            found.append(_candidate(text, span, schema_text))
        except ReplyError as error:
            reasons.append(error)
    if len(found) > 1:
        raise ReplyError("ambiguous", f"{len(found)} pieces of the text keep the schema")
    if found:
        return found[0]
    if not reasons:
        raise ReplyError("no_json", "the text holds no JSON object")
    # What came nearest tells most: a whole value that breaks the schema, else the first.
    raise next((one for one in reasons if one.reason == "schema"), reasons[0])


def _candidate(text: str, span: Span, schema_text: str) -> Parsed:
    piece = text[span.start : span.end]
    level = ParseLevel.FENCED if _is_fenced(text, span) else ParseLevel.EMBEDDED
    try:
        value = jsonl.parse(piece)
    except jsonl.StrictJsonError:
        level = ParseLevel.REPAIRED
        try:
            value = jsonl.parse(mended(piece))
        except jsonl.StrictJsonError as error:
            raise ReplyError(error.reason, str(error)) from None
    problem = schema_problem(value, schema_text)
    if problem is not None:
        raise ReplyError("schema", problem)
    return Parsed(value, level)


def _is_fenced(text: str, span: Span) -> bool:
    before = text[max(0, span.start - 200) : span.start]
    return bool(_FENCE_BEFORE.search(before) and _FENCE_AFTER.match(text[span.end :][:200]))


@functools.lru_cache(maxsize=64)
def _validator(schema_text: str) -> Any:
    # The import takes a third of a second, which no offline command should pay.
    from jsonschema import Draft202012Validator

    schema = jsonl.parse(schema_text)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)
