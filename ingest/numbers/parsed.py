"""What was read out of an answer: numbers, exact, with what stands beside them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

NUMBER, NONE, MISSING, INVALID, AMBIGUOUS = "number", "none", "missing", "invalid", "ambiguous"
STATUSES = (NUMBER, NONE, MISSING, INVALID, AMBIGUOUS)

PLAIN, CURRENCY, MEASURE, YEAR = "plain", "currency", "measure", "year"
PERCENT, PERCENTAGE_POINT, BASIS_POINT, PER_MILLE = (
    "percent", "percentage_point", "basis_point", "per_mille",
)  # fmt: skip
FRACTION, ORDINAL, RANK, MULTIPLE = "fraction", "ordinal", "rank", "multiple"
NUMBER_KINDS = (
    PLAIN, CURRENCY, MEASURE, YEAR, PERCENT, PERCENTAGE_POINT, BASIS_POINT, PER_MILLE, FRACTION,
    ORDINAL, RANK, MULTIPLE,
)  # fmt: skip
RANGE, RATIO, LIST = "range", "ratio", "list"
TEXT, PERIOD, TIME, IDENTIFIER, EMPTY = "text", "period", "time", "identifier", "empty"
ANSWER_KINDS = (*NUMBER_KINDS, RANGE, RATIO, LIST, TEXT, PERIOD, TIME, IDENTIFIER, EMPTY, INVALID)

APPROX, GT, GE, LT, LE = "approx", "gt", "ge", "lt", "le"
QUALIFIERS = (APPROX, GT, GE, LT, LE)

DECIMAL_COMMA, POINT_OR_GROUP, FOOTNOTE, RESTATED = (
    "decimal_comma", "point_or_group", "footnote_dropped", "restated",
)  # fmt: skip
NOTES = (DECIMAL_COMMA, POINT_OR_GROUP, FOOTNOTE, RESTATED)


MOST_WORDS = 8


@dataclass(frozen=True)
class Number:
    """One number.

    Attributes:
        value: exact; scale words, percent and signs are applied, units are not.
        kind: one of `NUMBER_KINDS`.
        unit: what stands beside it (`USD`, `GB`, `$/hour`), None for nothing known.
        qualifier: one of `QUALIFIERS`, None for an unqualified number.
        step: place value of the last digit that was written (0.1 million for `2.5 million`);
            None where there is none (`2/3`).
        scale: the factor that was applied: 1000 for `k`, 1/100 for `%`, 1 for none.
        notes: readings of `NOTES` that a policy decided.
    """

    value: Fraction
    kind: str = PLAIN
    unit: str | None = None
    qualifier: str | None = None
    step: Fraction | None = Fraction(1)
    scale: Fraction = Fraction(1)
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return the canonical text of the value."""
        return canonical_text(self.value)


@dataclass(frozen=True)
class ParsedNumbers:
    """The numbers of one answer.

    Attributes:
        status: `number`; `none` (an answer without a number), `missing` (no answer), `invalid`
            (see `reason`), `ambiguous` (several different numbers in running text).
        kind: one of `ANSWER_KINDS`; without a number, what the answer is instead.
        numbers: in the order of the text.
        words: what was said beside the numbers, their units and filling words, as far as
            `MOST_WORDS`; empty where the numbers are the whole answer.
        policy: name of the policy.
        reason: why it is invalid, else empty.
    """

    status: str
    kind: str
    policy: str
    numbers: tuple[Number, ...] = ()
    words: tuple[str, ...] = ()
    reason: str = ""

    @property
    def values(self) -> tuple[str, ...]:
        """Return the canonical texts."""
        return tuple(number.text for number in self.numbers)

    @property
    def count(self) -> int:
        """Return how many numbers there are."""
        return len(self.numbers)

    @property
    def is_whole(self) -> bool:
        """Return whether numbers are all that was said."""
        return self.count > 0 and not self.words

    @property
    def unit(self) -> str | None:
        """Return the unit that all numbers share, None when there is no such unit."""
        return _shared([number.unit for number in self.numbers])

    @property
    def qualifier(self) -> str | None:
        """Return the qualifier that all numbers share, None when there is no such one."""
        return _shared([number.qualifier for number in self.numbers])

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what a policy decided about any of the numbers, in a fixed order."""
        found = {note for number in self.numbers for note in number.notes}
        return tuple(note for note in NOTES if note in found)


def canonical_text(value: Fraction) -> str:
    """Return the one text of a value: decimals without exponent, plus or trailing zeros.

    A value that no finite decimal equals is `p/q` in lowest terms; zero is `0`.
    """
    places = _decimal_places(value.denominator)
    if places is None:
        return f"{value.numerator}/{value.denominator}"
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    if places == 0:
        return f"{sign}{digits}"
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def _decimal_places(denominator: int) -> int | None:
    counts = []
    for prime in (2, 5):
        count = 0
        while denominator % prime == 0:
            denominator //= prime
            count += 1
        counts.append(count)
    return max(counts) if denominator == 1 else None


def _shared(found: list[str | None]) -> str | None:
    return found[0] if len(set(found)) == 1 else None
