"""The words that answers are compared by: normalised, split, stop words left out.

The benchmark asks for lower case, tokens, no stop words and no punctuation, and names no list.
Common lists hold words that answers are made of: `no`, `above`, `top`, `three`. Ours holds none of
these, and a side that would become empty keeps all its words, so that an answer `A` is not
nothing. Numbers stay whole: `3.14`, `-5` and `1,234` are one token each. Source: seed, metric F1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ingest.documents.words import normalize_tokens

WORD_POLICY = "answer-words-1"
"""Raise with any change of a rule or of the list."""

# No word that is also a name or a number: May, US, IT, WHO, AM and the Roman I are answers.
_STOP_WORDS = """
    a an the this that these those
    is are was were be been being
    do does did has have had
    will would shall should can could might must
    and or as of to for from by with at
    you he she we they me him her them
    my your his its our their
    whom whose which what there
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
_POSSESSIVE = re.compile(r"(?<=\w)['\u2019]s$|(?<=s)['\u2019]$")
_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u2010\u2011/](?=[^\W\d_])")
_QUOTES = "'\u2018\u2019\"\u201c\u201d"


@dataclass(frozen=True)
class Tokens:
    """The words of one answer.

    Attributes:
        all: every word in order; what exact match compares.
        telling: the same without stop words; all of them where nothing else is left.
    """

    all: tuple[str, ...]
    telling: tuple[str, ...]


def tokens_of(text: str) -> Tokens:
    """Return the words of an answer; empty where it holds no letter and no digit."""
    words = []
    for piece in _HYPHEN.sub(" ", text).split():
        for word in normalize_tokens(piece):
            bare = _POSSESSIVE.sub("", word).strip(_QUOTES)
            if bare:
                words.append(bare)
    telling = tuple(word for word in words if word not in STOP_WORDS)
    return Tokens(tuple(words), telling or tuple(words))


def is_exact(gold: str, answer: str) -> bool:
    """Return whether two answers have the same words in the same order.

    Where neither has any, the texts themselves must agree.
    """
    golds, answers = tokens_of(gold).all, tokens_of(answer).all
    if not golds and not answers:
        return gold.strip() == answer.strip()
    return golds == answers
