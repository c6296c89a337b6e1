"""Fractions: `3/4`, `1 1/2`, `two thirds`, `two and a half`."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ingest.numbers import lexicon
from ingest.numbers.context import Amount, Context, hyphens
from ingest.numbers.literals import read_literal
from ingest.numbers.number_words import below_hundred
from ingest.numbers.parsed import FRACTION, ORDINAL
from ingest.numbers.tokens import LITERAL, VULGAR


def slash_at(context: Context, place: int) -> Amount | None:
    """Return `3/4`; the slash touches both sides and the denominator is not zero."""
    slash, below = context.at(place + 1), context.at(place + 2)
    if slash.text not in ("/", "\u2044") or not slash.is_glued or not below.is_glued:
        return None
    if below.kind != LITERAL or not below.text.isdigit():
        return None
    above = read_literal(context.at(place).text, context.policy).value
    denominator = read_literal(below.text, context.policy).value
    if above is None or not denominator:
        return None
    return Amount(above / denominator, place + 3, None, FRACTION, is_slash=True)


def mixed_at(context: Context, place: int, whole: Fraction) -> Amount | None:
    """Return `1 1/2`, `1-1/2`, `1 and 1/2` or a whole number and a vulgar fraction."""
    after = place + 1
    after += hyphens(context, after) or context.lower(after) == "and"
    if context.at(after).kind == VULGAR:
        part = Fraction(*lexicon.VULGAR[context.at(after).text])
        return Amount(whole + part, after + 1, None, FRACTION)
    if context.at(after).kind != LITERAL or not context.at(after).text.isdigit():
        return None
    fraction = slash_at(context, after)
    if fraction is None or fraction.value >= 1:
        return None
    return replace(fraction, value=whole + fraction.value, is_slash=False)


def parts_of(context: Context, count: Amount | None, place: int) -> Amount | None:
    """Return `two thirds`, `a third`, `three-quarters`, `half`."""
    if count is None:
        article = context.lower(place) in ("a", "an")
        after = place + article
        after += hyphens(context, after) if article else 0
        word = context.lower(after)
        if word == "half" or (article and word in lexicon.PART):
            return Amount(Fraction(1, lexicon.PART[word]), after + 1, None, FRACTION)
        return None
    if count.kind == ORDINAL or not count.is_words:
        return None
    after = count.end + hyphens(context, count.end)
    table = lexicon.PART if count.value == 1 else lexicon.PARTS
    below = table.get(context.lower(after))
    if below is None:
        return None
    return Amount(count.value / below, after + 1, None, FRACTION, is_words=True)


def and_part(context: Context, amount: Amount) -> Amount:
    """Return `two and a half`, `two and three quarters` from its `two`."""
    start = amount.end + hyphens(context, amount.end)
    if context.lower(start) != "and":
        return amount
    place = start + 1 + hyphens(context, start + 1)
    words = None
    if context.lower(place) not in ("a", "an"):
        below, end, is_ordinal = below_hundred(context, place)
        if end == place or is_ordinal:
            return amount
        words = Amount(Fraction(below), end, is_words=True)
    part = parts_of(context, words, place)
    if part is None or part.value >= 1:
        return amount
    return replace(amount, value=amount.value + part.value, end=part.end, step=None, kind=FRACTION)
