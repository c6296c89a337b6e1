"""Recorded outputs of the consistency prompts: statements and verdicts paired by number.

The published template is an object of `statement_k` and one of `verdict_k` with codes: "1" is
Entailment, "0" Contradiction, "-1" Neutral. Codes end here; everything behind holds labels. The
template as it is printed is no JSON, and an output that follows it to the letter is invalid.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ingest.endpoint.parsing import ReplyError, parse_reply
from ingest.rageval.judging.exchange import (
    CONSISTENCY,
    INVALID,
    RESPONSE,
    Judged,
    Statement,
    Usage,
    settled,
)
from warehouse import jsonl
from warehouse.contracts.docqa_values import LABELS

LABEL_OF_CODE = {"1": "Entailment", "0": "Contradiction", "-1": "Neutral"}
_PARTS = {"answer_statements": "statement", "verdicts": "verdict"}
_SCHEMA = jsonl.canonical({"type": "object", "required": list(_PARTS)})


def judged_of(text: str) -> Judged:
    """Return what a recorded output says: scored, abstained, or invalid with a reason.

    Args:
        text: all that the model wrote; a fenced block around the object is taken off.
    """
    try:
        value = parse_reply(text, _SCHEMA).value
    except ReplyError as error:
        return Judged(INVALID, error.reason)
    try:
        found = {name: _numbered(value, name) for name in _PARTS}
        if set(value) != set(_PARTS) or set(found["answer_statements"]) != set(found["verdicts"]):
            return Judged(INVALID, "statements_and_verdicts_differ")
        statements = tuple(
            Statement(RESPONSE, place, _text(found["answer_statements"][number]),
                      _label(found["verdicts"][number]))
            for place, number in enumerate(sorted(found["verdicts"]), start=1)
        )  # fmt: skip
    except ValueError as error:
        return Judged(INVALID, str(error))
    return settled(CONSISTENCY, statements, Usage(call_count=1))


def _numbered(value: Any, name: str) -> dict[int, Any]:
    """Return the members of one part by number; they run from 1 without holes."""
    part = value.get(name) if isinstance(value, Mapping) else None
    if not isinstance(part, Mapping):
        raise ValueError(f"no_{name}")
    found: dict[int, Any] = {}
    for key, member in part.items():
        match = re.fullmatch(rf"{_PARTS[name]}_([1-9][0-9]*)", key)
        if match is None:
            raise ValueError("unknown_key")
        found[int(match[1])] = member
    if set(found) != set(range(1, len(found) + 1)):
        raise ValueError("numbers_have_holes")
    return found


def _text(member: Any) -> str:
    if not isinstance(member, str):
        raise ValueError("statement_is_no_text")
    return member.strip()


def _label(member: Any) -> str:
    """Return the label of a code, as text or integer, or a label itself."""
    is_code = isinstance(member, str | int) and not isinstance(member, bool)
    text = str(member).strip() if is_code else ""
    label = LABEL_OF_CODE.get(text, text)
    if label not in LABELS:
        raise ValueError("unknown_verdict")
    return label
