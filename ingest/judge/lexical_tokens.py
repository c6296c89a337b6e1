"""Tokens of a text for matching: words, numbers, names with digits, and clause breaks."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

WORD, NUMBER, NAME, SIGN, BREAK = "word", "number", "name", "sign", "break"
_DIGIT_SPACE = re.compile(r"(?<=\d)[\u00a0\u202f\u2009'\u2019](?=\d{3}(?!\d))")
# A plain space groups thousands only where it cannot stand between two numbers.
_PLAIN_SPACE = re.compile(r"(?<![\d.,])(\d{1,3}(?: \d{3})+)(?![\d.,]|\s\d)")
_TOKEN = re.compile(
    r"""
      (?P<name>\d{4}-\d{2}-\d{2} | \d{1,2}:\d{2}(?::\d{2})? | \d+\.\d+\.\d+[\w.]*
        | (?:km|m|cm)[\u00b2\u00b3]
        | [^\W\d_]+(?:-?\d+[^\W_]*)+(?:\.\d+)* )
    | (?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d) | \d+(?:[.,]\d+)? | [\u00bd\u00bc\u00be])
    | (?P<word>[^\W\d_\u3041-\u30ff\u3400-\u9fff]+(?:['\u2019][^\W\d_]+)*
        | [\u3041-\u30ff\u3400-\u9fff])
    | (?P<sign>[%$\u20ac\u00a3\u00a5\u00b0~\u2248\u00b1+<>\u2264\u2265\u00d7=\u2212\u2013-])
    | (?P<break>[.,;:!?()\[\]|\u2014/\u3001\u3002\uff0c\uff1b\uff1a\n\u2192])
    """,
    re.VERBOSE,
)


@dataclass(frozen=True)
class RawToken:
    """One token: `kind`, `text` as written, and its character offsets in the folded text."""

    kind: str
    text: str
    start: int
    end: int


def fold(text: str) -> str:
    """Return a text in NFKC with grouped thousands joined; its case is kept."""
    text = _DIGIT_SPACE.sub("", text)
    text = text.replace("\u00bd", " 0.5").replace("\u00bc", " 0.25").replace("\u00be", " 0.75")
    text = text.replace("m\u00b2", "m2").replace("m\u00b3", "m3")
    text = unicodedata.normalize("NFKC", text)
    return _PLAIN_SPACE.sub(lambda match: match.group().replace(" ", ""), text)


def tokenize(folded: str) -> list[RawToken]:
    """Return the tokens of a folded text, in order."""
    return [
        RawToken(str(match.lastgroup), match.group(), match.start(), match.end())
        for match in _TOKEN.finditer(folded)
    ]
