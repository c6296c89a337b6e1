"""Tokens of an answer: literals, words, codes, signs, in one pass over the text."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace

from ingest.numbers import lexicon
from ingest.numbers.literals import MALFORMED, read_literal
from ingest.numbers.policy import NumberPolicy

LITERAL, WORD, CODE, MONEY, PERCENT, VULGAR, RAISED, MARK, BREAK = (
    "literal", "word", "code", "money", "percent", "vulgar", "raised", "mark", "break",
)  # fmt: skip
_CHAIN = 5
DASHES = ("-", "\u2013", "\u2212", "\u2010", "\u2011")
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
_RAISED = "".join(lexicon.RAISED)
_VULGAR = "".join(lexicon.VULGAR)
_COMBINING = "\u0300-\u036f\u20d0-\u20ff\ufe0e\ufe0f"
_TIMES = "[xX\u00d7*\u00b7]"
_EXPONENT = r"[+\u2212-]?[0-9]++"
_TEN = rf"10(?:(?:\^|\*\*){_EXPONENT}|[{_RAISED}]++)"
_DIGITS = (
    r"(?:[1-9][0-9]{0,2}(?:[ ][0-9]{3}(?![0-9]))++(?:[.,][0-9]++)*+"
    r"|[0-9]++(?:[.,][0-9]++|['\u2019][0-9]{3}(?![0-9]))*+"
    r"|(?<![\w.])[.][0-9]++)"
)
_SIGNS = "|".join(sorted(map(re.escape, lexicon.CURRENCY_SIGNS), key=len, reverse=True))
_CODES = "|".join(sorted(lexicon.CURRENCY_CODES))
_TOKEN = re.compile(
    rf"""
      (?P<break>[\n\t\r\f\v]++)
    | (?P<money>{_SIGNS}|(?<!\w)(?:{_CODES})(?=[0-9])|(?<!\w)Rs\.?(?=[ ]?[0-9]))
    | (?P<literal>{_TEN}|{_DIGITS}(?:[eE]{_EXPONENT}(?!\w)|[ ]?{_TIMES}[ ]?{_TEN})?+)
    | (?P<raised>[{_RAISED}]++)
    | (?P<vulgar>[{_VULGAR}])
    | (?P<percent>[%\u2030\uff05])
    | (?P<word>\u00b0[CFK]?(?!\w)
        |(?:[^\W\d{_RAISED}{_VULGAR}]|[{_COMBINING}])
         (?:[\w{_COMBINING}]|['\u2019](?=[^\W\d_]))*+)
    | (?P<code>\d++)
    | (?P<mark>[<>]=|[^\s])
    """,
    re.VERBOSE,
)
# Words that may stand behind a number and a hyphen: `10-year`, `5-fold`, `2-million`.
_HYPHENATED = (
    frozenset(lexicon.UNITS) | frozenset(lexicon.SCALES) | lexicon.PERCENT_WORDS
    | frozenset(lexicon.SMALL) | frozenset(lexicon.TENS) | frozenset(("basis", "fold", "and"))
    | frozenset(lexicon.PARTS)
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """One token.

    Attributes:
        kind: `literal` (digits), `word`, `code` (letters and digits mixed), `money` (a currency
            sign), `percent`, `vulgar` (one half), `raised` (superscripts), `mark`, `break`.
        text: as written, after `prepare`.
        lower: the text in lower case.
        is_glued: whether no space stands before it.
    """

    kind: str
    text: str
    lower: str
    is_glued: bool


END = Token(BREAK, "", "", False)


def has_bidi_control(text: str) -> bool:
    """Return whether characters are shown in another order than they stand in."""
    return _BIDI.search(text) is not None


def prepare(text: str) -> str:
    """Return a text whose digits, letters, spaces and marks have one form.

    Full-width and mathematical characters become plain; superscripts and vulgar fractions stay,
    for a general normalisation would make 103 of ten cubed. Invisible characters go. Digits of
    other scripts stay what they are, and are no numbers.
    """
    if text.isascii():
        return text.replace("\\%", "%").replace("\\$", "$")
    composed = unicodedata.normalize("NFC", text)
    return composed.translate({ord(character): _plain(character) for character in set(composed)})


def _plain(character: str) -> str:
    if character.isascii():
        return character
    if character in "\u0085\u2028\u2029":
        return "\n"
    category = unicodedata.category(character)
    if category == "Zs":
        return " "
    if category == "Cf":
        return ""
    if unicodedata.decomposition(character).startswith(("<wide>", "<font>", "<narrow>")):
        return unicodedata.normalize("NFKC", character)
    return character


def tokenize(prepared: str, policy: NumberPolicy, *, asks_quantity: bool = False) -> list[Token]:
    """Return the tokens of a prepared text in order; linear in its length."""
    scanned: list[Token] = []
    end = 0
    for match in _TOKEN.finditer(prepared):
        kind, text = str(match.lastgroup), match.group()
        token = Token(kind, text, text.lower(), match.start() == end)
        end = match.end()
        if kind == LITERAL:
            scanned.extend(_split_list(token))
        else:
            scanned.append(token)
    return _join_codes(scanned, policy, asks_quantity)


def _split_list(token: Token) -> list[Token]:
    """Return `1,2,3` as a list: commas that can be neither groups nor a decimal mark."""
    pieces = token.text.split(",")
    has_group = any(len(piece) == 3 for piece in pieces[1:])
    if len(pieces) < 3 or has_group or not all(piece.isdigit() for piece in pieces):
        return [token]
    found = [replace(token, text=pieces[0], lower=pieces[0])]
    for piece in pieces[1:]:
        found += [Token(MARK, ",", ",", True), Token(LITERAL, piece, piece, False)]
    return found


def _join_codes(tokens: list[Token], policy: NumberPolicy, asks_quantity: bool) -> list[Token]:
    """Return the tokens with names such as `5G`, `10-K` and `COVID-19` as one code each."""
    joined: list[Token] = []
    place = 0
    while place < len(tokens):
        end = _code_end(tokens, place, policy, asks_quantity)
        if end == place:
            joined.append(tokens[place])
            place += 1
            continue
        text = "".join(token.text for token in tokens[place:end])
        joined.append(Token(CODE, text, text.lower(), tokens[place].is_glued))
        place = end
    return joined


def _code_end(tokens: list[Token], place: int, policy: NumberPolicy, asks_quantity: bool) -> int:
    """Return the place behind a code that starts at `place`, or `place` for none."""
    token, after, second = (at(tokens, place + ahead) for ahead in range(3))
    if token.kind == WORD:
        if _hyphen(after) and second.kind == LITERAL and second.is_glued:
            is_suffix = token.is_glued and at(tokens, place - 1).kind == LITERAL
            return place if is_suffix or _may_precede(token) else _run_end(tokens, place + 3)
        has_digit = any(character.isdigit() for character in token.text)
        return place + 1 if has_digit and token.text not in lexicon.UNITS else place
    if token.kind != LITERAL:
        return place
    chain = _chain_end(tokens, place)
    if chain > place:
        return chain
    has_marks = token.text.count(".") + token.text.count(",") > 1
    if has_marks and read_literal(token.text, policy).problem == MALFORMED:
        return _run_end(tokens, place + 1)
    if after.is_glued and after.kind in (WORD, CODE):
        is_name = token.text + after.text in policy.identifiers and not asks_quantity
        if is_name and at(tokens, place - 1).kind != MONEY:
            return place + 2
        return place if _is_suffix(after) else _run_end(tokens, place + 2)
    if _hyphen(after) and second.kind in (WORD, CODE) and second.is_glued:
        is_name = f"{token.text}-{second.text}" in policy.identifiers
        is_number = second.lower in _HYPHENATED and not (is_name and not asks_quantity)
        return place if is_number else _run_end(tokens, place + 3)
    return place


def at(tokens: list[Token], place: int) -> Token:
    """Return the token at a place, `END` outside the text."""
    return tokens[place] if 0 <= place < len(tokens) else END


def _hyphen(token: Token) -> bool:
    return token.text == "-" and token.is_glued


def _run_end(tokens: list[Token], place: int) -> int:
    while at(tokens, place).is_glued and tokens[place].kind in (WORD, CODE, LITERAL):
        place += 1
    return place


def _chain_end(tokens: list[Token], place: int) -> int:
    """Return the place behind three or more literals that one mark joins, or `place`.

    Such a chain is a date or a telephone number.
    """
    mark = at(tokens, place + 1).text
    end = place + 1
    if mark not in ("-", "/", "\u2013"):
        return place
    while at(tokens, end).text == mark and tokens[end].is_glued:
        following = at(tokens, end + 1)
        if following.kind != LITERAL or not following.is_glued:
            break
        end += 2
    return _run_end(tokens, end) if end >= place + _CHAIN else place


def _may_precede(word: Token) -> bool:
    """Return whether a word before a hyphen and digits leaves them a number."""
    return word.text.upper() in lexicon.CURRENCY_CODES or word.lower in lexicon.MINUS_WORDS


def _is_suffix(word: Token) -> bool:
    """Return whether a word that touches digits belongs to the number."""
    text, lower = word.text, word.lower
    return (
        text in lexicon.GLUED_SCALES
        or text in lexicon.MONEY_SCALES
        or text in lexicon.UNITS
        or text in lexicon.CURRENCY_CODES
        or text in lexicon.MULTIPLES
        or text == "p"
        or lower in lexicon.SCALES
        or lower in lexicon.ORDINAL_ENDINGS
        or lower in lexicon.PERCENT_WORDS
        or lower in lexicon.PERCENTAGE_POINTS
        or lower in lexicon.BASIS_POINTS
        or lower in ("am", "pm", "per", "to", "and")
    )
