"""Phrases: an amount with its qualifier, sign, brackets, currency and what stands behind it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from ingest.numbers import lexicon
from ingest.numbers.amounts import amount_at
from ingest.numbers.context import Amount, Context
from ingest.numbers.literals import TOO_LARGE, in_range
from ingest.numbers.parsed import CURRENCY, FRACTION, MEASURE, PLAIN, RANK, YEAR, Number
from ingest.numbers.policy import NumberPolicy
from ingest.numbers.tails import behind_bracket, bound, tail
from ingest.numbers.tokens import CODE, LITERAL, MONEY, WORD, Token, at

_SOLID = (WORD, CODE, LITERAL)


@dataclass(frozen=True)
class Phrase:
    """A number and the tokens that say it.

    Attributes:
        number: what they say.
        first: place of the first token.
        end: place behind the last.
        is_bracketed: whether round brackets close the number in; a minus where nothing else
            is said.
        is_weak: often no number in running text (`one`, `first`).
        is_slash: a fraction with a slash.
        is_bare: an amount and nothing beside it.
        problem: why the number has no value, else empty.
    """

    number: Number
    first: int
    end: int
    is_bracketed: bool = False
    is_weak: bool = False
    is_slash: bool = False
    is_bare: bool = False
    problem: str = ""


@dataclass(frozen=True)
class _Head:
    """What stands before an amount."""

    place: int
    sign: int = 1
    unit: str | None = None
    qualifier: str | None = None
    is_rank: bool = False
    brackets: int = 0
    is_money_bracket: bool = False


def phrase_at(tokens: list[Token], place: int, policy: NumberPolicy) -> Phrase | None:
    """Return the number that starts at a place, None for none."""
    head = _head(tokens, place, policy)
    context = Context(tokens, policy, head.unit is not None or _has_code_behind(tokens, head.place))
    amount = amount_at(context, head.place)
    if amount is None:
        return None
    if amount.problem:
        return Phrase(Number(Fraction(0)), place, amount.end, problem=amount.problem)
    return _finish(tokens, place, head, amount)


def _has_code_behind(tokens: list[Token], place: int) -> bool:
    """Return whether a currency follows digits and a suffix: `5m USD`."""
    return any(at(tokens, place + ahead).text in lexicon.CURRENCY_CODES for ahead in (1, 2))


def _head(tokens: list[Token], place: int, policy: NumberPolicy) -> _Head:
    qualifier, place = _qualifier_at(tokens, place)
    is_rank, place = _rank_at(tokens, place)
    head = _Head(place, qualifier=qualifier, is_rank=is_rank)
    for _ in range(4):
        moved = _step_head(tokens, head, policy)
        if moved is None:
            break
        head = moved
    return head


def _step_head(tokens: list[Token], head: _Head, policy: NumberPolicy) -> _Head | None:
    token = at(tokens, head.place)
    if head.unit is None:
        unit = _currency_before(token)
        if unit is not None:
            return replace(head, place=head.place + 1, unit=unit)
    if head.sign == 1 and _is_sign(tokens, head.place, policy):
        sign = 1 if token.text == "+" else -1
        return replace(head, place=head.place + 1, sign=sign)
    if token.text == "(" and not head.brackets:
        is_money = head.unit is not None
        return replace(head, place=head.place + 1, brackets=1, is_money_bracket=is_money)
    return None


def _currency_before(token: Token) -> str | None:
    if token.kind == MONEY:
        return lexicon.CURRENCY_SIGNS.get(token.text, token.text.rstrip("."))
    is_code = token.kind == WORD and token.text in lexicon.CURRENCY_CODES
    return token.text if is_code else None


def _is_sign(tokens: list[Token], place: int, policy: NumberPolicy) -> bool:
    token, after = at(tokens, place), at(tokens, place + 1)
    if token.kind == WORD:
        return token.lower in lexicon.MINUS_WORDS
    if token.text == "\u2212":
        return True
    is_inside = token.is_glued and at(tokens, place - 1).kind in _SOLID
    if not after.is_glued or is_inside:
        return False
    return token.text in ("+", "-") or (token.text == "\u2013" and policy.en_dash_is_minus)


def _qualifier_at(tokens: list[Token], place: int) -> tuple[str | None, int]:
    sign = lexicon.QUALIFIER_SIGNS.get(at(tokens, place).text)
    if sign is not None:
        return sign, place + 1
    for length in range(lexicon.LONGEST_QUALIFIER, 0, -1):
        words = tuple(token.lower for token in tokens[place : place + length])
        qualifier = lexicon.QUALIFIER_PHRASES.get(words)
        if qualifier is not None:
            return qualifier, place + length
    return None, place


def _rank_at(tokens: list[Token], place: int) -> tuple[bool, int]:
    """Return whether `#`, `No.`, `rank` or `page` leads to digits."""
    token = at(tokens, place)
    if token.text == "#":
        return at(tokens, place + 1).kind == LITERAL, place + 1
    if token.kind == WORD and token.lower in lexicon.RANK_LEADS:
        after = place + 1 + (at(tokens, place + 1).text == ".")
        after += at(tokens, after).text == "#"
        if at(tokens, after).kind == LITERAL:
            return True, after
    return False, place


def _finish(tokens: list[Token], first: int, head: _Head, amount: Amount) -> Phrase | None:
    number = Number(
        amount.value,
        amount.kind,
        head.unit,
        head.qualifier,
        amount.step,
        amount.scale,
        amount.notes,
    )
    place = amount.end
    number, place = tail(tokens, number, place)
    is_closed = bool(head.brackets) and at(tokens, place).text == ")"
    is_sign = is_closed and head.is_money_bracket
    if is_closed:
        number, place, has_more = behind_bracket(tokens, number, place + 1)
        is_sign = is_sign or has_more
    elif head.brackets:
        return None
    number, place = bound(tokens, number, place)
    number = _with_kind(number, head)
    is_minus = head.sign < 0 or is_sign
    number = replace(number, value=-number.value if is_minus else number.value)
    if not in_range(number.value):
        return Phrase(Number(Fraction(0)), first, place, problem=TOO_LARGE)
    is_bare = place == amount.end and first == head.place and amount.end == first + 1
    return Phrase(
        number,
        first,
        place,
        is_bracketed=is_closed and not is_minus,
        is_weak=amount.is_one_word and place == amount.end,
        is_slash=amount.is_slash,
        is_bare=is_bare,
    )


def _with_kind(number: Number, head: _Head) -> Number:
    """Return the number with the kind that its surroundings give it."""
    if head.is_rank and number.kind in (PLAIN, YEAR):
        return replace(number, kind=RANK)
    if number.kind not in (PLAIN, YEAR, FRACTION) or number.unit is None:
        is_signed = number.kind == YEAR and head.sign < 0
        return replace(number, kind=PLAIN) if is_signed else number
    return replace(number, kind=CURRENCY if _is_currency(number.unit) else MEASURE)


def _is_currency(unit: str) -> bool:
    base = unit.split("/")[0]
    return (
        base in lexicon.CURRENCY_CODES
        or base in lexicon.CURRENCY_SIGNS.values()
        or base in lexicon.CURRENCY_WORDS.values()
        or base == "Rs"
    )
