"""What amounts are read with, and what they are."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ingest.numbers.parsed import PLAIN
from ingest.numbers.policy import NumberPolicy
from ingest.numbers.tokens import DASHES, MARK, WORD, Token, at


@dataclass(frozen=True)
class Amount:
    """A number without sign, currency or unit.

    Attributes:
        value, step, kind, scale, notes: as in `Number`.
        end: place behind its last token.
        is_words: whether it is written in words alone.
        is_slash: whether it is a fraction with a slash, which dates and scores look like.
        is_one_word: a bare `one`, or an ordinal in words: often no number in running text.
        problem: why there is no value.
    """

    value: Fraction
    end: int
    step: Fraction | None = Fraction(1)
    kind: str = PLAIN
    scale: Fraction = Fraction(1)
    notes: tuple[str, ...] = ()
    is_words: bool = False
    is_slash: bool = False
    is_one_word: bool = False
    problem: str = ""


@dataclass(frozen=True)
class Context:
    """What an amount is read with: the tokens, the policy, and whether a currency precedes."""

    tokens: list[Token]
    policy: NumberPolicy
    has_currency: bool = False

    def at(self, place: int) -> Token:
        """Return the token at a place."""
        return at(self.tokens, place)

    def lower(self, place: int) -> str:
        """Return the lower-case text of a word, empty for anything else."""
        token = self.at(place)
        return token.lower if token.kind == WORD else ""


def hyphens(context: Context, place: int) -> int:
    """Return 1 where a hyphen joins two words, else 0."""
    token = context.at(place)
    is_hyphen = token.kind == MARK and token.text in DASHES[:1] and token.is_glued
    return int(is_hyphen and context.at(place + 1).is_glued)
