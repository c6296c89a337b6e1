"""PDF text that is stored but cannot be seen.

A span is invisible when it paints nothing (text render mode 3, opacity 0), or when it is white and
nothing but white lies where it stands. Only pages with white text pay for a look at what is drawn.
"""

from __future__ import annotations

from typing import Any

_WHITE_FLOOR = 0xF8  # each channel of what the eye takes for white on white
_WHITE_SHARE = _WHITE_FLOOR / 0xFF
_COVERS = frozenset({"fill-image", "fill-imgmask", "fill-shade"})

Rect = tuple[float, float, float, float]


def is_unpainted(span: dict[str, Any]) -> bool:
    """Whether a span of `extractDICT` paints nothing at all."""
    return bool(span["alpha"] == 0)


def is_white(span: dict[str, Any]) -> bool:
    """Whether a span of `extractDICT` is set in white or nearly so."""
    color = span["color"]
    return bool(
        color >> 16 & 0xFF >= _WHITE_FLOOR
        and color >> 8 & 0xFF >= _WHITE_FLOOR
        and color & 0xFF >= _WHITE_FLOOR
    )


class Ground:
    """What is drawn on one page, read when the first white span asks.

    In doubt a span counts as visible: any fill that is not white, and any picture or shading whose
    bounding box holds the middle of the span, makes it so.

    Args:
        page: the `pymupdf.Page`.
        has_pictures: whether it is known to draw pictures.
    """

    def __init__(self, page: Any) -> None:
        self._page = page
        self._fills: list[Rect] | None = None
        self._covers: list[Rect] | None = None

    def is_bare_at(self, box: Rect) -> bool:
        """Whether only white lies at the middle of a box in page coordinates."""
        middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        if self._fills is None:
            self._fills = [
                drawing["rect"]
                for drawing in self._page.get_cdrawings()
                if (fill := drawing.get("fill")) is not None and min(fill) < _WHITE_SHARE
            ]
        if any(_holds(rect, middle) for rect in self._fills):
            return False
        if self._covers is None:
            self._covers = [entry[1] for entry in self._page.get_bboxlog() if entry[0] in _COVERS]
        return not any(_holds(rect, middle) for rect in self._covers)


def _holds(rect: Rect, point: tuple[float, float]) -> bool:
    return rect[0] <= point[0] <= rect[2] and rect[1] <= point[1] <= rect[3]
