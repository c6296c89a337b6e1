"""Where a shape lies: on the slide, off it, or without any size."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import NamedTuple

from ingest.documents.ooxml import A, XmlElement, child

_OFFSET = f"{A}off"
_EXTENT = f"{A}ext"
_CHILD_OFFSET = f"{A}chOff"
_CHILD_EXTENT = f"{A}chExt"


class Box(NamedTuple):
    """A rectangle on the slide, in EMU (914,400 to the inch)."""

    left: float
    top: float
    width: float
    height: float

    def intersects(self, other: Box) -> bool:
        """Whether two boxes share more than an edge."""
        return (
            self.left < other.left + other.width
            and other.left < self.left + self.width
            and self.top < other.top + other.height
            and other.top < self.top + self.height
        )


@dataclass(frozen=True)
class Transform:
    """Maps the coordinates inside a group to those of the slide, without rotation."""

    scale_x: float = 1.0
    scale_y: float = 1.0
    shift_x: float = 0.0
    shift_y: float = 0.0

    def apply(self, box: Box) -> Box:
        """Return the box in slide coordinates."""
        return Box(
            self.shift_x + self.scale_x * box.left,
            self.shift_y + self.scale_y * box.top,
            self.scale_x * box.width,
            self.scale_y * box.height,
        )


IDENTITY = Transform()


def read_box(frame: XmlElement | None) -> Box | None:
    """Return the box of an `a:xfrm` or `p:xfrm`, widened for rotation; None when not given."""
    if frame is None:
        return None
    left = top = width = height = None
    for part in frame:
        if part.tag == _OFFSET:
            left, top = part.get("x"), part.get("y")
        elif part.tag == _EXTENT:
            width, height = part.get("cx"), part.get("cy")
    numbers = _numbers(left, top, width, height)
    return None if numbers is None else _widen(frame, *numbers)


def _widen(frame: XmlElement, left: float, top: float, width: float, height: float) -> Box:
    if frame.get("rot") and width and height:
        # Turned by any angle, a shape stays inside the circle around its middle.
        size = hypot(width, height)
        return Box(left + (width - size) / 2, top + (height - size) / 2, size, size)
    return Box(left, top, width, height)


def enter_group(frame: XmlElement | None, outer: Transform) -> Transform | None:
    """Return the transform inside a group; None when a rotation makes it unknown."""
    if frame is None:
        return outer
    if frame.get("rot") not in (None, "0"):
        return None
    box = read_box(frame)
    child_offset, child_extent = child(frame, _CHILD_OFFSET), child(frame, _CHILD_EXTENT)
    if box is None or child_offset is None or child_extent is None:
        return outer
    numbers = _numbers(
        child_offset.get("x"),
        child_offset.get("y"),
        child_extent.get("cx"),
        child_extent.get("cy"),
    )
    if numbers is None:
        return outer
    left, top, width, height = numbers
    scale_x = box.width / width if width else 1.0
    scale_y = box.height / height if height else 1.0
    return Transform(
        outer.scale_x * scale_x,
        outer.scale_y * scale_y,
        outer.shift_x + outer.scale_x * (box.left - scale_x * left),
        outer.shift_y + outer.scale_y * (box.top - scale_y * top),
    )


def classify_place(box: Box | None, slide_size: tuple[float, float] | None) -> str | None:
    """Return `zero_size`, `off_slide`, or None for a shape that can be seen.

    A shape is off the slide when no point of its box is on it; a box that only touches the edge is
    off. Where the box or the slide size is unknown, the shape counts as seen.
    """
    if box is None:
        return None
    if box.width == 0 or box.height == 0:
        return "zero_size"
    if slide_size is None:
        return None
    is_on_slide = (
        box.left < slide_size[0]
        and box.top < slide_size[1]
        and box.left + box.width > 0
        and box.top + box.height > 0
    )
    return None if is_on_slide else "off_slide"


def _numbers(*values: str | None) -> tuple[float, ...] | None:
    """Read coordinates; some writers leave fractions, which the schema does not allow."""
    try:
        return tuple([float(value) for value in values])  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
