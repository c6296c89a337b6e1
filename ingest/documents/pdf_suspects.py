"""Pages of a PDF whose text looks wrong: lost or inserted spaces, columns read across."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from ingest.documents.document import Page
from ingest.documents.words import split_words

# Mean letters per word beyond which spaces were lost or inserted; prose in any spaced script lies
# between 3 and 11.
_GLUED_LETTERS, _SPLIT_LETTERS, _LENGTH_SAMPLE = 16.0, 1.7, 20
# So many times text jumps over a gutter and back on a page of columns that is read across; pieces
# of fewer words are cells of a table.
_ALTERNATIONS, _PROSE_WORDS = 5, 3

Block = dict[str, Any]
Line = dict[str, Any]


def suspect_lengths(page: Page) -> list[str]:
    """Return a warning when the words of a page are too long or too short to be words."""
    words = [word for word in split_words(page.text) if word.isalpha()]
    spaced = [word for word in words if ord(word[0]) < 0x2E80]  # scripts with spaces
    if len(spaced) < _LENGTH_SAMPLE:
        return []
    mean = sum(map(len, spaced)) / len(spaced)
    if mean > _GLUED_LETTERS:
        return [f"page {page.number}: words of {mean:.0f} letters on average: spaces may be lost"]
    if mean < _SPLIT_LETTERS:
        return [f"page {page.number}: words of {mean:.1f} letters on average: words may be split"]
    return []


def suspect_order(number: int, blocks: Sequence[Block]) -> list[str]:
    """Return a warning when the lines of two columns alternate, so that sentences are cut.

    Words and their counts are right all the same.
    """
    lines = list(_lines(blocks))
    jumps = sum(_jumps_gutter(left, right) for left, right in pairwise(lines))
    if jumps < _ALTERNATIONS:
        return []
    return [f"page {number}: lines of two columns alternate: its sentences may be cut"]


def _lines(blocks: Sequence[Block]) -> Iterator[Line]:
    for block in blocks:
        yield from block.get("lines", ())


def _jumps_gutter(left: Line, right: Line) -> bool:
    """Whether two pieces of prose stand side by side with a wide gap between them."""
    x_end, top, bottom = left["bbox"][2], left["bbox"][1], left["bbox"][3]
    height = bottom - top
    is_beside = abs(right["bbox"][1] - top) < height / 4 and right["bbox"][0] - x_end > height
    return is_beside and all(
        len("".join(span["text"] for span in one["spans"]).split()) >= _PROSE_WORDS
        for one in (left, right)
    )
