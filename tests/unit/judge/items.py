"""Hand-written items for the offline judge (`items.csv`); the held half never tuned it.

An answerability item is a deck (its lines parted by ` / `, the first is the slide's title), a
question and an answer. Kinds: verbatim and near must be covered; gap, swap and negation must
not be; paraphrase is only reported. A claim item is a source, a claim and its label.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Item:
    half: str
    task: str
    expected: str
    text: str
    question: str
    answer: str


def read_items(half: str, task: str) -> list[Item]:
    with Path(__file__).with_name("items.csv").open(encoding="utf-8", newline="") as handle:
        items = [Item(**row) for row in csv.DictReader(handle)]
    return [item for item in items if (item.half, item.task) == (half, task)]
