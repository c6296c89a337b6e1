"""Text matching: what one text says of another, by words, figures and negation.

A text is analysed once into concepts (stems and synonyms), figures with units, clauses and
negated scopes. Comparing asks: how much of the asked text stands in the window, are all of
its figures there, bound to the same things, and does the window say the opposite.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ingest.judge.lexical_numbers import find_quantities
from ingest.judge.lexical_quantities import Quantity
from ingest.judge.lexical_sentences import Sentence, is_title_like, sentences, split_sentences
from ingest.judge.lexical_tokens import BREAK, NAME, WORD, RawToken, fold, tokenize
from ingest.judge.lexical_words import STOP_WORDS, concept, weak_concepts
from ingest.judge.offline_registry import words_of

__all__ = [
    "Analysis",
    "Sentence",
    "analyze",
    "containment",
    "is_title_like",
    "merge",
    "sentences",
    "split_sentences",
    "stems",
    "total_weight",
    "weight_of",
]

WEAK_WEIGHT = 0.4
_NEGATORS = words_of("negator")
_CLAUSE_END = words_of("clause_end")
_LONG_SCOPE, _SHORT_SCOPE = 6, 3
_ADVISING = frozenset(concept(word) for word in ("advise", "vote", "decide", "warn", "argue"))
_BOUNDS = frozenset(
    ("more", "less", "fewer", "later", "earlier", "longer", "only", "least", "most")
)


@dataclass(frozen=True)
class Analysis:
    """One text, ready to be compared.

    Attributes:
        text: the text as given.
        concepts: content words in order: (token position, clause number, concept).
        known: the set of those concepts.
        quantities: figures in order.
        quantity_clauses: clause number of each figure.
        negations: for each negated scope, the concepts in it, in order.
        negated: concepts all of whose occurrences stand in a negated scope.
        bare_negations: clauses that end in a negation of what was said before (`3 GB without`).
        length: number of tokens.
        clause_count: number of clauses.
    """

    text: str
    concepts: tuple[tuple[int, int, str], ...]
    known: frozenset[str]
    quantities: tuple[Quantity, ...]
    quantity_clauses: tuple[int, ...]
    negations: tuple[tuple[str, ...], ...]
    negated: frozenset[str]
    bare_negations: frozenset[int]
    length: int
    clause_count: int


@functools.lru_cache(maxsize=100_000)
def analyze(text: str) -> Analysis:
    """Analyse one text; equal texts are analysed once."""
    tokens = tokenize(fold(text))
    quantities = tuple(find_quantities(tokens))
    in_figure = {p for q in quantities for p in range(q.first, q.last + 1)}
    clauses = _clauses(tokens)
    scopes = _negated_scopes(tokens)
    concepts = tuple(
        (position, clauses[position], concept(token.text.casefold()))
        for position, token in enumerate(tokens)
        if position not in in_figure and _is_content(token)
    )
    inside = {position for scope in scopes.values() for position in scope}
    plain = {name for position, _, name in concepts if position not in inside}
    names = {position: name for position, _, name in concepts}
    negations = tuple(tuple(names[p] for p in scope if p in names) for scope in scopes.values())
    return Analysis(
        text=text,
        concepts=concepts,
        known=frozenset(names.values()),
        quantities=quantities,
        quantity_clauses=tuple(clauses[quantity.first] for quantity in quantities),
        negations=tuple(scope for scope in negations if scope),
        negated=frozenset(name for scope in negations for name in scope) - plain,
        bare_negations=frozenset(
            clauses[position]
            for position, scope in scopes.items()
            if not any(place in names for place in scope)
        ),
        length=len(tokens),
        clause_count=clauses[-1] + 1 if clauses else 1,
    )


def merge(parts: Sequence[Analysis]) -> Analysis:
    """Return the analysis of several lines as one text; nothing reaches from line to line."""
    concepts: list[tuple[int, int, str]] = []
    quantities: list[Quantity] = []
    clauses: list[int] = []
    bare: set[int] = set()
    place = clause = 0
    for part in parts:
        concepts += [(spot + place, where + clause, name) for spot, where, name in part.concepts]
        quantities += [q.moved(place) for q in part.quantities]
        clauses += [where + clause for where in part.quantity_clauses]
        bare |= {where + clause for where in part.bare_negations}
        place += part.length
        clause += part.clause_count
    plain = frozenset().union(*(part.known - part.negated for part in parts))
    return Analysis(
        text="\n".join(part.text for part in parts),
        concepts=tuple(concepts),
        known=frozenset().union(*(part.known for part in parts)),
        quantities=tuple(quantities),
        quantity_clauses=tuple(clauses),
        negations=tuple(scope for part in parts for scope in part.negations),
        negated=frozenset().union(*(part.negated for part in parts)) - plain,
        bare_negations=frozenset(bare),
        length=place,
        clause_count=clause,
    )


def stems(text: str) -> tuple[str, ...]:
    """Return the concepts of a text in order, figures as their value and dimension."""
    one = analyze(text)
    figures = tuple(f"#{quantity.value}" for quantity in one.quantities if not quantity.is_soft)
    return tuple(name for _, _, name in one.concepts) + figures


def weight_of(name: str) -> float:
    """Return how much a concept counts: 1, or `WEAK_WEIGHT` for a word that says little."""
    return WEAK_WEIGHT if name in weak_concepts() else 1.0


def total_weight(names: Iterable[str]) -> float:
    """Return the summed weight of distinct concepts, independent of their order."""
    wanted = set(names)
    weak = len(wanted & weak_concepts())
    return (len(wanted) - weak) + WEAK_WEIGHT * weak


def containment(asked: Iterable[str], there: frozenset[str]) -> float:
    """Return the weighted share of the asked concepts that are there; 1 when none is asked."""
    wanted = set(asked)
    total = total_weight(wanted)
    return total_weight(wanted & there) / total if total else 1.0


def _is_content(token: RawToken) -> bool:
    if token.kind == NAME:
        return True
    if token.kind != WORD:
        return False
    word = token.text.casefold()
    if word.endswith(("n't", "n\u2019t")):
        return False
    # A single capital is a label (`group B`), except the article and the pronoun.
    is_label = token.text.isupper() and token.text not in ("A", "I")
    return word not in STOP_WORDS and (len(word) > 1 or not word.isascii() or is_label)


def _clauses(tokens: list[RawToken]) -> list[int]:
    """Number the clauses: breaks and conjunctions that open a new one separate them."""
    numbers = []
    clause = 0
    for token in tokens:
        word = token.text.casefold()
        # A colon joins a label to its value: `Clay: 38%` is one clause.
        opens = (
            (token.kind == BREAK and word != ":")
            or word in _CLAUSE_END
            or word in ("and", "versus", "vs", "or")
        )
        clause += opens
        numbers.append(clause)
    return numbers


def _negated_scopes(tokens: list[RawToken]) -> dict[int, list[int]]:
    """Return, for each negator, the positions of the content words that it negates."""
    scopes = {}
    for position in range(len(tokens)):
        length = _scope_length(tokens, position)
        if not length:
            continue
        scope: list[int] = []
        start = position + 1
        if start < len(tokens) and tokens[start].text.casefold() == "longer":
            # `no longer` denies what follows, not that it is long.
            start += 1
        for place in range(start, len(tokens)):
            ends = tokens[place].kind == BREAK or tokens[place].text.casefold() in _CLAUSE_END
            if ends or len(scope) == length or _scope_length(tokens, place):
                break
            if _is_content(tokens[place]):
                scope.append(place)
        scopes[position] = scope
    return scopes


def _scope_length(tokens: list[RawToken], position: int) -> int:
    """Return how many content words a token negates; 0 when it negates nothing."""
    token = tokens[position]
    if token.kind != WORD:
        return 0
    word = token.text.casefold()
    after = tokens[position + 1].text.casefold() if position + 1 < len(tokens) else ""
    if word.endswith(("n't", "n\u2019t")):
        return _LONG_SCOPE
    before = tokens[position - 1].text.casefold() if position else ""
    if word in ("fail", "fails", "failed") and after == "to":
        return _LONG_SCOPE
    if word == "against" and concept(before) in _ADVISING:
        return _LONG_SCOPE
    if word == "without" and not before:
        # `Without a permit, ...` states a condition.
        return 0
    if word not in _NEGATORS or (word in ("not", "no") and after in _BOUNDS and after != "longer"):
        return 0
    if word in ("no", "not") and position + 1 < len(tokens) and tokens[position + 1].text == ".":
        return 0
    return _LONG_SCOPE if word in ("not", "cannot", "never", "unable") else _SHORT_SCOPE
