"""Search over 100,000 chunks: an index by words and 1,000 queries, and as many by vectors."""

from __future__ import annotations

import random
import time

import numpy as np

from ingest.rageval.retrieval.embedder import unit
from ingest.rageval.retrieval.keyword_index import KeywordIndex
from ingest.rageval.retrieval.vector_index import VectorIndex

CHUNKS, QUERIES, SECONDS = 100_000, 1_000, 60


def test_words_are_indexed_and_searched_in_a_minute() -> None:
    draw = random.Random(5)
    words = [f"w{int(draw.paretovariate(0.6)) % 50_000}" for _ in range(1_000_000)]
    texts = []
    for number in range(CHUNKS):
        start = (number * 97) % 990_000
        texts.append(" ".join(words[start : start + draw.randint(20, 150)]))
    started = time.perf_counter()
    index = KeywordIndex(texts)
    hits = [index.find(" ".join(words[at * 50 : at * 50 + 10]), 100) for at in range(QUERIES)]
    assert time.perf_counter() - started < SECONDS
    assert min(map(len, hits)) > 0


def test_vectors_are_searched_in_a_minute() -> None:
    vectors = unit(np.random.default_rng(5).standard_normal((CHUNKS, 384), dtype=np.float32))
    started = time.perf_counter()
    found = list(VectorIndex(vectors).find(vectors[:QUERIES], 70))
    assert time.perf_counter() - started < SECONDS
    assert [one[0].position for one in found] == list(range(QUERIES))
