"""BM25 over word stems, by bm25s in Lucene's form with k1 = 1.5 and b = 0.75."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import version

from ingest.documents.words import normalize_tokens
from ingest.judge.lexical_words import STOP_WORDS, stem
from ingest.rageval.retrieval.ranking import Ranked, best

KEYWORD_RULE = f"bm25-stems-1 bm25s/{version('bm25s')}"
_DIGITS_AND_SIGNS = str.maketrans("", "", ",")


def words_of(text: str) -> list[str]:
    """Return the stems of a text without stop words; `1,234` and `1234` are one."""
    return [
        stem(word.translate(_DIGITS_AND_SIGNS) if word[:1].isdigit() else word)
        for word in normalize_tokens(text)
        if word and word not in STOP_WORDS
    ]


class KeywordIndex:
    """An index of texts by their words.

    Args:
        texts: in the order of chunk ids; there must be one at least.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        # It takes half a second to import, which asking for help should not pay.
        import bm25s

        vocabulary: dict[str, int] = {}
        ids = [
            [vocabulary.setdefault(word, len(vocabulary)) for word in words_of(text)]
            for text in texts
        ]
        self._vocabulary = vocabulary
        self._index = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
        # The index takes words as numbers; a text without any still has a place.
        vocabulary.setdefault("", len(vocabulary))
        self._index.index((ids, vocabulary), create_empty_token=False, show_progress=False)

    def find(self, query: str, count: int) -> list[Ranked]:
        """Return at most so many texts that share a word with the query, best first."""
        known = [word for word in words_of(query) if word in self._vocabulary]
        if not known:
            return []
        return best(self._index.get_scores(known), count, floor=0.0)
