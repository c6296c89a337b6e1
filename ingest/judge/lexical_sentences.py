"""Sentences of an extracted text, each with the heading and the page that it stands under."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ingest.judge.offline_registry import words_of

_ABBREVIATIONS = words_of("abbreviation")
_END = re.compile(
    r"(?<=[.!?])[\"'\u2019\u201d)\]]*\s+(?=[\"'\u2018\u201c(\[]?[A-Z0-9\u00c0-\u00de])"
)
_CJK_END = re.compile(r"(?<=[\u3002\uff01\uff1f])")
_BULLET = re.compile(r"^\s*(?:[-*+\u2022\u25aa\u25cf\u2013\u25e6]\s+|\(?\d{1,2}[.)]\s+)")
_HEADING_MARK = re.compile(r"^\s*#{1,6}\s+")
_CHUNK_PREFIX = re.compile(r"^\[Source chunk chars \d+-\d+\]\n")
MAX_HEADING_WORDS = 12


@dataclass(frozen=True)
class Sentence:
    """One sentence or list item.

    Attributes:
        text: the words as they stand, on one line, without a list mark.
        heading: nearest heading above, empty if none.
        page: 1-based page by form feeds.
        is_item: whether it is an item of a list.
    """

    text: str
    heading: str
    page: int
    is_item: bool


def sentences(text: str) -> list[Sentence]:
    """Split a text into sentences; headings are not sentences, they stand on those below."""
    found: list[Sentence] = []
    heading, page = "", 1
    for number, body in enumerate(_CHUNK_PREFIX.sub("", text).split("\f"), start=1):
        page = number
        lines = [line.strip() for line in body.split("\n")]
        for position, line in enumerate(lines):
            if not line:
                continue
            if _is_heading(line, lines[position + 1 :]):
                heading = _HEADING_MARK.sub("", line).strip(" #:")
                continue
            item = _BULLET.match(line) is not None
            content = _BULLET.sub("", line)
            found.extend(Sentence(one, heading, page, item) for one in split_sentences(content))
    return found


def split_sentences(line: str) -> list[str]:
    """Split one paragraph at sentence ends; abbreviations and decimals do not end one."""
    parts: list[str] = []
    start = 0
    for match in _END.finditer(line):
        last = line[start : match.start()].rstrip("\"'\u2019\u201d)]").split(" ")[-1].strip("(")
        word = last[:-1].casefold() if last.endswith(".") else ""
        if word in _ABBREVIATIONS or (len(word) == 1 and word.isalpha()):
            continue
        parts.append(line[start : match.end()].strip())
        start = match.end()
    parts.append(line[start:].strip())
    return [piece.strip() for part in parts for piece in _CJK_END.split(part) if piece.strip()]


def is_title_like(line: str) -> bool:
    """Return whether a line looks like a heading: short, no sentence end, starts big."""
    words = line.split()
    if not words or len(words) > MAX_HEADING_WORDS or line[-1] in ".,;:!?\u3002|":
        return False
    figures = sum(word[:1].isdigit() for word in words[1:])
    return (line[0].isupper() or line[0].isdigit()) and "|" not in line and figures < 2


def _is_heading(line: str, following: list[str]) -> bool:
    if _HEADING_MARK.match(line):
        return True
    if _BULLET.match(line) and not re.match(r"^\d{1,2}[.)]?\s+[A-Z]", line):
        return False
    if not is_title_like(line):
        return False
    below = next((one for one in following if one), "")
    # A short line is a heading when prose stands below it, not when it is one of many items.
    return len(below.split()) > len(line.split()) and below[-1:] in '.!?:\u3002\u201d")'
