"""The token rule of docs/endpoints.md, as a server would follow it, read off the page.

It scans the body of a request character by character and shares nothing with the estimate that
it is held against.
"""

from __future__ import annotations

import base64
import io
import json
import math
import unicodedata
from typing import Any

from PIL import Image


def input_tokens(body: dict[str, Any]) -> int:
    """Return the input tokens of a chat completions body."""
    total = 8
    for message in body["messages"]:
        total += 8
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for part in parts:
            total += text_tokens(part["text"]) if part["type"] == "text" else _picture(part)
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
    if schema is None:
        return total
    # As it stands on the wire.
    return total + text_tokens(json.dumps(schema, separators=(",", ":")))


def text_tokens(text: str) -> int:
    """Return the tokens of a text: runs of one kind of character, each by its own rate."""
    total = 0.0
    start = 0
    while start < len(text):
        kind = _kind(text[start])
        end = start + 1
        while end < len(text) and kind != "wide" and _kind(text[end]) == kind:
            end += 1
        total += _rate(kind, text[start:end])
        start = end
    return math.ceil(total)


def _rate(kind: str, run: str) -> float:
    size = len(run)
    if kind == "latin":
        return 1 + max(0, size - 7) / 6
    if kind == "digit":
        return -(-size // 3)
    if kind == "space":
        return 0 if run == " " else 1
    if kind == "wide":
        return 0.9
    return max(1.0, size / (3 if kind == "letter" else 2.5))


def _kind(character: str) -> str:
    code = ord(character)
    if character.isspace():
        return "space"
    if unicodedata.category(character) == "Nd":
        return "digit"
    if character.isalpha() and (code < 0x80 or 0xC0 <= code <= 0x24F):
        return "latin"
    if 0x2E80 <= code <= 0x9FFF or 0xAC00 <= code <= 0xD7AF or 0xF900 <= code <= 0xFAFF:
        return "wide"
    if 0xFF00 <= code <= 0xFFEF:
        return "wide"
    return "letter" if character.isalnum() else "mark"


def _picture(part: dict[str, Any]) -> int:
    """Return the tokens of a picture of 1,280 px on its long side: 2 x 3 or 3 x 3 tiles at most."""
    data = base64.b64decode(part["image_url"]["url"].partition(",")[2])
    width, height = Image.open(io.BytesIO(data)).size
    scale = min(1.0, 2048 / max(width, height))
    scale = min(scale, 768 / min(width, height))
    tiles = math.ceil(round(width * scale) / 512) * math.ceil(round(height * scale) / 512)
    return 85 + 170 * tiles
