"""Finding chunks: ranks and ties, fusion, words, vectors, budgets of contexts."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.endpoint.tokens import estimate_text
from ingest.rageval.answering.assemble import assemble
from ingest.rageval.answering.extractive import answer
from ingest.rageval.retrieval import embedder as embedders
from ingest.rageval.retrieval.corpus import FoundChunk
from ingest.rageval.retrieval.embedder import OfflineEmbedder, is_offline_embedder_here, unit
from ingest.rageval.retrieval.keyword_index import KeywordIndex, words_of
from ingest.rageval.retrieval.ranking import Ranked, best, fused
from ingest.rageval.retrieval.variants import VARIANTS, variant_of
from ingest.rageval.retrieval.vector_index import VectorIndex
from warehouse.errors import UsageError

FAST = settings(max_examples=200, deadline=None)


@given(st.lists(st.integers(0, 4), max_size=40), st.integers(1, 12))
@FAST
def test_the_best_are_those_of_a_full_sort(scores: list[int], count: int) -> None:
    found = best(np.array(scores, dtype=np.float32), count)
    order = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    assert [one.position for one in found] == order[:count]
    above = [one.position for one in best(np.array(scores, dtype=np.float32), count, floor=0.0)]
    assert above == [place for place in order if scores[place] > 0][:count]


LISTS = st.lists(st.permutations(range(8)).map(lambda one: one[:5]), min_size=1, max_size=3)


@given(LISTS, st.integers(1, 90))
@FAST
def test_fusion_is_the_sum_of_reciprocal_ranks(lists: list[list[int]], k: int) -> None:
    ranked = [[Ranked(position, 0.0) for position in one] for one in lists]
    exact: Counter[int] = Counter()
    for one in lists:
        for rank, position in enumerate(one, start=1):
            exact[position] += Fraction(1, k + rank)  # type: ignore[assignment]
    found = fused(ranked, 30, k)
    assert {one.position for one in found} == set(exact)
    for one in found:
        assert one.score == pytest.approx(float(exact[one.position]), rel=1e-12)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_equal_sums_stand_in_the_order_of_ids() -> None:
    first, second = [Ranked(5, 1), Ranked(2, 0)], [Ranked(2, 1), Ranked(5, 0)]
    assert [one.position for one in fused([first, second], 30)] == [2, 5]


def test_words_are_stems_and_figures_without_marks() -> None:
    assert words_of("The lanterns of 1,234 ships") == [*words_of("lantern 1234 ship")]
    assert words_of("of the") == []


TEXTS = ("whale oil lantern", "hemp rope rope", "lantern lantern of brass", "", "oil")


def test_bm25_is_lucenes_formula() -> None:
    index = KeywordIndex(TEXTS)
    documents = [words_of(text) for text in TEXTS]
    average = sum(map(len, documents)) / len(documents)
    expected = {}
    for place, words in enumerate(documents):
        total = 0.0
        for term in words_of("lantern oil"):
            holding = sum(term in one for one in documents)
            idf = math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
            count = words.count(term)
            total += idf * count / (count + 1.5 * (1 - 0.75 + 0.75 * len(words) / average))
        if total:
            expected[place] = total
    found = {one.position: one.score for one in index.find("lantern oil", 10)}
    assert found.keys() == expected.keys()
    for place, score in found.items():
        assert score == pytest.approx(expected[place], rel=1e-5)
    assert index.find("zebra", 10) == []
    assert index.find("", 10) == []


@given(st.integers(1, 5), st.integers(1, 70))
@settings(max_examples=20, deadline=None)
def test_vectors_are_searched_exactly(seed: int, count: int) -> None:
    draw = np.random.default_rng(seed)
    vectors = unit(draw.standard_normal((90, 8)))
    queries = unit(draw.standard_normal((70, 8)))
    found = list(VectorIndex(vectors).find(queries, count))
    assert len(found) == 70
    for query, ranked in zip(queries, found, strict=True):
        scores = np.round(vectors @ query, 5)
        assert [one.position for one in ranked] == list(np.argsort(-scores, kind="stable"))[:count]


def test_the_offline_embedder_gives_each_text_its_own_vector() -> None:
    embedder = OfflineEmbedder()
    texts = ["The harbour wall is of stone.", "Stone walls guard the port.", "Whale oil burns."]
    together = embedder.embed(texts)
    assert together.shape == (3, 384)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    alone = np.vstack([embedder.embed([text]) for text in texts])
    assert np.array_equal(together, alone)
    near, far = together[0] @ together[1], together[0] @ together[2]
    assert near > far + 0.2


def test_what_an_absent_embedder_needs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedders, "find_spec", lambda name: None)
    assert not is_offline_embedder_here()
    with pytest.raises(UsageError, match="offline embedder is not installed") as caught:
        OfflineEmbedder()
    assert "podium-bench[offline]" in str(caught.value.fix)


def test_variants_say_what_they_index() -> None:
    def kinds(name: str, layout_class: str) -> set[str]:
        every = ("text", "table", "picture", "page")
        return {kind for kind in every if VARIANTS[name].indexes(kind, layout_class)}

    assert kinds("TCTE", "standard") == {"text", "table", "picture"}
    assert kinds("PCMHE", "standard") == {"page"}
    assert kinds("text_only", "standard") == {"text"}
    assert all(kinds(name, "presentation") == {"page"} for name in VARIANTS)
    with pytest.raises(UsageError, match="no variant `XYZ`"):
        variant_of("XYZ")


def chunk(name: str, text: str, parent: str | None = None, kind: str = "text") -> FoundChunk:
    return FoundChunk(name, "a.md", kind, 1, 1, parent, None, "standard", "", text, text)


def test_a_context_ends_with_its_budget() -> None:
    chunks = [chunk(f"chunk_{number}", "word " * 40) for number in range(4)]
    by_id = {one.chunk_id: one for one in chunks}
    size = estimate_text(chunks[0].text.strip())
    found = assemble(chunks, by_id, {}, VARIANTS["TCTE"], most_tokens=2 * size + size // 2)
    assert [one.is_cut for one in found] == [False, False, True]
    assert sum(one.token_count for one in found) <= 2 * size + size // 2
    assert set(found[2].text.split()) == {"word"}


def test_hits_that_lead_to_one_chunk_stand_once() -> None:
    parent = chunk("chunk_p", "the text")
    hits = [chunk("chunk_t", "a table", "chunk_p", "table"), parent]
    by_id = {one.chunk_id: one for one in hits}
    found = assemble(hits, by_id, {}, VARIANTS["TCTE"])
    assert [one.chunk.chunk_id for one in found] == ["chunk_p"]
    apart = assemble(hits, by_id, {}, VARIANTS["no_alignment"])
    assert [one.chunk.chunk_id for one in apart] == ["chunk_t", "chunk_p"]


def test_an_answer_out_of_nothing_is_a_refusal() -> None:
    assert answer("What is it?", []).text is None
    passages = assemble([chunk("c", "Whale oil.")], {}, {}, VARIANTS["TCTE"])
    assert answer("How tall is the tower?", passages).text is None
