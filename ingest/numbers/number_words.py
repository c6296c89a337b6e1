"""Number words below a thousand: `twenty-three`, `one hundred and two`, `third`."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ingest.numbers import lexicon
from ingest.numbers.context import Amount, Context, hyphens
from ingest.numbers.parsed import ORDINAL, PLAIN

_MOST_DECIMALS = 30


def words_at(context: Context, place: int) -> Amount | None:
    """Return a group of words below a thousand, or of hundreds; perhaps an ordinal."""
    below, end, is_ordinal = below_hundred(context, place)
    if end == place:
        return None
    amount = Amount(Fraction(below), end, is_words=True)
    if is_ordinal:
        return replace(amount, kind=ORDINAL, is_one_word=True)
    amount = _decimals(context, hundreds(context, amount))
    is_one = below == 1 and amount.end == place + 1
    return replace(amount, is_one_word=is_one)


def _decimals(context: Context, amount: Amount) -> Amount:
    """Return `three point one four` from its `three`: digits, one word each."""
    if context.lower(amount.end) != "point" or amount.kind == ORDINAL:
        return amount
    value, step, end = amount.value, Fraction(1), amount.end + 1
    while lexicon.SMALL.get(context.lower(end), 10) < 10 and end - amount.end <= _MOST_DECIMALS:
        step /= 10
        value += lexicon.SMALL[context.lower(end)] * step
        end += 1
    return amount if step == 1 else replace(amount, value=value, step=step, end=end)


def hundreds(context: Context, amount: Amount) -> Amount:
    """Return `two hundred [and] five` from its `two`."""
    place = amount.end + hyphens(context, amount.end)
    if context.lower(place) != "hundred":
        return amount
    value, end = amount.value * lexicon.HUNDRED, place + 1
    after = end + (context.lower(end) == "and") + hyphens(context, end)
    below, behind, is_ordinal = below_hundred(context, after)
    if behind > after:
        kind = ORDINAL if is_ordinal else PLAIN
        return replace(amount, value=value + below, end=behind, kind=kind)
    return replace(amount, value=value, end=end, step=Fraction(100))


def below_hundred(context: Context, place: int) -> tuple[int, int, bool]:
    """Return (value, place behind, whether ordinal) of a number word from 0 to 99."""
    word = context.lower(place)
    if word in lexicon.SMALL:
        return lexicon.SMALL[word], place + 1, False
    if word in lexicon.ORDINALS:
        return lexicon.ORDINALS[word], place + 1, True
    if word not in lexicon.TENS:
        return 0, place, False
    tens = lexicon.TENS[word]
    after = place + 1 + hyphens(context, place + 1)
    unit = context.lower(after)
    if 0 < lexicon.SMALL.get(unit, 0) < 10:
        return tens + lexicon.SMALL[unit], after + 1, False
    if lexicon.ORDINALS.get(unit, 10) < 10:
        return tens + lexicon.ORDINALS[unit], after + 1, True
    return tens, place + 1, False
