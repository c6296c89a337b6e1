"""Digits as written: grouping, decimal marks, powers of ten."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from ingest.numbers.lexicon import RAISED
from ingest.numbers.parsed import DECIMAL_COMMA, POINT_OR_GROUP
from ingest.numbers.policy import NumberPolicy

LARGEST = 2**1024 - 2**970
"""The largest double; what lies beyond is invalid, for stores of numbers turn it to infinity."""
SMALLEST = Fraction(1, 2**1074)
TOO_LARGE, MALFORMED = "out_of_range", "malformed"
_MOST_EXPONENT_DIGITS = 4

_POWER = re.compile(
    r"(?P<mantissa>.*?)(?:[eE](?P<exponent>[+\u2212-]?[0-9]+)"
    r"|(?:[ ]?[xX\u00d7*\u00b7][ ]?)?10(?:\^|\*\*)(?P<caret>[+\u2212-]?[0-9]+)"
    r"|(?:[ ]?[xX\u00d7*\u00b7][ ]?)?10(?P<raised>[\u207b\u207a]?[\u2070\u00b9\u00b2\u00b3"
    r"\u2074-\u2079]+))",
    re.DOTALL,
)
_WESTERN = re.compile(r"[0-9]{1,3}(?:(?P<mark>[.,'\u2019 ])[0-9]{3})(?:(?P=mark)[0-9]{3})*")
_INDIAN = re.compile(r"[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}")


@dataclass(frozen=True)
class Literal:
    """A number in digits.

    Attributes:
        value: exact, None with a problem.
        step: place value of the last digit written.
        is_bare: nothing but digits, such as a year has.
        problem: empty, `out_of_range` or `malformed`.
        notes: what the policy decided.
    """

    value: Fraction | None
    step: Fraction = Fraction(1)
    is_bare: bool = False
    problem: str = ""
    notes: tuple[str, ...] = ()


def read_literal(text: str, policy: NumberPolicy) -> Literal:
    """Return what digits are worth; `text` is a literal as the tokenizer found it."""
    power = _POWER.fullmatch(text)
    mantissa = power["mantissa"] if power else text
    if sum(character.isdigit() for character in text) > policy.most_digits:
        return Literal(None, problem=TOO_LARGE)
    read = _read_mantissa(mantissa, policy) if mantissa else Literal(Fraction(1))
    if power is None or read.value is None:
        return read
    exponent = _exponent(power)
    if exponent is None:
        return Literal(None, problem=TOO_LARGE)
    factor = Fraction(10) ** exponent
    value = read.value * factor
    if not in_range(value):
        return Literal(None, problem=TOO_LARGE)
    return Literal(value, read.step * factor, notes=read.notes)


def in_range(value: Fraction) -> bool:
    """Return whether a value is zero or within what a double can hold."""
    return value == 0 or SMALLEST <= abs(value) <= LARGEST


def _exponent(power: re.Match[str]) -> int | None:
    written = power["exponent"] or power["caret"]
    if written is None:
        written = "".join(RAISED[character] for character in power["raised"])
    written = written.replace("\u2212", "-")
    # An exponent of ten digits would be computed for hours before it is found too large.
    return int(written) if len(written.strip("+-")) <= _MOST_EXPONENT_DIGITS else None


def _read_mantissa(text: str, policy: NumberPolicy) -> Literal:
    whole, mark, decimals, notes = _split(text, policy)
    if mark is None:
        return Literal(None, problem=MALFORMED)
    value = Fraction(int(f"{whole or '0'}{decimals}"), 10 ** len(decimals))
    if not in_range(value):
        return Literal(None, problem=TOO_LARGE)
    return Literal(value, Fraction(1, 10 ** len(decimals)), text.isdigit(), notes=notes)


def _split(text: str, policy: NumberPolicy) -> tuple[str, str | None, str, tuple[str, ...]]:
    """Return (digits before, decimal mark, digits behind, notes); mark None for malformed."""
    points, commas = text.count("."), text.count(",")
    grouped_otherwise = any(mark in text for mark in " '\u2019")
    if points and commas:
        mark = max(".,", key=text.rfind)
        if text.count(mark) > 1:
            return "", None, "", ()
        return _at_mark(text, mark, grouped_otherwise)
    if not points and not commas:
        return (*_whole(text), "", ())
    mark = "." if points else ","
    if points + commas > 1:
        return (*_whole(text), "", ()) if not grouped_otherwise else ("", None, "", ())
    if grouped_otherwise:
        return _at_mark(text, mark, is_grouped=True)
    return _at_single_mark(text, mark, policy)


def _at_mark(
    text: str, mark: str, is_grouped: bool, notes: tuple[str, ...] = ()
) -> tuple[str, str | None, str, tuple[str, ...]]:
    before, _, behind = text.rpartition(mark)
    if is_grouped and ("," in before or "." in before):
        return "", None, "", ()
    whole, found = _whole(before)
    return whole, mark if found is not None else None, behind, notes


def _at_single_mark(
    text: str, mark: str, policy: NumberPolicy
) -> tuple[str, str | None, str, tuple[str, ...]]:
    looks_grouped = _WESTERN.fullmatch(text) is not None and not text.startswith("0")
    if mark == policy.decimal_mark:
        notes = (POINT_OR_GROUP,) if looks_grouped and mark == "." else ()
        return _at_mark(text, mark, is_grouped=False, notes=notes)
    if looks_grouped:
        return (*_whole(text), "", ())
    notes = (DECIMAL_COMMA,) if mark == "," else ()
    return _at_mark(text, mark, is_grouped=False, notes=notes)


def _whole(text: str) -> tuple[str, str | None]:
    """Return (digits, empty mark) of a whole number, (empty, None) for broken groups."""
    if not text or text.isdigit() or _WESTERN.fullmatch(text) or _INDIAN.fullmatch(text):
        return re.sub(r"[^0-9]", "", text), ""
    return "", None
