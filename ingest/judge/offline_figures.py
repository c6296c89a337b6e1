"""Questions that ask for a figure: how much, how many, in what year."""

from __future__ import annotations

import re

from ingest.judge.lexical_numbers import find_quantities
from ingest.judge.lexical_quantities import Quantity
from ingest.judge.lexical_tokens import RawToken, fold, tokenize
from ingest.judge.lexical_words import STOP_WORDS
from ingest.judge.offline_grammar import Parse, is_pronoun

_AFTER_NOUN = frozenset(
    ("over", "under", "between", "before", "after", "above", "below", "than", "per")
)
_UNIT = re.compile(r"(?<=[\d\s])[^\W\d_]{2,}(?:\s[^\W\d_]+)*$")
_INTERROGATIVES = {
    "percent": "what percentage",
    "dollar": "how much money",
    "euro": "how much money",
    "pound": "how much money",
    "yen": "how much money",
    "celsius": "what temperature",
    "fahrenheit": "what temperature",
}


def figures_about(found: Parse | None) -> str | None:
    """Return a question for the figures about a subject that is short enough to name."""
    unnamed = found is None or is_pronoun(found.subject) or found.subject == "the authors"
    if found is None or unnamed or len(found.subject.split()) < 2:
        return None
    if any(character.isdigit() for character in found.rest):
        return f"What figures does the source give about {found.subject}"
    return None


def cloze(statement: str) -> str | None:
    """Return a question that asks for the first figure of a statement."""
    text = fold(statement)
    tokens = tokenize(text)
    hard = [quantity for quantity in find_quantities(tokens) if not quantity.is_soft]
    if not hard or len(text.split()) > 30:
        return None
    start, end = _number_span(tokens, hard[0])
    return f'Which figure completes the statement "{text[:start]}\u2026{text[end:].rstrip(" .")}"'


def interrogative(one: Quantity, text: str, tokens: list[RawToken]) -> tuple[str, int]:
    """Return the interrogative for a figure, and where in the text its words end."""
    end = tokens[one.last].end
    special = _INTERROGATIVES.get(one.dimension or "")
    if special is not None:
        return special, end
    if one.dimension is not None:
        unit = _UNIT.search(text[tokens[one.first].start : end])
        return (f"how many {unit.group()}" if unit else "what amount"), end
    written = text[tokens[one.first].start : end]
    if written.isdigit() and 1800 <= int(written) <= 2100 and not one.counted:
        return "what year", end
    nouns: list[str] = []
    while len(nouns) < 3:
        match = re.match(r"\s([^\W\d_][\w'\u2019-]*)", text[end:])
        if match is None or match.group(1).casefold() in STOP_WORDS | _AFTER_NOUN:
            break
        nouns.append(match.group(1))
        end += match.end()
    return f"how many {' '.join(nouns)}" if nouns else "what number", end


def _number_span(tokens: list[RawToken], one: Quantity) -> tuple[int, int]:
    """Return the characters of the bare number, without its unit."""
    place = next(p for p in range(one.first, one.last + 1) if tokens[p].text[:1].isalnum())
    return tokens[place].start, tokens[place].end
