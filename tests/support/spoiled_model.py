"""The model's part in tests, with replies to one task spoiled: so many of them, or all.

What goes wrong on the wire is a `Fault` of the server; here the reply itself is wrong.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

from tests.support import model_stand_in

Item = dict[str, Any]
Spoil = Callable[[list[Item]], list[Item]]
ALWAYS = 1_000_000


class SpoiledModel:
    """Answers like the stand-in and spoils what it was told to."""

    def __init__(self) -> None:
        self._spoils: dict[str, tuple[Spoil, int]] = {}
        self._guard = threading.Lock()

    def spoil(self, task: str, how: Spoil, times: int = ALWAYS) -> None:
        """Spoil the next replies to a task."""
        self._spoils[task] = (how, times)

    def heal(self) -> None:
        """Spoil nothing more."""
        self._spoils.clear()

    def answer(self, name: str, body: dict[str, Any]) -> str:
        """Return the reply to a request."""
        text = model_stand_in.answer(name, body)
        how = self._next(model_stand_in.task_of(body))
        if how is None:
            return text
        ((field, items),) = json.loads(text).items()
        return json.dumps({field: how(items)})

    def _next(self, task: str) -> Spoil | None:
        with self._guard:
            how, times = self._spoils.get(task, (None, 0))
            if how is None or not times:
                return None
            self._spoils[task] = (how, times - 1)
            return how


def fewer(items: list[Item]) -> list[Item]:
    """Leave out the last item."""
    return items[:-1]


def more(items: list[Item]) -> list[Item]:
    """Judge something that nobody asked for."""
    return [*items, _renamed(items[0])]


def doubled(items: list[Item]) -> list[Item]:
    """Judge everything a second time and otherwise."""
    return [*items, *(_changed(one) for one in items)]


def reordered(items: list[Item]) -> list[Item]:
    """Turn the order round."""
    return items[::-1]


def strange(items: list[Item]) -> list[Item]:
    """Judge nothing but what nobody asked for."""
    return [_renamed(one) for one in items]


def impossible(items: list[Item]) -> list[Item]:
    """Judge with numbers beyond their range."""
    return [
        {**one, **{name: 7.0 for name in ("utility", "confidence") if name in one}} for one in items
    ]


def nothing(_: list[Item]) -> list[Item]:
    """Judge nothing."""
    return []


def _renamed(item: Item) -> Item:
    name = next(name for name in item if name.endswith("_id"))
    return {**item, name: f"foreign_{item[name]}"}


def _changed(item: Item) -> Item:
    other = {"utility": 0.0, "verdict": "abstain", "label": "unverifiable", "confidence": 0.01}
    return {**item, **{name: value for name, value in other.items() if name in item}}
