"""Draws that are the same on every machine: only `random()` of a seeded stream, only sums."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


def stream(*parts: object) -> Random:
    """Return a stream of its own for what the parts name, e.g. a seed and a model."""
    return Random("/".join(map(str, parts)))


def shuffled(draw: Random, items: Iterable[T]) -> list[T]:
    """Return the items in drawn order."""
    return sorted(items, key=lambda _: draw.random())


def chosen(
    draw: Random, items: Iterable[T], count: int, tendency: Callable[[T], float] | None = None
) -> list[T]:
    """Return exactly `count` of the items, in drawn order.

    Args:
        draw: the stream.
        items: what is chosen from.
        count: how many.
        tendency: 0 to 1 by item; those with less are rather chosen.

    Raises:
        ValueError: when there are fewer items.
    """
    ordered = sorted(
        items, key=lambda one: draw.random() + (2 * tendency(one) if tendency is not None else 0)
    )
    if not 0 <= count <= len(ordered):
        raise ValueError(f"{count} of {len(ordered)} cannot be chosen")
    return ordered[:count]


def pick(draw: Random, options: Sequence[T]) -> T:
    """Return one of the options, all alike."""
    return options[int(draw.random() * len(options))]


def noise(draw: Random) -> float:
    """Return -1 to 1, most often near 0."""
    return draw.random() + draw.random() - 1.0
