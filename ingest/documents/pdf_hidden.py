"""PDF text that is stored but cannot be seen.

A span is invisible when it paints nothing (text render mode 3, opacity 0), when it has the colour
of what lies under it, or when something opaque is painted over it. Fills come with the text, in
the order of painting; only pages where that leaves a doubt pay for a closer look.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pymupdf

_WHITE_FLOOR = 0xF8  # each channel of what the eye takes for white on white
_WHITISH = _WHITE_FLOOR << 16  # no white is a smaller number
_OPAQUE = 255
_TEXT, _VECTOR = 0, 3  # types of the blocks of `extractDICT`
_PICTURES = frozenset({"fill-image", "fill-imgmask", "fill-shade"})
# Share of a span's height by which its box outgrows its letters.
_SLACK = 0.25

Block = dict[str, Any]
Span = dict[str, Any]
Rect = tuple[float, float, float, float]


class _Fill(NamedTuple):
    """One filled path: its place in the order of painting, its box, its colour."""

    position: int
    box: Rect
    color: int
    is_opaque: bool
    is_rectangle: bool


def is_white(color: int) -> bool:
    """Whether a colour of `extractDICT` is white or nearly so."""
    return (
        color >> 16 & 0xFF >= _WHITE_FLOOR
        and color >> 8 & 0xFF >= _WHITE_FLOOR
        and color & 0xFF >= _WHITE_FLOOR
    )


@dataclass
class Painting:
    """What one page paints, in order.

    In doubt a span counts as visible: a picture or shading whose bounding box holds the middle of
    the span makes it so, and so does a fill of another colour or of no plain shape.

    Args:
        page: the `pymupdf.Page`.
        blocks: its blocks with vectors among them, as `extractDICT` gives them.
        has_pictures: whether it is known to draw pictures.
    """

    page: Any
    blocks: Sequence[Block]
    has_pictures: bool
    _fills: list[_Fill] = field(default_factory=list)
    _log: list[tuple[str, Rect]] | None = None

    def __post_init__(self) -> None:
        self._fills = [
            _Fill(
                position, block["bbox"], block["color"], block["alpha"] == _OPAQUE, block["isrect"]
            )
            for position, block in enumerate(self.blocks)
            if block["type"] == _VECTOR and not block["stroked"] and block["alpha"]
        ]

    @property
    def parts_text(self) -> bool:
        """Whether something is drawn between two blocks of text, which then are two for it."""
        positions = [number for number, one in enumerate(self.blocks) if one["type"] == _TEXT]
        return bool(positions) and any(
            one["type"] == _VECTOR for one in self.blocks[positions[0] : positions[-1]]
        )

    def find_hidden(self) -> set[int]:
        """Return the `id()` of every span that cannot be seen."""
        hidden = set()
        colors = {fill.color for fill in self._fills}
        last_cover = max((fill.position for fill in self._fills if fill.is_opaque), default=-1)
        for position, span in self._spans():
            color = span["color"]
            if span["alpha"] == 0:
                hidden.add(id(span))
            elif not (color in colors or color >= _WHITISH or position < last_cover):
                continue  # nothing on this page could hide it
            elif span["text"].strip() and (
                self._has_color_of_ground(span, position)
                or (position < last_cover and self._is_covered(span, position))
            ):
                hidden.add(id(span))
        if self.has_pictures:
            hidden |= self._under_pictures()
        return hidden

    def _spans(self) -> Iterator[tuple[int, Span]]:
        for position, block in enumerate(self.blocks):
            for line in block["lines"] if block["type"] == _TEXT else ():
                for span in line["spans"]:
                    yield position, span

    def _has_color_of_ground(self, span: Span, position: int) -> bool:
        color, middle = span["color"], _middle(span["bbox"])
        is_same = is_white(color)
        for fill in reversed(self._fills):
            if fill.position < position and _holds(fill.box, middle):
                is_alike = fill.color == color or (is_white(color) and is_white(fill.color))
                if not (is_alike and fill.is_opaque):
                    return False
                if fill.is_rectangle:
                    is_same = True
                    break
        return is_same and not any(
            kind in _PICTURES and _holds(box, middle) for kind, box in self._painted()
        )

    def _is_covered(self, span: Span, position: int) -> bool:
        """Whether an opaque rectangle lies on a span, and nothing shows through it.

        What the file says of a fill leaves out its blend mode, so the pixels decide.
        """
        box = _letters(span["bbox"])
        return any(
            fill.position > position
            and fill.is_opaque
            and fill.is_rectangle
            and _contains(fill.box, box)
            for fill in self._fills
        ) and _is_plain(self.page, box)

    def _under_pictures(self) -> set[int]:
        """Return the spans that lie wholly under a picture without a mask painted after them."""
        log = self._painted()
        first_text = next((n for n, one in enumerate(log) if one[0] == "fill-text"), len(log))
        if not any(kind == "fill-image" for kind, _ in log[first_text:]):
            return set()
        masked = [one["bbox"] for one in self.page.get_image_info() if one["has-mask"]]
        covers = [
            (number, box)
            for number, (kind, box) in enumerate(log)
            if kind == "fill-image" and number > first_text and not _is_among(box, masked)
        ]
        return {
            id(span)
            for _, span in self._spans()
            if span["text"].strip() and _last_cover(span, covers) > _last_text(span, log)
        }

    def _painted(self) -> list[tuple[str, Rect]]:
        if self._log is None:
            self._log = self.page.get_bboxlog()
        return self._log


def _last_cover(span: Span, covers: list[tuple[int, Rect]]) -> int:
    box = _letters(span["bbox"])
    return max((number for number, cover in covers if _contains(cover, box)), default=-1)


def _last_text(span: Span, log: list[tuple[str, Rect]]) -> int:
    """Return when the last text at the middle of a span was painted."""
    middle = _middle(span["bbox"])
    return max(
        (
            number
            for number, (kind, box) in enumerate(log)
            if kind.endswith("text") and _holds(box, middle)
        ),
        default=len(log),
    )


def _is_plain(page: Any, box: Rect) -> bool:
    """Whether a part of a page shows one colour alone."""
    pixels = page.get_pixmap(matrix=pymupdf.Matrix(2, 2), clip=pymupdf.Rect(box))
    return bool(pixels.width and pixels.height and pixels.is_unicolor)


def _letters(box: Rect) -> Rect:
    """Return the box of a span without the slack above and below its letters."""
    slack = _SLACK * (box[3] - box[1])
    return box[0], box[1] + slack, box[2], box[3] - slack


def _middle(box: Rect) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _holds(box: Rect, point: tuple[float, float]) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _contains(outer: Rect, inner: Rect) -> bool:
    return _holds(outer, inner[:2]) and _holds(outer, inner[2:])


def _is_among(box: Rect, others: Sequence[Rect]) -> bool:
    return any(all(abs(a - b) < 1 for a, b in zip(box, one, strict=True)) for one in others)
