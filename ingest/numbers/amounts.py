"""Amounts: digits and words that make one number, with their scales and fractions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ingest.numbers import lexicon
from ingest.numbers.context import Amount, Context, hyphens
from ingest.numbers.literals import MALFORMED, read_literal
from ingest.numbers.number_words import below_hundred, hundreds, words_at
from ingest.numbers.parsed import FOOTNOTE, FRACTION, ORDINAL, PLAIN, YEAR
from ingest.numbers.parts import and_part, mixed_at, parts_of, slash_at
from ingest.numbers.tokens import LITERAL, RAISED, VULGAR, WORD

_ARTICLES = ("a", "an")
_MOST_SCALES = 4


def amount_at(context: Context, place: int) -> Amount | None:
    """Return the amount that starts at a place, None for none."""
    first = _half_of(context, place) or _spoken_year(context, place) or _part_at(context, place)
    if first is None or first.problem or first.kind in (ORDINAL, YEAR):
        return first
    return _add_parts(context, first)


def _add_parts(context: Context, first: Amount) -> Amount:
    """Return `3 million 200 thousand` as one: every further part is below the last scale."""
    total, is_open = first, first.scale > 1
    while is_open and total.step is not None:
        is_joined = context.lower(total.end) == "and"
        part = _part_at(context, total.end + is_joined, is_first=False)
        if part is None or part.problem or part.kind != PLAIN or part.value >= total.step:
            break
        # Bare digits behind a scale start a number of their own: `3 million 2019`.
        if not part.is_words and (is_joined or part.scale == 1):
            break
        total = replace(
            total,
            value=total.value + part.value,
            end=part.end,
            step=part.step,
            is_words=total.is_words and part.is_words,
        )
        is_open = part.scale > 1
    return total


def _part_at(context: Context, place: int, *, is_first: bool = True) -> Amount | None:
    """Return a group with its scales: `200`, `two hundred thousand`, `17k`, `a dozen`."""
    article = is_first and context.lower(place) in _ARTICLES
    group = _group_at(context, place)
    if group is None and is_first:
        start = place + article
        if _scale_at(context, start, is_digits=False) or context.lower(start) == "hundred":
            group = Amount(Fraction(1), start, is_words=True)
            group = hundreds(context, group)
    if group is None or group.problem or group.kind == ORDINAL:
        return group
    return _scaled(context, group)


def _scaled(context: Context, group: Amount) -> Amount:
    for count in range(_MOST_SCALES):
        scale = _scale_at(context, group.end, is_digits=not group.is_words and count == 0)
        if scale is None:
            break
        factor, end = scale
        group = replace(
            group,
            value=group.value * factor,
            step=None if group.step is None else group.step * factor,
            end=end,
            scale=group.scale * factor,
            kind=PLAIN,
        )
    return group


def _scale_at(context: Context, place: int, *, is_digits: bool) -> tuple[int, int] | None:
    """Return (factor, place behind) of a scale word or suffix."""
    token = context.at(place)
    if token.text == "-" and token.is_glued and context.at(place + 1).is_glued:
        place, token = place + 1, context.at(place + 1)
    if token.kind != WORD:
        return None
    if token.lower in lexicon.SCALES:
        return lexicon.SCALES[token.lower], place + 1
    if is_digits and token.lower in lexicon.SCALE_PLURALS:
        return lexicon.SCALE_PLURALS[token.lower], place + 1
    if not is_digits:
        return None
    suffixes = lexicon.GLUED_SCALES if token.is_glued else lexicon.SPACED_SCALES
    if context.has_currency:
        suffixes = lexicon.MONEY_SCALES
    factor = suffixes.get(token.text)
    return None if factor is None else (factor, place + 1)


def _group_at(context: Context, place: int) -> Amount | None:
    token = context.at(place)
    if token.kind == LITERAL:
        return _digits_at(context, place)
    if token.kind == VULGAR:
        return Amount(Fraction(*lexicon.VULGAR[token.text]), place + 1, None, FRACTION)
    words = words_at(context, place)
    fraction = parts_of(context, words, place)
    if fraction is not None:
        return fraction
    return None if words is None else and_part(context, words)


def _digits_at(context: Context, place: int) -> Amount | None:
    literal = read_literal(context.at(place).text, context.policy)
    if literal.value is None:
        if literal.problem == MALFORMED:
            return None
        return Amount(Fraction(0), place + 1, problem=literal.problem)
    amount = Amount(literal.value, place + 1, literal.step, notes=literal.notes)
    after = context.at(place + 1)
    if after.is_glued and after.lower in lexicon.ORDINAL_ENDINGS and after.kind == WORD:
        return replace(amount, kind=ORDINAL, end=place + 2)
    if after.kind == RAISED and after.is_glued:
        return replace(amount, end=place + 2, notes=(*amount.notes, FOOTNOTE))
    fraction = slash_at(context, place)
    if fraction is not None:
        return fraction
    if literal.is_bare:
        mixed = mixed_at(context, place, literal.value)
        if mixed is not None:
            return mixed
        if _is_year(context, place, literal.value):
            return replace(amount, kind=YEAR)
        parts = parts_of(context, replace(amount, is_words=True), place)
        if parts is not None:
            return replace(parts, is_words=False)
        amount = hundreds(context, replace(amount, is_words=False))
    return and_part(context, amount)


def _is_year(context: Context, place: int, value: Fraction) -> bool:
    policy = context.policy
    is_in_range = policy.first_year <= value <= policy.last_year
    return (
        is_in_range
        and len(context.at(place).text) == 4
        and not context.has_currency
        and _scale_at(context, place + 1, is_digits=True) is None
    )


def _half_of(context: Context, place: int) -> Amount | None:
    """Return `half a million`, `a quarter of a million`, `half a percent`: a part of one."""
    start = place + (context.lower(place) in _ARTICLES)
    word = context.lower(start)
    if word not in ("half", "quarter"):
        return None
    after = start + 1 + (context.lower(start + 1) == "of")
    after += context.lower(after) in _ARTICLES
    scale = _scale_at(context, after, is_digits=False)
    if scale is not None:
        value = Fraction(scale[0], lexicon.PART[word])
        return Amount(value, scale[1], None, scale=Fraction(scale[0]))
    if context.lower(after) in lexicon.PERCENT_WORDS:
        return Amount(Fraction(1, lexicon.PART[word]), after, None, FRACTION)
    return None


def _spoken_year(context: Context, place: int) -> Amount | None:
    """Return `nineteen ninety` as 1990: two numbers from 10 to 99, the first from 18 to 20."""
    century = {"eighteen": 18, "nineteen": 19, "twenty": 20}.get(context.lower(place))
    if century is None or not context.policy.spoken_years:
        return None
    after = place + 1 + hyphens(context, place + 1)
    below, end, is_ordinal = below_hundred(context, after)
    if end == after or is_ordinal or below < 10:
        return None
    return Amount(Fraction(100 * century + below), end, kind=YEAR, is_words=True)
