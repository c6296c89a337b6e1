"""Numbers written in many ways, and read back as the exact rational that was written."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.numbers.answers import parse_answer
from ingest.numbers.comparisons import NUMBER_METRICS, match_numbers
from ingest.numbers.parsed import STATUSES, canonical_text

FAST = settings(max_examples=300, deadline=None)
SCALES = {
    "": 1, "k": 10**3, " thousand": 10**3, " million": 10**6, "mn": 10**6, "bn": 10**9,
    " billion": 10**9, " trillion": 10**12, " lakh": 10**5, " crore": 10**7, " dozen": 12,
}  # fmt: skip
SHARES = {"": 1, "%": 100, " %": 100, " percent": 100, " per cent": 100, " bps": 10**4,
          " basis points": 10**4, " percentage points": 100}  # fmt: skip
MINUSES = {"-": "{}", "\u2212": "{}", "minus ": "{}", "(": "{})", "": "{}"}
SPACES = (" ", "\u00a0", "\u202f", "\u2009")
WIDE = {ord(str(digit)): 0xFF10 + digit for digit in range(10)}
RAISED = dict(
    zip(
        "0123456789-",
        "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b",
        strict=True,
    )
)
SOUP = "0123456789.,-+()%$ kmMbn/:xe^\u2212\u2013\u00bd\u00b2\n"
ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def grouped(digits: str, mark: str) -> str:
    """Write digits in groups of three, without a number library's help."""
    head = len(digits) % 3
    groups = [digits[:head]] if head else []
    return mark.join(groups + [digits[place : place + 3] for place in range(head, len(digits), 3)])


def words(value: int) -> str:
    """Write a whole number below a billion in English words."""
    for scale, name in ((10**6, "million"), (10**3, "thousand")):
        if value >= scale:
            rest = f" {words(value % scale)}" if value % scale else ""
            return f"{words(value // scale)} {name}{rest}"
    if value >= 100:
        rest = f" and {words(value % 100)}" if value % 100 else ""
        return f"{ONES[value // 100]} hundred{rest}"
    if value >= 20:
        return TENS[value // 10 - 2] + (f"-{ONES[value % 10]}" if value % 10 else "")
    return ONES[value]


@st.composite
def decimals(draw: st.DrawFn) -> tuple[str, Fraction]:
    """Draw (text, value) of an unsigned decimal number in one way to write it."""
    whole = draw(st.integers(0, 10**12))
    places = draw(st.integers(0, 6))
    part = draw(st.integers(0, 10**places - 1)) if places else 0
    value = whole + Fraction(part, 10**places)
    style = draw(st.sampled_from(("plain", "comma", "space", "apostrophe", "european")))
    digits = str(whole)
    tail = f"{part:0{places}d}" if places else ""
    if style == "european" and (whole < 1000 or not tail):
        style = "plain"
    mark = {
        "plain": "", "comma": ",", "space": draw(st.sampled_from(SPACES)), "apostrophe": "'",
        "european": ".",
    }[style]  # fmt: skip
    text = grouped(digits, mark) if mark else digits
    point = "," if style == "european" else "."
    return (f"{text}{point}{tail}" if tail else text), value


@FAST
@given(
    number=decimals(),
    scale=st.sampled_from(sorted(SCALES)),
    share=st.sampled_from(sorted(SHARES)),
    currency=st.sampled_from(("", "$", "\u20ac", "US$", "USD ")),
    minus=st.sampled_from(sorted(MINUSES)),
    is_wide=st.booleans(),
    stop=st.sampled_from(("", ".", "\n", "  ")),
)
def test_a_rendered_number_is_read_back(
    number: tuple[str, Fraction], scale: str, share: str, currency: str, minus: str, is_wide: bool,
    stop: str,
) -> None:  # fmt: skip
    digits, value = number
    value *= SCALES[scale]
    text = digits.translate(WIDE) if is_wide else digits
    text = f"{currency}{text}{scale}"
    if not currency:
        text, value = f"{text}{share}", value / SHARES[share]
    text = minus + MINUSES[minus].format(text) + stop
    value = -value if minus else value
    parsed = parse_answer(text)
    assert parsed.values == (canonical_text(value),), text
    assert parsed.status == "number"
    assert parsed.is_whole


@FAST
@given(st.integers(0, 10**9 - 1))
def test_words_are_read_back(value: int) -> None:
    text = words(value)
    assert parse_answer(text).values == (str(value),), text
    assert parse_answer(text.upper()).values == (str(value),), text


@FAST
@given(st.integers(0, 999), st.integers(1, 50), st.integers(2, 51), st.booleans())
def test_fractions_stay_rational(whole: int, above: int, below: int, is_mixed: bool) -> None:
    if above >= below:
        above, below = below - 1, above + 1
    value = Fraction(above, below) + (whole if is_mixed else 0)
    text = f"{whole} {above}/{below}" if is_mixed else f"{above}/{below}"
    if text not in ("24/7", "9/11", "20/20", "50/50"):
        assert parse_answer(text).values == (canonical_text(value),), text


@FAST
@given(st.integers(1, 10**6), st.integers(-30, 30), st.sampled_from(("e", "caret", "raised")))
def test_powers_of_ten_are_exact(mantissa: int, exponent: int, style: str) -> None:
    raised = "".join(RAISED[character] for character in str(exponent))
    text = {
        "e": f"{mantissa}e{exponent}",
        "caret": f"{mantissa}\u00d710^{exponent}",
        "raised": f"{mantissa} x 10{raised}",
    }[style]
    assert parse_answer(text).values == (canonical_text(mantissa * Fraction(10) ** exponent),), text


@FAST
@given(st.integers(0, 10**4), st.integers(0, 10**4), st.sampled_from(("-", "\u2013", " to ")))
def test_ranges_keep_both_ends(left: int, right: int, link: str) -> None:
    parsed = parse_answer(f"{left:,}{link}{right:,}%")
    assert parsed.values == tuple(canonical_text(Fraction(end, 100)) for end in (left, right))
    assert parsed.kind == "range"


@FAST
@given(
    st.text(st.sampled_from("0123456789.,-+()%$ kmMbn/:xe^\u2212\u2013\u00bd\u00b2\n"), max_size=24)
)
def test_any_text_is_read_and_its_numbers_read_back(text: str) -> None:
    parsed = parse_answer(text)
    assert parsed.status in STATUSES
    assert bool(parsed.numbers) == (parsed.status in ("number", "ambiguous"))
    for number in parsed.numbers:
        again = parse_answer(number.text)
        assert again.values == (number.text,) or number.text in ("24/7", "9/11")


@FAST
@given(st.text(max_size=60), st.text(max_size=60))
def test_every_variant_holds_where_the_one_before_it_holds(left: str, right: str) -> None:
    gold, answer = parse_answer(f"{left} 5"), parse_answer(f"{right} 5.04")
    if not gold.numbers:
        return
    found = match_numbers(gold, answer)
    held = {name: getattr(found, name) for name in NUMBER_METRICS}
    assert held["num"] <= held["num_any"] <= held["num_qscale"]
    assert held["num_qscale"] <= held["num_tol1pct"]
