"""Blocks of a page, in reading order, and the document that they make."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ingest.documents.document import Document

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points, from the upper left corner of the page as it is shown."""


class BlockKind(StrEnum):
    """What a block is."""

    TEXT = "text"
    HEADING = "heading"
    FOOTNOTE = "footnote"
    TABLE = "table"
    PICTURE = "picture"
    FURNITURE = "furniture"


@dataclass(frozen=True)
class Block:
    """One block.

    Attributes:
        kind: what it is.
        text: its words; of a table all cells, of a picture what stands in it.
        level: depth of a heading from 1; 0 for anything else.
        rows: cells of a table, row by row.
        box: where it stands; None in formats without places.
        font_size: size of most of its characters in points; 0 where unknown.
        alt_text: what the file says of a picture.
        digest: SHA-256 of the image of a picture; blank where it is drawn by lines.
        drawing_count: lines and shapes that a picture is drawn of.
        is_blank: whether an image has one colour only.
    """

    kind: BlockKind
    text: str
    level: int = 0
    rows: tuple[tuple[str, ...], ...] = ()
    box: Box | None = None
    font_size: float = 0.0
    alt_text: str = ""
    digest: str = ""
    drawing_count: int = 0
    is_blank: bool = False


@dataclass(frozen=True)
class Line:
    """One line of text.

    Attributes:
        text: its visible characters.
        box: where it stands.
        font_size: size of most of its characters.
        is_bold: whether all of it is bold.
        word_count: its words.
    """

    text: str
    box: Box
    font_size: float
    is_bold: bool
    word_count: int


@dataclass(frozen=True)
class LaidPage:
    """One page or slide.

    Attributes:
        number: 1-based position in the file.
        width, height: in points; None in formats without pages.
        blocks: in reading order, furniture included.
        lines: all lines of visible text; empty in formats without places.
        is_hidden: whether a slide show leaves it out.
    """

    number: int
    width: float | None
    height: float | None
    blocks: tuple[Block, ...]
    lines: tuple[Line, ...] = ()
    is_hidden: bool = False

    @property
    def text(self) -> str:
        """Return all that is no furniture, a line a block."""
        return "\n".join(one.text for one in self.blocks if one.kind is not BlockKind.FURNITURE)


@dataclass(frozen=True)
class Layout:
    """A document with what stands where.

    Attributes:
        document: the same file as the reader gives it.
        pages: its pages; empty unless it was read.
        parser: what found blocks, with version.
        warnings: what could not be found.
    """

    document: Document
    pages: tuple[LaidPage, ...]
    parser: str
    warnings: tuple[str, ...] = ()


def area(box: Box) -> float:
    """Return the area of a box; 0 where it has none."""
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def overlap(first: Box, second: Box) -> float:
    """Return the area that two boxes share."""
    return area(
        (
            max(first[0], second[0]),
            max(first[1], second[1]),
            min(first[2], second[2]),
            min(first[3], second[3]),
        )
    )


def covers(outer: Box, inner: Box, share: float = 0.5) -> bool:
    """Return whether a box holds more than a share of another one's area."""
    size = area(inner)
    if size <= 0:
        x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
        return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]
    return overlap(outer, inner) > share * size


def joined(boxes: list[Box]) -> Box:
    """Return the smallest box around some; there must be one."""
    return (
        min(one[0] for one in boxes),
        min(one[1] for one in boxes),
        max(one[2] for one in boxes),
        max(one[3] for one in boxes),
    )
