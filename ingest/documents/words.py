r"""The one word rule of the project, `unicode-words-1`.

Unicode `White_Space` characters split; every Han or Kana character is a word of its own; Hangul and
all other scripts split at white space only; a token without a letter or a digit is no word. Words
are counted here and nowhere else: SQL engines disagree on what white space is (DuckDB's `\s` knows
neither U+000B nor U+3000), so counts are landed, never recomputed.
"""

from __future__ import annotations

import re

from ingest.documents.forms import fold_compatibility

WORD_RULE = "unicode-words-1"

# PropList.txt, White_Space=Yes. `str.split()` also splits at U+001C to U+001F, which are not in it.
_SPACE = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_INFORMATION_SEPARATOR = re.compile("[\x1c-\x1f]")
# Scripts.txt: Han, Hiragana and Katakana, plus the prolonged sound mark that both syllabaries use.
_HAN = (
    "\u2e80-\u2e99\u2e9b-\u2ef3\u2f00-\u2fd5\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufa6d\ufa70-\ufad9\U00016ff0\U00016ff1\U00020000-\U0003ffff"
)
_KANA = (
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u32d0-\u32fe\u3300-\u3357"
    "\uff66-\uff9d\U0001aff0-\U0001b16f\U0001f200"
)
# A voiced sound mark or a variation selector belongs to the character before it.
_MARK = "\u3099\u309a\uff9e\uff9f\ufe00-\ufe0f\U000e0100-\U000e01ef"
_CHARACTER_WORD = re.compile(f"[{_HAN}{_KANA}]")
_ALPHANUMERIC = re.compile(r"[^\W_]")
_PIECE = re.compile(f"[{_HAN}{_KANA}][{_MARK}]*|[^{_SPACE}{_HAN}{_KANA}]+")
# Punctuation that a sentence leaves on a word; signs such as % $ + - carry meaning and stay.
_EDGE_PUNCTUATION = " .,;:!?\"'`()[]{}<>|*_~#\u2026\u2018\u2019\u201c\u201d\u00ab\u00bb\u2022\u00b7"


def split_words(text: str) -> list[str]:
    """Split text into words by the rule `unicode-words-1`.

    Args:
        text: any text; it is not normalised first.

    Returns:
        The words in order. A Han or Kana character comes alone, with its marks.
    """
    if _INFORMATION_SEPARATOR.search(text) or (not text.isascii() and _CHARACTER_WORD.search(text)):
        return [piece for piece in _PIECE.findall(text) if _is_word(piece)]
    return [token for token in text.split() if _is_word(token)]


def count_words(text: str, tokens: list[str] | None = None) -> int:
    """Count the words of a text by the rule `unicode-words-1`; never negative.

    Args:
        text: any text.
        tokens: the words of `text` between white space, where the caller has them already; they
            are used for plain ASCII, where `str.split` and the rule agree.
    """
    if tokens is None or not text.isascii() or not text.isprintable():
        return len(split_words(text))
    plain_count = sum(map(str.isalnum, tokens))
    return plain_count if plain_count == len(tokens) else sum(map(_is_word, tokens))


def normalize_tokens(text: str) -> list[str]:
    """Return the words of a text in the form in which two texts are matched.

    The text is folded by NFKC, though no accent becomes a space, and by case, split by the word
    rule, and sentence punctuation at the edges of a word is dropped, so that `Accuracy,` and
    `accuracy` are the same token. Signs that carry meaning (`%`, `$`, `+`, `-`) stay.
    """
    folded = fold_compatibility(text).casefold()
    return [token.strip(_EDGE_PUNCTUATION) for token in split_words(folded)]


def _is_word(token: str) -> bool:
    return (
        token.isalnum()
        or _ALPHANUMERIC.search(token) is not None
        or _CHARACTER_WORD.match(token) is not None
    )
