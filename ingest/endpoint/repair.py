"""JSON with mistakes of writing: where it stands in a text, and the text set right.

Both walks know strings and comments, so that a bracket or a comma inside a string is text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_OPENERS = {"{": "}", "[": "]"}
_SKIP = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
# An opening bracket that can start JSON: prose such as `{note}` or `[0, 1)` is passed over.
_STRUCTURE = r"\{(?=\s*(?:[\"}]|//|/\*))|\[(?=\s*[\[{\"])"
_START = re.compile(_STRUCTURE)
_START_OF_ANY = re.compile(rf"{_STRUCTURE}|\[")
_PIECE = re.compile(r'"|//|/\*|[{}\[\]]')
_CONTROL = re.compile(r"[\x00-\x1f]")
_TRAILING = re.compile(r"(?<![\[{,:\s]),(\s*[}\]])")


@dataclass(frozen=True)
class Span:
    """One outermost bracketed piece of a text: `start` inclusive, `end` exclusive."""

    start: int
    end: int


def bracketed(text: str, *, with_flat_arrays: bool) -> list[Span] | None:
    """Return the outermost bracketed pieces in order; None when a bracket is left open.

    Args:
        text: what to search.
        with_flat_arrays: whether an array of numbers counts; prose holds `[0, 1)` and `[3]`.

    A piece that closes with the wrong bracket counts as left open: what follows it could be
    inside of it.
    """
    starts = _START_OF_ANY if with_flat_arrays else _START
    spans = []
    position = 0
    while (start := starts.search(text, position)) is not None:
        end = _end_of(text, start.start())
        if end is None:
            return None
        spans.append(Span(start.start(), end))
        position = end
    return spans


def mended(text: str) -> str:
    """Return JSON text without comments and trailing commas, control characters escaped.

    Raises nothing: what cannot be mended stays, and the strict parser refuses it.
    """
    pieces = []
    between: list[str] = []
    position = 0
    while position < len(text):
        string = _STRING.match(text, position)
        if string is not None:
            pieces.append(_TRAILING.sub(r"\1", "".join(between)))
            pieces.append(_CONTROL.sub(_escaped, string.group()))
            between = []
            position = string.end()
            continue
        comment = _SKIP.match(text, position)
        if comment is not None:
            between.append(" ")
            position = comment.end()
            continue
        between.append(text[position])
        position += 1
    pieces.append(_TRAILING.sub(r"\1", "".join(between)))
    return "".join(pieces)


def _end_of(text: str, start: int) -> int | None:
    """Return where the bracket at `start` closes."""
    expected = [_OPENERS[text[start]]]
    position = start + 1
    while (piece := _PIECE.search(text, position)) is not None:
        found = piece.group()
        position = piece.end()
        if found in ('"', "//", "/*"):
            whole = (_STRING if found == '"' else _SKIP).match(text, piece.start())
            if whole is None:
                return None
            position = whole.end()
        elif found in _OPENERS:
            expected.append(_OPENERS[found])
        elif found != expected.pop():
            return None
        elif not expected:
            return position
    return None


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match.group()):04x}"
