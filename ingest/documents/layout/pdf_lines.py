"""Lines of a PDF page with place, size and weight, by the same rules as the reader's text."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ingest.documents.layout.blocks import Line
from ingest.documents.pdf import clean_text, read_blocks
from ingest.documents.words import count_words

_BOLD = 16  # flag of a span


def block_lines(page: Any, has_pictures: bool) -> list[list[Line]]:
    """Return the visible lines of every text block of a page, in the order of the file."""
    blocks, hidden = read_blocks(page, has_pictures)
    found = []
    for block in blocks:
        lines = [
            line
            for raw in (block["lines"] if block["type"] == 0 else ())
            if (line := _line(raw, hidden)) is not None
        ]
        if lines:
            found.append(lines)
    return found


def _line(raw: dict[str, Any], hidden: set[int]) -> Line | None:
    spans = [span for span in raw["spans"] if id(span) not in hidden]
    text = " ".join(clean_text("".join(span["text"] for span in spans)).split())
    if not text:
        return None
    inked = [span for span in spans if span["text"].strip()]
    sizes: Counter[float] = Counter()
    for span in inked:
        sizes[round(span["size"], 1)] += len(span["text"])
    boxes = [span["bbox"] for span in inked]
    return Line(
        text,
        (
            min(box[0] for box in boxes),
            min(box[1] for box in boxes),
            max(box[2] for box in boxes),
            max(box[3] for box in boxes),
        ),
        max(sizes, key=lambda size: (sizes[size], size)),
        all(span["flags"] & _BOLD for span in inked),
        count_words(text),
    )
