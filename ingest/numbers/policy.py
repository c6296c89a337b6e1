"""Policies: what is read into an answer where a convention does not decide."""

from __future__ import annotations

from dataclasses import dataclass

from warehouse.errors import UsageError

ALL, FIRST, LAST = "all", "first", "last"
EXTRACTIONS = (ALL, FIRST, LAST)


@dataclass(frozen=True)
class NumberPolicy:
    """One declared reading of everything that could be read in two ways.

    Attributes:
        name: as rows carry it; another reading needs another name.
        decimal_mark: what a single mark with three digits behind it is (`1.234`), `.` or `,`.
        extraction: which numbers of a running text count: `all`, the `first`, the `last`.
        en_dash_is_minus: whether an en dash that touches the number behind it is a minus.
        slash_is_fraction: whether an answer that is nothing but `3/4` is 0.75.
        spoken_years: whether `nineteen ninety` is 1990.
        first_year, last_year: bare whole numbers of four digits in this range have kind year.
        identifiers: names that look like numbers; read as numbers where a question asks how
            many or how much.
        idioms: fractions by their looks alone.
        zero_words: say 0 where a question asks how many or how much, and nothing otherwise.
        most_characters: a longer answer is invalid.
        most_digits: a longer number makes the answer invalid.
    """

    name: str
    decimal_mark: str = "."
    extraction: str = ALL
    en_dash_is_minus: bool = True
    slash_is_fraction: bool = True
    spoken_years: bool = True
    first_year: int = 1800
    last_year: int = 2100
    identifiers: frozenset[str] = frozenset(("3M", "7-Eleven"))
    idioms: frozenset[str] = frozenset(("24/7", "9/11", "20/20", "50/50"))
    zero_words: frozenset[str] = frozenset(("none", "nil", "no", "nothing"))
    most_characters: int = 100_000
    most_digits: int = 400

    def __post_init__(self) -> None:
        if self.decimal_mark not in (".", ","):
            raise UsageError(
                "`decimal_mark` is none", expected="`.` or `,`", got=ascii(self.decimal_mark)[:40]
            )
        if self.extraction not in EXTRACTIONS:
            raise UsageError(
                "`extraction` is none",
                expected=", ".join(EXTRACTIONS),
                got=ascii(self.extraction)[:40],
            )


DEFAULT = NumberPolicy("point_all_1")
"""Decimal point, every number of the answer; the policy of published scores."""
