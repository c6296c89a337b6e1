"""Places of tables and pictures in text, and literal text that looks like one.

In running text a place is `[[table:ID]]` or `[[picture:ID]]`; on a slide the description of an
artifact stands between `[TABLE START]` and `[TABLE END]`, or the same for pictures. A document can
hold these very words: then a backslash goes before them, and comes off again where text is read by
people or models.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

TABLE, PICTURE = "table", "picture"
_PLACE = re.compile(r"(?<!\\)\[\[(table|picture):([a-z]+_[0-9a-f]+)\]\]")
_LITERAL = re.compile(r"\\*(?:\[\[(?:table|picture):|\[(?:TABLE|PICTURE) (?:START|END)\])")
_ESCAPED = re.compile(r"\\(\\*(?:\[\[(?:table|picture):|\[(?:TABLE|PICTURE) (?:START|END)\]))")
_MARKER = re.compile(r"(?<!\\)\[(TABLE|PICTURE) (START|END)\]")


def escape(text: str) -> str:
    """Return text in which no literal word is taken for a place or a marker."""
    return _LITERAL.sub(lambda found: "\\" + found[0], text)


def unescape(text: str) -> str:
    """Return text as the document has it."""
    return _ESCAPED.sub(r"\1", text)


def place(kind: str, artifact_id: str) -> str:
    """Return what stands for an artifact in running text."""
    return f"[[{kind}:{artifact_id}]]"


def marked(kind: str, description: str) -> str:
    """Return the description of an artifact of a slide between its markers."""
    name = kind.upper()
    return f"[{name} START]\n{escape(description)}\n[{name} END]"


def places(text: str) -> list[str]:
    """Return the ids of artifacts that have a place in a text, in order, repeats included."""
    return [found[2] for found in _PLACE.finditer(text)]


def resolve(text: str, replacement: Callable[[str], str]) -> str:
    """Return text with every place replaced, and literals as the document has them."""
    parts, start = [], 0
    for found in _PLACE.finditer(text):
        parts += [unescape(text[start : found.start()]), replacement(found[2])]
        start = found.end()
    return "".join([*parts, unescape(text[start:])])


def unbalanced(text: str) -> Iterator[str]:
    """Yield what is wrong with the markers of a slide: one too many, too few, or within another."""
    opened = ""
    for kind, side in _MARKER.findall(text):
        if side == "START":
            if opened:
                yield f"[{kind} START] within [{opened} START]"
            opened = kind
        elif opened != kind:
            yield f"[{kind} END] without its start"
        else:
            opened = ""
    if opened:
        yield f"[{opened} START] without its end"
