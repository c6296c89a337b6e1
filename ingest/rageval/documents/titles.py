"""Titles of documents: what the first two pages say in their largest type, in twelve words."""

from __future__ import annotations

from pathlib import PurePosixPath

from ingest.documents.layout.blocks import BlockKind, Layout
from ingest.rageval.documents.layout_rule import DECIDING_PAGES

MOST_WORDS = 12
_LEAST_LETTERS = 3


def rule_title(layout: Layout, document_id: str) -> str:
    """Return a title of at most twelve words with the suffix of the file.

    The first heading of the least depth on the first two pages; else their first text; else the
    name of the file.
    """
    path = PurePosixPath(document_id)
    blocks = [one for page in layout.pages[:DECIDING_PAGES] for one in page.blocks]
    headings = sorted(
        (one.level, place, one.text)
        for place, one in enumerate(blocks)
        if one.kind is BlockKind.HEADING and _says_something(one.text)
    )
    texts = [one.text for one in blocks if one.kind is BlockKind.TEXT and _says_something(one.text)]
    found = headings[0][2] if headings else next(iter(texts), path.stem)
    return shortened(found) + path.suffix


def shortened(title: str) -> str:
    """Return the first twelve words of a title, without what a sentence ends with."""
    return " ".join(title.split()[:MOST_WORDS]).rstrip(".,;:\u00b6 ")


def _says_something(text: str) -> bool:
    return sum(sign.isalpha() for sign in text) >= _LEAST_LETTERS
