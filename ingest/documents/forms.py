"""Compatibility forms of Unicode: which are expanded in text that is read, and which in matching.

Plain NFKC is wrong for words on a page: it turns a spacing accent into a space and a mark, which
cuts `M¨obius` in two, a superscript into a digit, so that `10²` becomes 102, and a fraction into
two numbers behind the one before it.
"""

from __future__ import annotations

import re
import unicodedata

# Decomposition tags whose form carries no meaning: ligatures, positional letters, widths, fonts.
_EXPANDED = frozenset(
    f"<{tag}>"
    for tag in ("compat", "initial", "medial", "final", "isolated", "font", "wide", "narrow")
)
# Characters that NFKC expands to more than white space with a space in it.
_SPACED = (
    "\u00a8\u00af\u00b4\u00b8\u02d8-\u02dd\u037a\u0384\u0385\u1fbd\u1fbf-\u1fc1\u1fcd-\u1fcf"
    "\u1fdd-\u1fdf\u1fed\u1fee\u1ffd\u1ffe\u2017\u203e\u309b\u309c\ufc5e-\ufc63\ufdfa\ufdfb"
    "\ufe49-\ufe4c\ufe70\ufe72\ufe74\ufe76\ufe78\ufe7a\ufe7c\ufe7e\uffe3"
)
_SPACED_RUN = re.compile(f"([{_SPACED}]+)")


class _Expansions(dict[int, str]):
    """Expansions by code point, found when a character is first met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        expansion = character
        tag = unicodedata.decomposition(character).partition(" ")[0]
        if tag in _EXPANDED and not _SPACED_RUN.match(character):
            expansion = unicodedata.normalize("NFKC", character)
        self[code] = expansion
        return expansion


_EXPANSIONS = _Expansions()


def expand_ligatures(text: str) -> str:
    """Return text with ligatures and other forms without a meaning expanded, in NFC.

    No word is cut or joined: superscripts, fractions, circled digits, spacing accents and
    ligatures of whole phrases stay as they are.
    """
    return unicodedata.normalize("NFC", text.translate(_EXPANSIONS))


def fold_compatibility(text: str) -> str:
    """Return text in NFKC, but for the characters that it would turn into a space and a rest."""
    if not _SPACED_RUN.search(text):
        return unicodedata.normalize("NFKC", text)
    pieces = _SPACED_RUN.split(text)
    return "".join(
        piece if index % 2 else unicodedata.normalize("NFKC", piece)
        for index, piece in enumerate(pieces)
    )
