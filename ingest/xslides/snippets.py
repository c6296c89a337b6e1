"""Source passages that one claim is held against: an inverted index over sentences."""

from __future__ import annotations

import functools
import math
from collections import defaultdict

from ingest.judge.exchange import Evidence
from ingest.judge.lexical import sentences, stems
from warehouse import storage

SNIPPET_RULE = "sentence-idf-1"


class SnippetIndex:
    """Sentences of one source, found by the weight of the word stems that they share.

    Args:
        context: the extracted source text.
    """

    def __init__(self, context: str) -> None:
        self._sentences = sentences(context)
        self._stems = [frozenset(stems(one.text)) for one in self._sentences]
        self._places: dict[str, list[int]] = defaultdict(list)
        for position, one in enumerate(self._stems):
            for stem in sorted(one):
                self._places[stem].append(position)
        self._pages = context.count("\f") > 0

    def find(self, claim: str, count: int) -> tuple[Evidence, ...]:
        """Return at most `count` sentences, best first; ties go to the earlier one."""
        scores: dict[int, float] = defaultdict(float)
        total = len(self._sentences)
        for stem in sorted(set(stems(claim))):
            places = self._places.get(stem, ())
            weight = math.log(1 + total / (1 + len(places)))
            for position in places:
                scores[position] += weight
        ranked = sorted(
            scores,
            key=lambda place: (-scores[place] / (1 + 0.02 * len(self._stems[place])), place),
        )
        return tuple(self._evidence(position) for position in ranked[:count])

    def _evidence(self, position: int) -> Evidence:
        one = self._sentences[position]
        page = f"Page {one.page}" if self._pages else ""
        return Evidence(one.heading or page, one.text)


class SourceContext:
    """The source text of one bank with its hash; its passages are indexed when asked for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.sha256 = storage.sha256_bytes(text.encode("utf-8"))

    @functools.cached_property
    def index(self) -> SnippetIndex:
        """Return the passages that claims are held against."""
        return SnippetIndex(self.text)
