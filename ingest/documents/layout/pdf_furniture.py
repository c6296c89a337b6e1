"""Page headers, footers and page numbers: what stands at the edge and comes again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ingest.documents.layout.blocks import Line

_EDGE = 0.12
# Share of the pages with other text on which a line of the edge must stand.
_COMES_AGAIN = 0.3
_LEAST_PAGES = 2
# A title that comes again is larger than the text; a header is not.
_LARGEST = 1.2
_PAGE_NUMBER = re.compile(
    r"\W*(?:page|slide|seite|p\.)?\W*(\d{1,4})(?:\s*(?:/|of|von|\|)\s*\d{1,4})?\W*", re.IGNORECASE
)
_DIGITS = re.compile(r"\d+")

Paged = Sequence[tuple[int, float, Sequence[Line]]]
"""Number, height and lines of every page."""


def find_furniture(pages: Paged, body_size: float) -> set[int]:
    """Return the `id()` of the lines that are furniture.

    Args:
        pages: all pages of a document.
        body_size: size of its text in points; 0 where there is none.
    """
    seen: Counter[tuple[bool, str]] = Counter()
    distinct = {_text(lines): (height, lines) for _, height, lines in pages}
    for height, lines in distinct.values():
        seen.update({key for line in lines if (key := _key(line, height, body_size)) is not None})
    least = max(_LEAST_PAGES, _COMES_AGAIN * len(distinct))
    return {
        id(line)
        for number, height, lines in pages
        for line in lines
        if (key := _key(line, height, body_size)) is not None
        and (seen[key] >= least or _is_number(line, number))
    }


def _key(line: Line, height: float, body_size: float) -> tuple[bool, str] | None:
    """Return which edge a line stands at and what it says but for numbers; None elsewhere."""
    is_top = line.box[3] <= _EDGE * height
    is_bottom = line.box[1] >= (1 - _EDGE) * height
    if not (is_top or is_bottom) or line.font_size > _LARGEST * (body_size or line.font_size):
        return None
    return is_top, _DIGITS.sub("#", line.text.casefold())


def _is_number(line: Line, page_number: int) -> bool:
    found = _PAGE_NUMBER.fullmatch(line.text)
    return found is not None and int(found[1]) == page_number


def _text(lines: Sequence[Line]) -> str:
    return "\n".join(line.text for line in lines)
