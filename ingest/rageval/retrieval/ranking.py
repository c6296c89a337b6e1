"""Ranks: the best of many scores, ties in the order of chunk ids, and two lists fused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

RRF_K = 60
"""Constant of reciprocal rank fusion; the paper does not state its own. Cormack et al., 2009."""


@dataclass(frozen=True)
class Ranked:
    """A chunk by its position in the index, and its score."""

    position: int
    score: float


def best(scores: npt.NDArray[Any], count: int, floor: float | None = None) -> list[Ranked]:
    """Return the highest scores, the earlier position first where two are equal.

    Args:
        scores: one a position; positions are in the order of chunk ids.
        count: at most so many.
        floor: leave out scores up to this one; None for none.
    """
    places = np.arange(len(scores)) if floor is None else np.flatnonzero(scores > floor)
    if len(places) > count:
        kept = scores[places]
        least = np.partition(kept, len(kept) - count)[len(kept) - count]
        places = places[kept >= least]
    order = np.argsort(-scores[places], kind="stable")[:count]
    return [Ranked(int(place), float(scores[place])) for place in places[order]]


def fused(lists: Sequence[Sequence[Ranked]], count: int, k: int = RRF_K) -> list[Ranked]:
    """Return lists fused by the sum of 1 / (k + rank), ranks from 1."""
    scores: dict[int, float] = {}
    for ranked in lists:
        for rank, one in enumerate(ranked, start=1):
            scores[one.position] = scores.get(one.position, 0.0) + 1 / (k + rank)
    order = sorted(scores, key=lambda position: (-scores[position], position))
    return [Ranked(position, scores[position]) for position in order[:count]]
