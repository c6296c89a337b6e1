"""Texts out of a model's reply, as they may stand in a row and in the next prompt.

A model can be talked into anything by the deck that it reads, so its words are as foreign as the
deck's own. The whole reply stays in the reply cache.
"""

from __future__ import annotations

import re

# Longer than any answer, reason or passage that says one thing.
MAX_TEXT_CHARS = 10_000
CUT = " […]"
# What a terminal, a page or an editor may act on: controls but tab and line feed, directions.
_ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def clean_text(text: str) -> str:
    """Return a text without control characters, of at most `MAX_TEXT_CHARS` characters.

    Markup and formulas stay as they are: pages and exports escape what they show.
    """
    text = _ACTING.sub(" ", text.replace("\r\n", "\n"))
    return text if len(text) <= MAX_TEXT_CHARS else text[: MAX_TEXT_CHARS - len(CUT)] + CUT
