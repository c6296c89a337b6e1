"""The layout of a PDF: lines, tables and pictures of all pages, then what each of them is.

Sizes are compared with the document's own text, so pages are read first and judged afterwards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pymupdf

from ingest.documents import mupdf
from ingest.documents.layout.blocks import Block, BlockKind, Box, LaidPage, Line, covers, joined
from ingest.documents.layout.order import reading_order
from ingest.documents.layout.pdf_figures import (
    FoundPicture,
    FoundTable,
    find_pictures,
    find_tables,
)
from ingest.documents.layout.pdf_furniture import find_furniture
from ingest.documents.layout.pdf_lines import block_lines
from ingest.documents.pdf_pictures import PictureCounter
from ingest.documents.words import split_words

PARSER = f"podium-layout/1 pymupdf/{pymupdf.pymupdf_version}"

_HEADING_SIZE = 1.15
_HEADING_WORDS, _BOLD_HEADING_WORDS = 20, 12
_DEEPEST_HEADING = 6
_NOTE_SIZE = 0.9
_NOTE_BAND = 0.6
_NOTE = re.compile(r"(?:\d{1,3}|[*\u2020\u2021\u00a7]+)[.)]?\s*[^\W\d]")
_IN_CELL = 0.7
# A drawing around text that runs on is the frame of a text, not a picture.
_FRAMED_WORDS, _FRAMED_LINE_WORDS = 40, 6


@dataclass(frozen=True)
class _RawPage:
    number: int
    width: float
    height: float
    blocks: list[list[Line]]
    tables: list[FoundTable]
    pictures: list[FoundPicture]

    @property
    def lines(self) -> list[Line]:
        return [line for block in self.blocks for line in block]


def lay_out_pdf(data: bytes) -> tuple[list[LaidPage], list[str]]:
    """Return the pages of a PDF with their blocks, and warnings that name the page.

    The caller knows that the file can be read. A page whose tables or pictures cannot be found
    keeps its text.
    """
    raw: list[_RawPage] = []
    warnings: list[str] = []
    with mupdf.alone(), pymupdf.open(stream=data, filetype="pdf") as document:
        counter = PictureCounter(document)
        for number, page in enumerate(document, start=1):
            raw.append(_read(page, number, counter.count(page) > 0, warnings))
    sizes: Counter[float] = Counter()
    for page in raw:
        for line in page.lines:
            sizes[line.font_size] += line.word_count
    body = max(sizes, key=lambda size: (sizes[size], size)) if sizes else 0.0
    furniture = find_furniture([(one.number, one.height, one.lines) for one in raw], body)
    pages = [_lay_out(page, body, furniture) for page in raw]
    return _with_levels(pages), warnings


def _read(page: Any, number: int, has_pictures: bool, warnings: list[str]) -> _RawPage:
    blocks = block_lines(page, has_pictures)
    tables: list[FoundTable] = []
    pictures: list[FoundPicture] = []
    try:
        tables = find_tables(page)
        pictures = find_pictures(page, tables, bool(blocks))
    except Exception as error:
        # PyMuPDF raises its own, MuPDF's and built-in types.
        warnings.append(f"page {number}: tables and pictures not found: {type(error).__name__}")
    return _RawPage(number, page.rect.width, page.rect.height, blocks, tables, pictures)


def _lay_out(page: _RawPage, body: float, furniture: set[int]) -> LaidPage:
    taken = set(furniture)
    blocks = [_furniture(line) for line in page.lines if id(line) in furniture]
    for table in page.tables:
        lines = _inside(table, page.lines, taken)
        blocks += _table(table, lines)
        taken.update(map(id, lines))
    for picture in page.pictures:
        lines = _inside(picture, page.lines, taken)
        if _is_frame(lines):
            if picture.drawing_count:
                continue
            lines = []
        blocks.append(_picture(picture, lines))
        taken.update(map(id, lines))
    for block in page.blocks:
        rest = [line for line in block if id(line) not in taken]
        blocks += [_text(lines, page.height, body) for lines in _styled(rest)]
    placed = [one.box for one in blocks if one.box is not None]
    ordered = tuple(blocks[place] for place in reading_order(placed))
    return LaidPage(page.number, page.width, page.height, ordered, tuple(page.lines))


def _inside(found: FoundTable | FoundPicture, lines: list[Line], taken: set[int]) -> list[Line]:
    return [one for one in lines if id(one) not in taken and covers(found.box, one.box)]


def _is_frame(lines: Sequence[Line]) -> bool:
    words = sum(one.word_count for one in lines)
    return words >= _FRAMED_WORDS and words >= _FRAMED_LINE_WORDS * len(lines)


def _furniture(line: Line) -> Block:
    return Block(BlockKind.FURNITURE, line.text, box=line.box, font_size=line.font_size)


def _table(table: FoundTable, lines: list[Line]) -> Iterator[Block]:
    """Yield a table, and what stands in it and in no cell.

    Lines that lie in their cells make the rows. Where one runs over a border the finder's own
    words do, unless they hold more than the lines: it also sees what is invisible.
    """
    shown = Counter(word for line in lines for word in split_words(line.text))
    rows = _rows_of_lines(table, lines) or table.rows
    cells = Counter(word for row in rows for cell in row for word in split_words(cell))
    if cells - shown:
        rows = tuple((line.text,) for line in lines)
        cells = shown
    text = "\n".join(" | ".join(row) for row in rows)
    yield Block(BlockKind.TABLE, text, rows=rows, box=table.box)
    rest = shown - cells
    if rest:
        yield Block(BlockKind.TEXT, " ".join(rest.elements()), box=table.box)


def _rows_of_lines(table: FoundTable, lines: list[Line]) -> tuple[tuple[str, ...], ...] | None:
    """Return the rows that lines make by their places; None where one is in no cell."""
    placed: dict[tuple[int, int], list[str]] = {}
    for line in lines:
        places = [
            (row, column)
            for row, cells in enumerate(table.cells)
            for column, box in enumerate(cells)
            if box is not None and _is_in_cell(line, box)
        ]
        if len(places) != 1:
            return None
        placed.setdefault(places[0], []).append(line.text)
    return tuple(
        tuple(" ".join(placed.get((row, column), ())) for column in range(len(cells)))
        for row, cells in enumerate(table.cells)
    )


def _is_in_cell(line: Line, cell: Box) -> bool:
    """Return whether the middle of a line is in a cell, and most of its width.

    Its height takes no part: the box of a line begins above its letters, and cells are tight.
    """
    x0, y0, x1, y1 = line.box
    shared = min(x1, cell[2]) - max(x0, cell[0])
    return cell[1] <= (y0 + y1) / 2 <= cell[3] and shared >= _IN_CELL * (x1 - x0)


def _picture(picture: FoundPicture, lines: list[Line]) -> Block:
    return Block(
        BlockKind.PICTURE,
        "\n".join(line.text for line in lines),
        box=picture.box,
        digest=picture.digest,
        drawing_count=picture.drawing_count,
        is_blank=picture.is_blank,
    )


def _styled(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield runs of lines of one size and weight: a heading ends where its text begins."""
    run: list[Line] = []
    for line in lines:
        style = (line.font_size, line.is_bold)
        if run and style != (run[-1].font_size, run[-1].is_bold):
            yield run
            run = []
        run.append(line)
    if run:
        yield run


def _text(lines: list[Line], height: float, body: float) -> Block:
    text = " ".join(line.text for line in lines)
    size = lines[0].font_size
    box = joined([line.box for line in lines])
    kind = BlockKind.TEXT
    if _is_heading(lines, text, body):
        kind = BlockKind.HEADING
    elif size <= _NOTE_SIZE * body and box[1] >= _NOTE_BAND * height and _NOTE.match(text):
        kind = BlockKind.FOOTNOTE
    return Block(kind, text, box=box, font_size=size)


def _is_heading(lines: list[Line], text: str, body: float) -> bool:
    words = sum(line.word_count for line in lines)
    if not 0 < words <= _HEADING_WORDS or not any(sign.isalpha() for sign in text):
        return False
    if lines[0].font_size >= _HEADING_SIZE * body:
        return True
    is_bold = all(line.is_bold for line in lines) and lines[0].font_size >= 0.95 * body
    return is_bold and words <= _BOLD_HEADING_WORDS and text[-1] not in ".,;"


def _with_levels(pages: list[LaidPage]) -> list[LaidPage]:
    """Return pages whose headings have a depth: the largest size of the document is 1."""
    sizes = sorted(
        {
            block.font_size
            for page in pages
            for block in page.blocks
            if block.kind is BlockKind.HEADING
        },
        reverse=True,
    )
    depth = {size: min(place, _DEEPEST_HEADING) for place, size in enumerate(sizes, start=1)}
    return [
        replace(
            page,
            blocks=tuple(
                replace(block, level=depth[block.font_size])
                if block.kind is BlockKind.HEADING
                else block
                for block in page.blocks
            ),
        )
        for page in pages
    ]
