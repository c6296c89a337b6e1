"""Groups: numbers that belong together, and figures that are no numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ingest.numbers import lexicon
from ingest.numbers.parsed import (
    CURRENCY,
    FRACTION,
    IDENTIFIER,
    MEASURE,
    PERIOD,
    PLAIN,
    RANGE,
    RATIO,
    TEXT,
    TIME,
    YEAR,
    Number,
)
from ingest.numbers.phrases import Phrase, phrase_at
from ingest.numbers.policy import NumberPolicy
from ingest.numbers.tokens import CODE, DASHES, LITERAL, WORD, Token, at

_DASHES = (*DASHES, "\u2014")
_DATE = re.compile(r"[0-9]{4}([-/.])[0-9]{1,2}\1[0-9]{1,2}|[0-9]{1,2}([-/.])[0-9]{1,2}\2[0-9]{2,4}")
_UNTIL = ("to", "through", "until")
_QUARTERS = ("q", "h", "fy", "cy")


@dataclass(frozen=True)
class Group:
    """What some tokens say together.

    Attributes:
        kind: kind of the number, `range`, `ratio`, `measure`, or what it is instead of a number.
        numbers: none for periods, times, identifiers and idioms.
        first: place of the first token.
        end: place behind the last.
        phrase: of a lone number.
        problem: why a number has no value, else empty.
    """

    kind: str
    numbers: tuple[Number, ...]
    first: int
    end: int
    phrase: Phrase | None = None
    problem: str = ""


def find_groups(tokens: list[Token], policy: NumberPolicy) -> list[Group]:
    """Return the groups of a text in order; every other token is passed over."""
    found: list[Group] = []
    place = 0
    while place < len(tokens):
        group = _no_number(tokens, place, policy) or _numbers_at(tokens, place, policy)
        if group is None:
            place += 1
        else:
            found.append(group)
            place = group.end
    return found


def _no_number(tokens: list[Token], place: int, policy: NumberPolicy) -> Group | None:
    """Return what only looks like a number."""
    period = _period_end(tokens, place)
    if period > place:
        return Group(PERIOD, (), place, period)
    token, after, second = (at(tokens, place + ahead) for ahead in range(3))
    if token.kind == CODE:
        return Group(_code_kind(token.text), (), place, place + 1)
    if token.kind == WORD and token.lower in lexicon.VAGUE:
        return _vague(tokens, place)
    if token.kind != LITERAL or not (after.is_glued and second.is_glued):
        return None
    if token.text + after.text + second.text in policy.idioms:
        return Group(TEXT, (), place, place + 3)
    is_clock = after.text == ":" and token.text.isdigit() and int(token.text[:3]) <= 24
    if is_clock and second.kind == LITERAL and len(second.text) == 2:
        end = place + 3
        while at(tokens, end).text == ":" and at(tokens, end + 1).kind == LITERAL:
            end += 2
        return Group(TIME, (), place, end + (at(tokens, end).lower in ("am", "pm")))
    return None


def _code_kind(text: str) -> str:
    if _DATE.fullmatch(text):
        return PERIOD
    is_name = "_" not in text and any(character.isalpha() for character in text)
    return IDENTIFIER if is_name else TEXT


def _vague(tokens: list[Token], place: int) -> Group | None:
    """Return `a few hundred`, `a couple of million`: no number, whatever scale follows."""
    end = place + 1 + (at(tokens, place + 1).lower == "of")
    scales = 0
    while at(tokens, end).lower in lexicon.SCALES or at(tokens, end).lower == "hundred":
        end, scales = end + 1, scales + 1
    return Group(TEXT, (), place, end) if scales else None


def _period_end(tokens: list[Token], place: int) -> int:
    """Return the place behind a quarter, a fiscal year or a date, `place` for none."""
    token, after = at(tokens, place), at(tokens, place + 1)
    if _year_like(token) and after.text == "s" and after.is_glued:
        return place + 2
    if token.kind == CODE and token.lower.rstrip("0123456789") in _QUARTERS:
        return place + 1 + _year_like(after)
    if token.kind == WORD and token.lower in ("fy", "fiscal") and after.kind in (WORD, LITERAL):
        behind = place + 1 + (after.lower == "year")
        return behind + 1 if _year_like(at(tokens, behind)) else place
    if token.lower in lexicon.ORDINALS and after.lower == "quarter":
        behind = place + 2 + (at(tokens, place + 2).lower == "of")
        return behind + 1 if _year_like(at(tokens, behind)) else place + 2
    if token.kind == WORD and token.lower in lexicon.MONTHS:
        return _date_end(tokens, place)
    is_day = token.kind == LITERAL and token.text.isdigit() and len(token.text) <= 2
    if is_day:
        month = place + 1 + (after.lower in lexicon.ORDINAL_ENDINGS)
        month += at(tokens, month).lower == "of"
        if at(tokens, month).lower in lexicon.MONTHS:
            return month + 1 + _year_like(at(tokens, month + 1))
    return _fiscal_years(tokens, place)


def _date_end(tokens: list[Token], place: int) -> int:
    """Return the place behind `June 30, 2019`, `June 2019`; a month alone is a word."""
    end = place + 1 + (at(tokens, place + 1).text == ".")
    token = at(tokens, end)
    if _year_like(token):
        return end + 1
    if token.kind != LITERAL or not token.text.isdigit() or len(token.text) > 2:
        return place
    end += 1
    end += at(tokens, end).lower in lexicon.ORDINAL_ENDINGS
    year = end + (at(tokens, end).text == ",")
    return year + 1 if _year_like(at(tokens, year)) else end


def _year_like(token: Token) -> bool:
    is_literal = token.kind == LITERAL and token.text.isdigit()
    return is_literal and len(token.text) == 4 and token.text[:2] in ("18", "19", "20", "21")


def _fiscal_years(tokens: list[Token], place: int) -> int:
    """Return the place behind `2013-14` or `2013/14`, `place` for none."""
    left, dash, right = (at(tokens, place + ahead) for ahead in range(3))
    if not _year_like(left) or dash.text not in (*_DASHES, "/"):
        return place
    after = at(tokens, place + 3)
    is_open = after.is_glued and after.kind in (WORD, CODE, LITERAL)
    is_glued = dash.is_glued and right.is_glued and not is_open
    is_short = right.kind == LITERAL and right.text.isdigit() and len(right.text) == 2
    if is_short and is_glued and (int(right.text) - int(left.text)) % 100 <= 20:
        return place + 3
    return place


def _numbers_at(tokens: list[Token], place: int, policy: NumberPolicy) -> Group | None:
    start = place + (at(tokens, place).lower in ("between", "from"))
    first = phrase_at(tokens, start, policy)
    if first is None:
        return None
    if first.problem:
        return Group(PLAIN, (), place, first.end, problem=first.problem)
    opener = at(tokens, place).lower if start > place else ""
    second = _range_end(tokens, first, opener, policy)
    if second is not None:
        numbers = _distribute(first.number, second.number)
        if second.problem or opener or _are_alike(*numbers):
            return Group(RANGE, numbers, place, second.end, problem=second.problem)
    ratio = _ratio(tokens, first, policy)
    if ratio is not None:
        return ratio
    lone = Group(first.number.kind, (first.number,), start, first.end, first)
    return _compound(tokens, lone, policy)


def _range_end(
    tokens: list[Token], first: Phrase, opener: str, policy: NumberPolicy
) -> Phrase | None:
    """Return the second number of a range."""
    link = at(tokens, first.end)
    is_link = link.text in _DASHES or link.lower in _UNTIL
    if opener == "between":
        is_link = is_link or link.lower == "and"
    if not is_link or first.is_bracketed:
        return None
    return phrase_at(tokens, first.end + 1, policy)


def _distribute(left: Number, right: Number) -> tuple[Number, ...]:
    """Return both ends of a range; what stands once, before or behind it, holds for both."""
    is_open = left.kind in (PLAIN, YEAR, CURRENCY) and left.scale == 1
    # In `500,000 to 2 million` the first number is complete, or it would be the larger one.
    is_below = right.scale < 1 or left.value <= right.value / right.scale
    if is_open and right.scale != 1 and is_below:
        step = None if left.step is None else left.step * right.scale
        kind = CURRENCY if left.kind == CURRENCY else right.kind
        left = replace(
            left, value=left.value * right.scale, scale=right.scale, step=step, kind=kind
        )
    if left.unit is None and right.unit is not None and left.kind in (PLAIN, YEAR, right.kind):
        left = replace(left, unit=right.unit, kind=right.kind)
    if right.qualifier is None:
        right = replace(right, qualifier=left.qualifier)
    if right.unit is None and left.kind == CURRENCY and right.kind in (PLAIN, YEAR):
        right = replace(right, unit=left.unit, kind=CURRENCY)
    return left, right


def _are_alike(left: Number, right: Number) -> bool:
    """Return whether two numbers can be ends of one range: not `rose 5 % to $3 million`."""
    return left.kind == right.kind or bool({left.kind, right.kind} & {PLAIN, YEAR, FRACTION})


def _ratio(tokens: list[Token], first: Phrase, policy: NumberPolicy) -> Group | None:
    """Return `1 in 4`, `9 out of 10`, `3 of the 5`, `3:1` as two numbers."""
    if first.number.kind != PLAIN or first.is_bracketed:
        return None
    link = at(tokens, first.end)
    behind = first.end + 1
    if link.lower == "out" and at(tokens, behind).lower == "of":
        behind += 1
    elif link.lower not in ("in", "of") and not (link.text == ":" and link.is_glued):
        return None
    if link.lower in ("of", "out") and at(tokens, behind).lower == "the":
        behind += 1
    if link.text == ":" and not at(tokens, behind).is_glued:
        return None
    second = phrase_at(tokens, behind, policy)
    if second is None or second.problem or second.number.kind != PLAIN:
        return None
    if link.text != ":" and (second.number.value <= 0 or first.number.value > second.number.value):
        return None
    return Group(RATIO, (first.number, second.number), first.first, second.end)


def _compound(tokens: list[Token], group: Group, policy: NumberPolicy) -> Group:
    """Return `2 hours 30 minutes` as one measure of two numbers."""
    numbers = list(group.numbers)
    while numbers[-1].kind == MEASURE:
        after = group.end + (at(tokens, group.end).lower == "and")
        following = phrase_at(tokens, after, policy)
        if following is None or not _is_smaller(numbers[-1].unit, following.number.unit):
            break
        numbers.append(following.number)
        group = replace(group, numbers=tuple(numbers), end=following.end, phrase=None)
    return group


def _is_smaller(unit: str | None, following: str | None) -> bool:
    for family in lexicon.COMPOUND_UNITS:
        if unit in family and following in family:
            return family.index(str(unit)) < family.index(str(following))
    return False
