"""Numbers with units: what a figure is worth, in base units, however it is written."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from ingest.judge.lexical_dates import date_at
from ingest.judge.lexical_quantities import Quantity, join_compounds
from ingest.judge.lexical_tokens import NAME, NUMBER, SIGN, WORD, RawToken
from ingest.judge.lexical_words import STOP_WORDS
from ingest.judge.offline_registry import read_registry, word_list, words_of

_NUMBER_WORDS = {word: value for value, word in enumerate(word_list("small_number")) if value > 1}
_NUMBER_WORDS |= {word: 10 * place for place, word in enumerate(word_list("tens"), start=2)}
_MULTIPLIERS = {
    "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12,
    "bn": 10**9, "mn": 10**6, "k": 10**3,
}  # fmt: skip
_FRACTIONS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4,
    "fourths": 4, "fifth": 5, "fifths": 5, "sixth": 6, "tenth": 10, "tenths": 10,
}  # fmt: skip
_FACTORS = {"twice": 2, "double": 2, "doubled": 2, "doubles": 2, "thrice": 3, "triple": 3,
            "tripled": 3, "triples": 3, "quadrupled": 4}  # fmt: skip
_HEDGES = words_of("hedge")
_REFERENCE = words_of("reference")
_ORDINAL = frozenset(("st", "nd", "rd", "th"))
_RANGE = frozenset(("to", "and", "or", "-", "\u2013", "\u2212", "of", "versus", "vs"))
_EACH = frozenset(("a", "an", "per", "each", "every"))
_YEAR_LEADS = frozenset(("in", "since", "by", "until", "during", "after", "before"))
_SHARED = frozenset(("of", "the", "were", "are", "was", "is"))
_PLURALS = frozenset(("people", "children", "men", "women", "staff", "species"))
SOFT_LIMIT = 10
# A longer run of digits is a code, and its value might not fit a float.
MOST_DIGITS = 30


def find_quantities(tokens: Sequence[RawToken]) -> list[Quantity]:
    """Return the figures among the tokens; names such as `Tern 4` and `Table 2` are none."""
    found: list[Quantity] = []
    position = 0
    while position < len(tokens):
        quantity = _at(tokens, position)
        if quantity is None:
            position += 1
        else:
            found.append(quantity)
            position = quantity.last + 1
    return join_compounds(tokens, _share_units(tokens, found))


def _at(tokens: Sequence[RawToken], position: int) -> Quantity | None:
    token = tokens[position]
    if token.kind == NUMBER:
        return date_at(tokens, position) or _digits_at(tokens, position)
    if token.kind == WORD:
        return _word_at(tokens, position)
    return None


def _digits_at(tokens: Sequence[RawToken], position: int) -> Quantity | None:
    token = tokens[position]
    if len(token.text) > MOST_DIGITS:
        return None
    value = _parse(token.text)
    after = position + 1
    adjacent = after < len(tokens) and tokens[after].start == token.end
    if adjacent and tokens[after].kind == WORD and tokens[after].text.casefold() in _ORDINAL:
        return None
    first, dimension, factor = _before(tokens, position)
    after, multiplier = _multiplier(tokens, after, adjacent)
    if dimension is None:
        last, dimension, factor = _unit(tokens, after)
    else:
        last = after - 1
        factor *= _short_million(tokens, after, adjacent)
    if dimension is None and multiplier == 1 and _is_name_part(tokens, position):
        return None
    sign = -1 if _is_negative(tokens, first) else 1
    return Quantity(
        value=float(sign * value * multiplier * factor),
        dimension=dimension,
        is_soft=False,
        is_hedged=_is_hedged(tokens, first),
        first=first,
        last=max(last, position),
        counted=_counted(tokens, max(last, position)) if dimension is None else "",
        is_base=_text(tokens, first - 1) == "of",
    )


def _word_at(tokens: Sequence[RawToken], position: int) -> Quantity | None:
    word = tokens[position].text.casefold()
    factor_word = _factor_at(tokens, position)
    if factor_word is not None:
        return factor_word
    share = _share_at(tokens, position)
    if share is not None:
        return share
    if word not in _NUMBER_WORDS and not (word == "one" and _unit(tokens, position + 1)[1]):
        return None
    value = Fraction(_NUMBER_WORDS.get(word, 1))
    after = position + 1
    nxt = _text(tokens, after)
    if value >= 20 and nxt == "-":
        after, nxt = after + 1, _text(tokens, after + 1)
    if value >= 20 and _NUMBER_WORDS.get(nxt, 99) < 10:
        value += _NUMBER_WORDS[nxt]
        after += 1
    elif after > position + 1:
        after = position + 1
    after, multiplier = _multiplier(tokens, after, False)
    last, dimension, factor = _unit(tokens, after)
    counted = _counted(tokens, last) if dimension is None else ""
    soft = dimension is None and multiplier == 1 and value <= SOFT_LIMIT
    # What a part counts is said by nothing else: `four of the nine`.
    soft = soft and not _is_part(tokens, last + 1)
    hedged = _is_hedged(tokens, position)
    sign = -1 if _text(tokens, position - 1) == "minus" else 1
    amount = float(sign * value * multiplier * factor)
    return Quantity(amount, dimension, soft, hedged, position, last, counted)


def _factor_at(tokens: Sequence[RawToken], position: int) -> Quantity | None:
    """Return `doubled` or `twice a year` as a factor."""
    word, after = _text(tokens, position), _text(tokens, position + 1)
    if word == "once" and after in _EACH:
        return Quantity(1.0, "factor", True, False, position, position)
    if word == "halved":
        return Quantity(0.5, "factor", True, False, position, position)
    if word not in _FACTORS:
        return None
    return Quantity(float(_FACTORS[word]), "factor", True, False, position, position)


def _is_part(tokens: Sequence[RawToken], position: int) -> bool:
    """Return whether `of`, perhaps an article, and a number follow."""
    if _text(tokens, position) != "of":
        return False
    place = position + 1 + (_text(tokens, position + 1) in ("the", "all", "these", "our", "its"))
    is_digits = place < len(tokens) and tokens[place].kind == NUMBER
    return is_digits or _text(tokens, place) in _NUMBER_WORDS


def _parse(text: str) -> Fraction:
    if "." in text or text.count(",") > 1 or (len(text) - text.rfind(",") == 4 and "," in text):
        text = text.replace(",", "")
    return Fraction(text.replace(",", "."))


def _before(tokens: Sequence[RawToken], position: int) -> tuple[int, str | None, Fraction]:
    """Look for a currency before the number."""
    if position > 0 and tokens[position - 1].kind in (SIGN, WORD):
        known = _units().get(tokens[position - 1].text)
        if known is not None and known[0] in ("dollar", "euro", "pound", "yen"):
            return position - 1, known[0], known[1]
    return position, None, Fraction(1)


def _multiplier(tokens: Sequence[RawToken], after: int, adjacent: bool) -> tuple[int, int]:
    word = _text(tokens, after)
    if word not in _MULTIPLIERS or (word == "k" and not adjacent):
        return after, 1
    product = _MULTIPLIERS[word]
    following = _text(tokens, after + 1)
    if following in _MULTIPLIERS and len(following) > 2:
        return after + 2, product * _MULTIPLIERS[following]
    return after + 1, product


def _short_million(tokens: Sequence[RawToken], after: int, adjacent: bool) -> int:
    return 10**6 if adjacent and _text(tokens, after) == "m" else 1


def _unit(tokens: Sequence[RawToken], after: int) -> tuple[int, str | None, Fraction]:
    """Return (last token, dimension, factor) of a unit that starts at token `after`."""
    start = after + 1 if _text(tokens, after) == "-" and after + 1 < len(tokens) else after
    for length in (2, 1):
        piece = tokens[start : start + length]
        if len(piece) < length or any(t.kind not in (WORD, SIGN, NAME) for t in piece):
            continue
        glue = "" if piece[0].kind == SIGN else " "
        form = glue.join(token.text for token in piece)
        known = _units().get(form) or (_units().get(form.casefold()) if len(form) > 2 else None)
        if known is not None:
            return start + length - 1, known[0], known[1]
    return after - 1, None, Fraction(1)


def _counted(tokens: Sequence[RawToken], last: int) -> str:
    """Return the noun that is counted: the first plural among the next three words."""
    for token in tokens[last + 1 : last + 4]:
        word = token.text.casefold()
        if token.kind != WORD or word in STOP_WORDS:
            return ""
        if word in _PLURALS or (word.endswith("s") and not word.endswith(("ss", "us", "is"))):
            return word
    return ""


def _is_name_part(tokens: Sequence[RawToken], position: int) -> bool:
    """Return whether a bare number belongs to a name (`Tern 4`) or a reference (`Table 2`)."""
    if position == 0 or tokens[position - 1].kind != WORD or "." in tokens[position].text:
        return False
    before = tokens[position - 1].text
    if before.casefold() in _REFERENCE:
        return True
    is_capital = before[0].isupper() and before.casefold() not in STOP_WORDS
    return is_capital and len(tokens[position].text) <= 2 and len(before) > 1


def _is_negative(tokens: Sequence[RawToken], first: int) -> bool:
    if first > 0 and tokens[first - 1].text.casefold() == "minus":
        return True
    if first == 0 or tokens[first - 1].text not in ("-", "\u2212", "\u2013"):
        return False
    adjacent = tokens[first - 1].end == tokens[first].start
    touching = first > 1 and tokens[first - 2].end == tokens[first - 1].start
    return adjacent and not touching


def _is_hedged(tokens: Sequence[RawToken], first: int) -> bool:
    return first > 0 and tokens[first - 1].text.casefold() in _HEDGES


def _share_at(tokens: Sequence[RawToken], position: int) -> Quantity | None:
    """Return `two thirds` or `half of` as percent; a fraction in words is a round figure."""
    word, after = _text(tokens, position), _text(tokens, position + 1)
    parts = 1 if word == "one" else _NUMBER_WORDS.get(word, 0)
    if parts and after in _FRACTIONS and parts < _FRACTIONS[after]:
        value = float(Fraction(100 * parts, _FRACTIONS[after]))
        return Quantity(value, "percent", False, True, position, position + 1)
    if word not in _FRACTIONS or not (after in _SHARED or _text(tokens, position - 1) == "by"):
        return None
    return Quantity(
        float(Fraction(100, _FRACTIONS[word])), "percent", False, True, position, position
    )


def _text(tokens: Sequence[RawToken], position: int) -> str:
    return tokens[position].text.casefold() if 0 <= position < len(tokens) else ""


def _share_units(tokens: Sequence[RawToken], found: list[Quantity]) -> list[Quantity]:
    """Give the first number of a range (`15 to 20 cm`) the unit of the second."""
    shared = list(found)
    for place in range(len(shared) - 2, -1, -1):
        left, right = shared[place], shared[place + 1]
        between = [token.text.casefold() for token in tokens[left.last + 1 : right.first]]
        linked = len(between) == 1 and between[0] in _RANGE
        if not linked or left.dimension is not None or right.dimension is None:
            continue
        if left.is_year and _text(tokens, left.first - 1) in _YEAR_LEADS:
            continue
        # The shortest decimal of the float is the number as written.
        value = float(Fraction(repr(left.value)) * _factor_after(tokens, right))
        shared[place] = replace(
            left, value=value, dimension=right.dimension, is_soft=False, counted=""
        )
    return shared


def _factor_after(tokens: Sequence[RawToken], quantity: Quantity) -> Fraction:
    for place in range(quantity.first, quantity.last + 1):
        last, dimension, factor = _unit(tokens, place)
        if dimension == quantity.dimension and last == quantity.last:
            return factor
    return Fraction(1)


@functools.cache
def _units() -> dict[str, tuple[str, Fraction]]:
    return {
        row["form"]: (row["dimension"], Fraction(row["factor"]))
        for row in read_registry("offline_units")
    }
