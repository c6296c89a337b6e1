"""Stages of retrieval for one question: dense 70 and BM25 100, fused to 30, re-ranked to 20."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ingest.rageval.retrieval.corpus import FoundChunk
from ingest.rageval.retrieval.embedder import Embedder, Vectors
from ingest.rageval.retrieval.keyword_index import KeywordIndex
from ingest.rageval.retrieval.ranking import RRF_K, Ranked, fused
from ingest.rageval.retrieval.vector_index import VectorIndex

DENSE, BM25, FUSED, RERANKED = "dense", "bm25", "fused", "reranked"


@dataclass(frozen=True)
class Depths:
    """How many hits each stage keeps at most, and the constant of the fusion."""

    dense: int = 70
    bm25: int = 100
    fused: int = 30
    reranked: int = 20
    rrf_k: int = RRF_K

    def as_record(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)


@dataclass(frozen=True)
class Hits:
    """What was found for one query, by stage, best first; positions are those of the chunks."""

    by_stage: dict[str, list[Ranked]]

    @property
    def last(self) -> list[Ranked]:
        """Return what goes on: re-ranked hits, or the fused ones where none were."""
        return self.by_stage.get(RERANKED) or self.by_stage[FUSED]


class Searcher:
    """Finds chunks by words, and by vectors where there are some.

    Args:
        chunks: what is indexed, in the order of ids.
        embedder: of queries and chunks alike; None searches by words alone.
        vectors: of the chunks; None likewise.
        depths: how many hits each stage keeps.
    """

    def __init__(
        self,
        chunks: list[FoundChunk],
        embedder: Embedder | None,
        vectors: Vectors | None,
        depths: Depths,
    ) -> None:
        self._keywords = KeywordIndex(one.indexed_text for one in chunks)
        self._embedder = embedder
        self._vectors = None if vectors is None else VectorIndex(vectors)
        self._depths = depths

    def find(self, queries: list[str]) -> list[Hits]:
        """Return the hits of every query."""
        dense: list[list[Ranked]] | None = None
        if self._embedder is not None and self._vectors is not None and queries:
            embedded: Vectors = np.asarray(self._embedder.embed(queries))
            dense = list(self._vectors.find(embedded, self._depths.dense))
        found = []
        for place, query in enumerate(queries):
            stages = {BM25: self._keywords.find(query, self._depths.bm25)}
            if dense is not None:
                stages[DENSE] = dense[place]
            lists = [stages[name] for name in (DENSE, BM25) if name in stages]
            stages[FUSED] = fused(lists, self._depths.fused, self._depths.rrf_k)
            found.append(Hits(stages))
        return found
