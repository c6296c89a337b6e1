"""JSON schemas of the replies to the five tasks.

They keep to what strict schema modes take: every property is required, nothing may be added, and
ranges are left to the reader of the reply, who drops a judgment out of range by itself instead of
losing the whole batch.
"""

from __future__ import annotations

from typing import Any

from ingest.judge.exchange import (
    CLAIM_LABELS,
    DOMAINS,
    Task,
    Verdict,
)

# Raise with any change of meaning; it is part of the key of every request.
SCHEMA_VERSION = 1
MODALITIES = ("text", "table", "figure", "formula", "code")
_TEXT = {"type": "string"}
_NUMBER = {"type": "number"}


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list_of(name: str, item: dict[str, Any]) -> dict[str, Any]:
    return _object(**{name: {"type": "array", "items": item}})


def _one_of(*values: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


SCHEMAS: dict[Task, dict[str, Any]] = {
    Task.PROBES: _list_of(
        "probes",
        _object(
            question=_TEXT,
            answer=_TEXT,
            evidence={"type": "array", "items": _object(locator=_TEXT, text=_TEXT)},
            level={"type": "integer"},
            modality=_one_of(*MODALITIES),
            theme=_TEXT,
            domain=_one_of(*DOMAINS),
        ),
    ),
    Task.WEIGHTS: _list_of("judgments", _object(probe_id=_TEXT, utility=_NUMBER, rationale=_TEXT)),
    Task.ANSWERABILITY: _list_of(
        "judgments",
        _object(
            probe_id=_TEXT,
            verdict=_one_of(*(one.value for one in Verdict)),
            confidence=_NUMBER,
            answer=_TEXT,
            cited_evidence=_TEXT,
        ),
    ),
    Task.CLAIMS: _list_of("claims", _object(text=_TEXT, slide={"type": ["integer", "null"]})),
    Task.VERIFICATION: _list_of(
        "judgments",
        # `failed` is what Podium writes when no label came back; no judge may say it.
        _object(
            claim_id=_TEXT,
            label=_one_of(*(one for one in CLAIM_LABELS if one != "failed")),
            confidence=_NUMBER,
        ),
    ),
}
