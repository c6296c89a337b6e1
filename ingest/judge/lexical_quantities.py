"""Figures of a text and when two of them say the same."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ingest.judge.lexical_words import concept

# Relative difference that a hedge (`about`) covers.
ROUNDING = 0.02


@dataclass(frozen=True)
class Quantity:
    """One figure of a text.

    Attributes:
        value: in the base unit of its dimension; equal amounts give equal floats.
        dimension: e.g. `percent`, `time`, `euro`; None for a bare number.
        is_soft: whether a text may leave it out and still say the same (`two methods`).
        is_hedged: whether the text says about, roughly or the like.
        first: index of the first token that belongs to the figure.
        last: index of the last token that belongs to it.
        counted: word that is counted (`patients`), empty if none.
        is_base: whether it is what a share is taken of (`of 720 households`).
    """

    value: float
    dimension: str | None
    is_soft: bool
    is_hedged: bool
    first: int
    last: int
    counted: str = ""
    is_base: bool = False

    def moved(self, places: int) -> Quantity:
        """Return the figure with its tokens counted from `places` tokens earlier."""
        return replace(self, first=self.first + places, last=self.last + places)


def same_dimension(left: Quantity, right: Quantity) -> bool:
    """Return whether two figures may say the same: equal dimension, or one is bare.

    A number that counts something (`31 farms`) is not bare.
    """
    pair = {left.dimension, right.dimension}
    if len(pair) == 1 or pair == {"percentage_point", "point"}:
        return True
    return None in pair and not (left.counted or right.counted)


def competes(left: Quantity, right: Quantity) -> bool:
    """Return whether two figures could stand in each other's place.

    Equal dimension is needed; numbers that count different things do not compete.
    """
    if left.dimension != right.dimension:
        return {left.dimension, right.dimension} == {"percent", "percentage_point"}
    if left.dimension is not None or not (left.counted and right.counted):
        return True
    return concept(left.counted) == concept(right.counted)


def matches(asked: Quantity, found: Quantity) -> bool:
    """Return whether a found figure says what an asked one says.

    Values must be equal after conversion; where either side hedges, 2 % do not matter.
    """
    if asked.value == found.value:
        return same_dimension(asked, found)
    if not (found.is_hedged or asked.is_hedged) or asked.value == 0:
        return False
    is_near = abs(asked.value - found.value) / abs(asked.value) <= ROUNDING
    return is_near and same_dimension(asked, found)
