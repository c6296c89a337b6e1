"""The offline answerer: the sentence or table cell that shares most with the question.

It writes nothing of its own, so what it says stands in a document; that it answers the question
is a guess by words. Its kind is `heuristic`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ingest.judge.lexical import split_sentences, stems
from ingest.rageval.answering.assemble import Passage

ANSWERER = "extractive-1"
_LEAST_SHARE = 0.15
_CELLS = "|"
_EARLIER = 0.02


@dataclass(frozen=True)
class Answer:
    """What was answered.

    Attributes:
        text: the answer; None for a refusal.
        passage: the passage that it stands in; None for a refusal.
    """

    text: str | None
    passage: Passage | None


@dataclass(frozen=True)
class _Candidate:
    text: str
    passage: Passage
    place: int
    stems: frozenset[str]
    labels: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()


def answer(question: str, passages: Sequence[Passage]) -> Answer:
    """Answer a question out of its context, or refuse where nothing shares enough with it.

    A unit is a sentence or a row of a table with the names of its columns. It is scored by the
    rarity of the stems that it shares with the question, earlier passages first. Of a row whose
    column the question names, the cell is the answer.
    """
    asked = frozenset(stems(question))
    units = [one for place, passage in enumerate(passages) for one in _units(passage, place)]
    frequency = Counter(stem for one in units for stem in one.stems)
    weights = {stem: math.log(1 + len(units) / (1 + frequency[stem])) for stem in asked}
    total = sum(weights.values())
    best: tuple[float, _Candidate] | None = None
    for one in units:
        shared = sum(weights[stem] for stem in sorted(asked & one.stems))
        score = shared / (1 + 0.01 * len(one.stems)) / (1 + _EARLIER * one.place)
        if best is None or score > best[0]:
            best = (score, one)
    if best is None or total == 0 or best[0] < _LEAST_SHARE * total:
        return Answer(None, None)
    return Answer(_said(best[1], asked), best[1].passage)


def _units(passage: Passage, place: int) -> Iterator[_Candidate]:
    heading = passage.chunk.heading
    labels: tuple[str, ...] = ()
    for line in passage.text.split("\n"):
        stripped = line.strip()
        if not stripped.startswith(_CELLS):
            labels = ()
            for text in split_sentences(stripped.lstrip("#").strip()):
                yield _Candidate(text, passage, place, frozenset(stems(f"{heading} {text}")))
            continue
        cells = tuple(cell.strip() for cell in stripped.strip(_CELLS).split(_CELLS))
        if set("".join(cells)) <= set("-: "):
            continue
        if not labels:
            labels = cells
            continue
        text = "; ".join(
            f"{label}: {cell}" if label else cell
            for label, cell in zip(labels, cells, strict=False)
            if cell
        )
        found = frozenset(stems(f"{heading} {text}"))
        yield _Candidate(text, passage, place, found, labels, cells)


def _said(one: _Candidate, asked: frozenset[str]) -> str:
    """Return a sentence, a row, or the one cell of a row whose column the question names best."""
    shares = [
        len(asked & frozenset(stems(label)) - frozenset(stems(cell)))
        for label, cell in zip(one.labels[1:], one.cells[1:], strict=False)
    ]
    if not shares or max(shares) == 0 or shares.count(max(shares)) > 1:
        return one.text
    return one.cells[1 + shares.index(max(shares))]
