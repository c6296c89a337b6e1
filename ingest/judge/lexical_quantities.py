"""Figures of a text and when two of them say the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ingest.judge.lexical_tokens import RawToken
from ingest.judge.lexical_words import concept

# Dimensions of which one amount is often written in two units (`2 hours 10 minutes`).
_COMPOUND = frozenset(("time", "months"))
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

    @property
    def is_year(self) -> bool:
        """Return whether it reads like a year: a bare whole number of four digits."""
        is_bare = self.dimension is None and not self.counted
        return is_bare and self.value.is_integer() and 1000 <= self.value < 2200

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


def join_compounds(tokens: Sequence[RawToken], found: Sequence[Quantity]) -> list[Quantity]:
    """Return the figures with `2 hours 10 minutes` and `2 hours and 10 minutes` as one.

    The second part must be the smaller one; `5 days and 3 days` stay two.
    """
    joined: list[Quantity] = []
    for one in found:
        last = joined[-1] if joined else None
        if last is not None and _continues(tokens, last, one):
            joined[-1] = replace(last, value=last.value + one.value, last=one.last)
        else:
            joined.append(one)
    return joined


def _continues(tokens: Sequence[RawToken], left: Quantity, right: Quantity) -> bool:
    if left.dimension not in _COMPOUND or left.dimension != right.dimension:
        return False
    between = [token.text.casefold() for token in tokens[left.last + 1 : right.first]]
    units = tokens[left.last].text.casefold()[:1], tokens[right.last].text.casefold()[:1]
    return between in ([], ["and"]) and 0 < right.value < left.value and units[0] != units[1]
