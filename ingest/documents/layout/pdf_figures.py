"""Tables and pictures of a PDF page, by PyMuPDF's own finders."""

from __future__ import annotations

import contextlib
import hashlib
import io
from dataclasses import dataclass
from typing import Any

import pymupdf

from ingest.documents.layout.blocks import Box, area, covers, joined, overlap

# Below these a path is a rule or an underline, and an image a bullet or a line.
_LEAST_SIDE = 12.0
_LEAST_PATHS = 4
# Above this share of the page it is a background.
_WHOLE_PAGE = 0.85
_LEAST_TABLE = 2
# A page whose lines could make a grid; the finder takes a fifth of a second where there are none.
_LEAST_RULES = 4
_MOST_PATHS = 20_000
# An image of one colour is small whatever its size; decoding a scan takes seconds.
_MOST_BLANK_BYTES = 32_768


@dataclass(frozen=True)
class FoundTable:
    """A table: its place, and words and places of its cells, row by row; merged cells have none."""

    box: Box
    rows: tuple[tuple[str, ...], ...]
    cells: tuple[tuple[Box | None, ...], ...]


@dataclass(frozen=True)
class FoundPicture:
    """A picture: an image, or lines and shapes that stand together."""

    box: Box
    digest: str
    is_blank: bool
    drawing_count: int


def find_tables(page: Any) -> list[FoundTable]:
    """Return tables with at least two rows and two columns of which most cells have words."""
    paths = page.get_cdrawings()
    if not _LEAST_RULES <= len(paths) <= _MOST_PATHS:
        return []
    # It prints an advertisement of another package.
    with contextlib.redirect_stdout(io.StringIO()):
        tables = page.find_tables(strategy="lines_strict").tables
    found = []
    for table in tables:
        rows = [[" ".join((cell or "").split()) for cell in row] for row in table.extract()]
        boxes = [[cell and _box(cell) for cell in row.cells] for row in table.rows]
        # A grid drawn twice has columns between its lines.
        used = [
            place
            for place in range(max(map(len, rows), default=0))
            if any(row[place : place + 1] not in ([], [""]) for row in rows)
        ]
        grid = [[row[place] for place in used if place < len(row)] for row in rows]
        filled = sum(bool(cell) for row in grid for cell in row)
        is_grid = len(grid) >= _LEAST_TABLE and len(used) >= _LEAST_TABLE
        if is_grid and 2 * filled >= sum(map(len, grid)):
            cells = [[row[place] for place in used if place < len(row)] for row in boxes]
            found.append(
                FoundTable(_box(table.bbox), tuple(map(tuple, grid)), tuple(map(tuple, cells)))
            )
    return [
        one
        for place, one in enumerate(found)
        if not any(covers(other.box, one.box) for other in found[:place])
    ]


def find_pictures(page: Any, tables: list[FoundTable], has_text: bool) -> list[FoundPicture]:
    """Return images and drawings that are no background, no rule and no table.

    On a page without text an image that fills it is no background but a scan.
    """
    page_box = _box(page.rect)
    images = [
        FoundPicture(box, *_image(page.parent, info["xref"]), 0)
        for info in page.get_image_info(xrefs=True)
        if _is_picture(box := _box(info["bbox"]), page_box, has_text)
    ]
    drawn = [
        FoundPicture(box, "", False, count)
        for box, count in _drawings(page)
        if _is_picture(box, page_box, has_text)
        and not any(overlap(box, table.box) > 0.3 * area(box) for table in tables)
        and not any(covers(image.box, box) for image in images)
    ]
    kept = [one for one in images if not any(covers(table.box, one.box) for table in tables)]
    return [*kept, *drawn]


def _drawings(page: Any) -> list[tuple[Box, int]]:
    """Return clusters of paths with the number of paths in each, those that touch as one."""
    paths = page.get_drawings() if len(page.get_cdrawings()) <= _MOST_PATHS else []
    boxes = [_box(path["rect"]) for path in paths]
    found = []
    for cluster in page.cluster_drawings(drawings=paths):
        box = _box(cluster)
        inside = [one for one in boxes if covers(box, one)]
        if len(inside) >= _LEAST_PATHS:
            found.append((joined([box, *inside]), len(inside)))
    return found


def _is_picture(box: Box, page: Box, has_text: bool) -> bool:
    width, height = box[2] - box[0], box[3] - box[1]
    shown = overlap(box, page)
    largest = area(page) * (_WHOLE_PAGE if has_text else 1.0)
    return min(width, height) >= _LEAST_SIDE and 0 < shown <= largest


def _image(document: Any, xref: int) -> tuple[str, bool]:
    """Return the SHA-256 of an image and whether it has one colour; blank where none is known."""
    if not xref:
        return "", False
    try:
        data = document.extract_image(xref)["image"]
        is_small = len(data) <= _MOST_BLANK_BYTES
        is_blank = is_small and bool(pymupdf.Pixmap(data).is_unicolor)
        return hashlib.sha256(data).hexdigest(), is_blank
    except Exception:  # PyMuPDF raises its own and MuPDF's types: nothing is known of it
        return "", False


def _box(found: Any) -> Box:
    x0, y0, x1, y1 = (float(one) for one in found)
    return (x0, y0, x1, y1)
