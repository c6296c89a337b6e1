"""Reading order of boxes: columns from left to right, what spans them in its place.

The page is cut along white gaps, again and again. A gap from top to bottom separates columns; where
there is none, strips from top to bottom are read in order, and neighbouring strips that share a
gap are one set of columns. Method: recursive X-Y cut (Nagy and Seth, 1984).
"""

from __future__ import annotations

from collections.abc import Sequence

from ingest.documents.layout.blocks import Box

_COLUMN_GAP = 6.0
# A cell grid or a list of marks has gaps too: a column is a text with some height.
_LEAST_COLUMN = 2
_DEEPEST = 12


def reading_order(boxes: Sequence[Box]) -> list[int]:
    """Return the positions of boxes in reading order."""
    return _ordered(list(range(len(boxes))), boxes, 0)


def _ordered(places: list[int], boxes: Sequence[Box], depth: int) -> list[int]:
    if len(places) < 2 or depth > _DEEPEST:
        return _by_rows(places, boxes)
    columns = _columns(places, boxes)
    if len(columns) > 1:
        return [one for part in columns for one in _ordered(part, boxes, depth + 1)]
    strips = _strips(places, boxes)
    if len(strips) == 1:
        return _by_rows(places, boxes)
    found: list[int] = []
    for group in _groups(strips, boxes):
        found += _ordered(group, boxes, depth + 1)
    return found


def _by_rows(places: list[int], boxes: Sequence[Box]) -> list[int]:
    return sorted(places, key=lambda one: (round(boxes[one][1]), boxes[one][0], one))


def _columns(places: list[int], boxes: Sequence[Box]) -> list[list[int]]:
    """Return the parts that gaps from top to bottom leave, from left to right."""
    parts = _split(places, boxes, 0, _COLUMN_GAP)
    if len(parts) > 1 and all(len(part) >= _LEAST_COLUMN for part in parts):
        return parts
    return [places]


def _strips(places: list[int], boxes: Sequence[Box]) -> list[list[int]]:
    return _split(places, boxes, 1, 0.0)


def _groups(strips: list[list[int]], boxes: Sequence[Box]) -> list[list[int]]:
    """Return strips joined as long as one gap runs through all of them.

    A strip of one box joins columns that it does not span: the longer column goes on.
    """
    groups: list[list[int]] = []
    for strip in strips:
        if groups and _share_gap(groups[-1], strip, boxes):
            groups[-1] = groups[-1] + strip
        else:
            groups.append(list(strip))
    return groups


def _share_gap(group: list[int], strip: list[int], boxes: Sequence[Box]) -> bool:
    has_gap = any(len(_split(part, boxes, 0, _COLUMN_GAP)) > 1 for part in (group, strip))
    return has_gap and len(_columns(group + strip, boxes)) > 1


def _split(places: list[int], boxes: Sequence[Box], axis: int, gap: float) -> list[list[int]]:
    """Return the parts between gaps of at least a width along an axis."""
    parts: list[list[int]] = []
    end = float("-inf")
    for one in sorted(places, key=lambda place: (boxes[place][axis], place)):
        if parts and boxes[one][axis] < end + gap:
            parts[-1].append(one)
        else:
            parts.append([one])
        end = max(end, boxes[one][axis + 2])
    return parts
