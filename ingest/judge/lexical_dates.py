"""Days of the year in a text: `3 June` and `June 3` are one figure, not a number and a word."""

from __future__ import annotations

from collections.abc import Sequence

from ingest.judge.lexical_quantities import Quantity
from ingest.judge.lexical_tokens import NUMBER, WORD, RawToken

_MONTHS = {
    "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7,
    "august": 8, "september": 9, "october": 10, "november": 11, "december": 12, "jan": 1,
    "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10,
    "nov": 11, "dec": 12,
}  # fmt: skip
_ORDINAL = frozenset(("st", "nd", "rd", "th"))
_LAST_DAY = 31


def date_at(tokens: Sequence[RawToken], position: int) -> Quantity | None:
    """Return the day of the year whose number stands at a position, or None.

    Its value is month * 100 + day, its dimension `date`. A month is written with a capital,
    which tells `May` from the verb.
    """
    token = tokens[position]
    if token.kind != NUMBER or not token.text.isdigit() or len(token.text) > len("31"):
        return None
    day = int(token.text)
    if not 1 <= day <= _LAST_DAY:
        return None
    after = position + 1
    if after < len(tokens) and tokens[after].text in _ORDINAL:
        after += 1
    if after < len(tokens) and tokens[after].text == "of":
        after += 1
    following = _month(tokens, after)
    if following:
        return _date(following, day, position, after)
    before = _month(tokens, position - 1)
    # `In May 30 farms` counts farms; a date ends its phrase.
    if before and _ends_phrase(tokens, position + 1):
        return _date(before, day, position - 1, position)
    return None


def _date(month: int, day: int, first: int, last: int) -> Quantity:
    return Quantity(float(100 * month + day), "date", False, False, first, last)


def _month(tokens: Sequence[RawToken], position: int) -> int:
    if not 0 <= position < len(tokens):
        return 0
    token = tokens[position]
    is_name = token.kind == WORD and token.text[0].isupper()
    return _MONTHS.get(token.text.casefold(), 0) if is_name else 0


def _ends_phrase(tokens: Sequence[RawToken], position: int) -> bool:
    return position >= len(tokens) or tokens[position].kind != WORD
