"""Exact search over unit vectors: the cosine with every text, rounded so that ties are ties."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ingest.rageval.retrieval.embedder import Vectors
from ingest.rageval.retrieval.ranking import Ranked, best

# Beyond this, sums in float32 differ from one machine to the next.
_DECIMALS = 5
_BATCH = 64


class VectorIndex:
    """An index of texts by their vectors.

    Args:
        vectors: one unit vector a text, in the order of chunk ids.
    """

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    def find(self, queries: Vectors, count: int) -> Iterator[list[Ranked]]:
        """Yield for every query at most so many texts, nearest first."""
        for start in range(0, len(queries), _BATCH):
            scores = self._vectors @ queries[start : start + _BATCH].T
            for column in range(scores.shape[1]):
                yield best(np.round(scores[:, column], _DECIMALS), count)
