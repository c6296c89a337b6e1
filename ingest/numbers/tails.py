"""What stands behind an amount: percent, currency, unit, rate, bound."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ingest.numbers import lexicon
from ingest.numbers.parsed import (
    BASIS_POINT,
    GE,
    MULTIPLE,
    ORDINAL,
    PER_MILLE,
    PERCENT,
    PERCENTAGE_POINT,
    PLAIN,
    YEAR,
    Number,
)
from ingest.numbers.tokens import DASHES, LITERAL, MONEY, WORD, Token, at
from ingest.numbers.tokens import PERCENT as PERCENT_SIGN


def tail(tokens: list[Token], number: Number, place: int) -> tuple[Number, int]:
    """Return the number with what stands behind it: percent, currency, unit."""
    if number.kind == ORDINAL:
        return number, place
    share = _share_at(tokens, place)
    if share is not None:
        kind, per, end = share
        return replace(times(number, Fraction(1, per)), kind=kind), end
    token = at(tokens, place + _hyphen(tokens, place))
    if number.unit is None:
        number, place = _unit_behind(tokens, number, place)
    elif token.text in lexicon.CURRENCY_CODES:
        # In `$10 USD` the code is more exact than the sign.
        number, place = replace(number, unit=token.text), place + 1
    if number.kind == PLAIN and number.unit is None and _is_multiple(tokens, place):
        return replace(number, kind=MULTIPLE), place + 1 + _hyphen(tokens, place)
    return _rate(tokens, number, place) if number.unit is not None else (number, place)


def bound(tokens: list[Token], number: Number, place: int) -> tuple[Number, int]:
    """Return `30+` and `30 or more` with their qualifier."""
    token, after = at(tokens, place), at(tokens, place + 1)
    if token.text == "+" and token.is_glued and after.kind != LITERAL:
        return tail(tokens, replace(number, qualifier=GE), place + 1)
    qualifier = lexicon.TRAILING_QUALIFIERS.get((token.lower, after.lower))
    if qualifier is None:
        return number, place
    return replace(number, qualifier=qualifier), place + 2


def behind_bracket(tokens: list[Token], number: Number, place: int) -> tuple[Number, int, bool]:
    """Return what follows `(9.8)`: a scale word or a percent sign makes the bracket a minus."""
    factor = lexicon.SCALES.get(at(tokens, place).lower)
    if factor is not None and number.scale == 1:
        number = times(number, Fraction(factor))
        number, behind = tail(tokens, number, place + 1)
        return number, behind, True
    number, behind = tail(tokens, number, place)
    return number, behind, behind > place


def times(number: Number, factor: Fraction) -> Number:
    """Return the number with a scale applied to its value and step."""
    step = None if number.step is None else number.step * factor
    return replace(number, value=number.value * factor, step=step, scale=number.scale * factor)


def _share_at(tokens: list[Token], place: int) -> tuple[str, int, int] | None:
    """Return (kind, parts of one, place behind) of `%`, `per cent`, `pp`, `basis points`."""
    place += _hyphen(tokens, place)
    token, after = at(tokens, place), at(tokens, place + 1 + _hyphen(tokens, place + 1))
    behind = place + 2 + _hyphen(tokens, place + 1)
    if token.kind == PERCENT_SIGN:
        if token.text == "\u2030":
            return PER_MILLE, 1000, place + 1
        is_point = after.lower in lexicon.POINT_WORDS
        return (PERCENTAGE_POINT, 100, behind) if is_point else (PERCENT, 100, place + 1)
    if token.kind != WORD:
        return None
    if token.lower in lexicon.PERCENT_WORDS:
        is_point = after.lower in lexicon.POINT_WORDS
        return (PERCENTAGE_POINT, 100, behind) if is_point else (PERCENT, 100, place + 1)
    if token.lower == "per" and after.lower == "cent":
        return PERCENT, 100, place + 2
    if token.lower in lexicon.PERCENTAGE_POINTS:
        return PERCENTAGE_POINT, 100, place + 1
    if token.lower in lexicon.BASIS_POINTS:
        return BASIS_POINT, 10_000, place + 1
    if token.lower == "basis" and after.lower in lexicon.POINT_WORDS:
        return BASIS_POINT, 10_000, behind
    return None


def _hyphen(tokens: list[Token], place: int) -> int:
    token = at(tokens, place)
    return int(token.text in DASHES[:1] and token.is_glued and at(tokens, place + 1).is_glued)


def _unit_behind(tokens: list[Token], number: Number, place: int) -> tuple[Number, int]:
    start = place + _hyphen(tokens, place)
    token = at(tokens, start)
    if token.kind == MONEY:
        # In `5 $10` the sign belongs to the number behind it.
        if at(tokens, start + 1).kind == LITERAL:
            return number, place
        return replace(number, unit=lexicon.CURRENCY_SIGNS[token.text]), start + 1
    if token.kind != WORD:
        return number, place
    if token.text in lexicon.CURRENCY_CODES:
        return replace(number, unit=token.text), start + 1
    after = at(tokens, start + 1)
    if token.lower in ("us", "american") and after.lower in ("dollar", "dollars"):
        return replace(number, unit="USD"), start + 2
    if token.lower in lexicon.CURRENCY_WORDS:
        return replace(number, unit=lexicon.CURRENCY_WORDS[token.lower]), start + 1
    unit = lexicon.UNITS.get(token.text) or (
        lexicon.UNITS.get(token.lower) if len(token.text) > 3 else None
    )
    if unit is None or number.kind == YEAR:
        return number, place
    return replace(number, unit=unit), start + 1


def _is_multiple(tokens: list[Token], place: int) -> bool:
    token = at(tokens, place + _hyphen(tokens, place))
    return token.text in lexicon.MULTIPLES


def _rate(tokens: list[Token], number: Number, place: int) -> tuple[Number, int]:
    """Return `$5/hour` and `$5 per share` with the rate as part of the unit."""
    token, after = at(tokens, place), at(tokens, place + 1)
    is_rate = (token.text == "/" and token.is_glued) or token.lower == "per"
    if not is_rate or after.kind != WORD:
        return number, place
    base = lexicon.UNITS.get(after.text) or lexicon.UNITS.get(after.lower) or after.lower
    return replace(number, unit=f"{number.unit}/{base}"), place + 2
