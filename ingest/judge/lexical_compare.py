"""Comparing two analysed texts: containment, figures, binding of figures, contradiction."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ingest.judge.lexical import Analysis, total_weight
from ingest.judge.lexical_quantities import Quantity, competes, matches
from ingest.judge.lexical_words import concept, opposite, turned_by_prefix


@dataclass(frozen=True)
class Comparison:
    """What a window says of an asked text.

    Attributes:
        contained: weighted share (0-1) of the asked words that stand in the window.
        aligned: the same, with an antonym in the window counting like the word itself.
        words: summed weight of the asked words that stand in the window itself.
        missing: hard figures of the asked text that the window lacks.
        conflicting: whether the window has another figure where one is missing.
        is_misbound: whether the figures are there but belong to other things.
        is_opposite: whether negation or an antonym says the contrary.
    """

    contained: float
    aligned: float
    words: float
    missing: int
    conflicting: bool
    is_misbound: bool
    is_opposite: bool

    @property
    def has_figures(self) -> bool:
        """Return whether every hard figure is there and bound as asked."""
        return not self.missing and not self.conflicting and not self.is_misbound


def compare(asked: Analysis, window: Analysis, context: frozenset[str] = frozenset()) -> Comparison:
    """Compare an asked text with a window; `context` holds concepts known from around it."""
    there = window.known | context
    turned = {name for name in asked.known - there if opposite(name) & window.known}
    missing, conflicting = _figures(asked, window)
    return Comparison(
        contained=_contained(asked, window, there),
        aligned=_contained(asked, window, there | turned),
        words=total_weight(asked.known & window.known),
        missing=missing,
        conflicting=conflicting,
        is_misbound=not missing and _is_misbound(asked, window),
        is_opposite=_is_negated(asked, window)
        or _has_antonym(asked, window)
        or _is_crossed(asked, window),
    )


def _contained(asked: Analysis, window: Analysis, there: frozenset[str]) -> float:
    """Return the share of words and figures of the asked text that are there."""
    figures = asked.quantities
    found = sum(any(matches(one, other) for other in window.quantities) for one in figures)
    total = total_weight(asked.known)
    if not total and not figures:
        return 1.0
    return (total_weight(asked.known & there) + found) / (total + len(figures))


def _figures(asked: Analysis, window: Analysis) -> tuple[int, bool]:
    """Return how many hard figures are missing, and whether another stands in their place."""
    missing = 0
    conflicting = False
    for one in asked.quantities:
        if any(matches(one, other) for other in window.quantities):
            continue
        missing += not one.is_soft
        rivals = [q for q in window.quantities if _is_rival(one, q)]
        conflicting |= any(
            not any(matches(mine, rival) for mine in asked.quantities) for rival in rivals
        )
    return missing, conflicting


def _is_rival(asked: Quantity, other: Quantity) -> bool:
    """Return whether a figure stands in the place of the missing asked one."""
    if asked.dimension == "factor":
        return other.dimension == "factor"
    if asked.is_soft or other.is_soft:
        return bool(asked.counted and other.counted) and competes(asked, other)
    if asked.dimension is None and not (asked.counted or other.counted):
        # Small bare numbers are all over a text; years, ratios and large numbers are not.
        return not (_is_small(asked) or _is_small(other))
    return competes(asked, other)


def _is_small(one: Quantity) -> bool:
    return one.value < 1000 and float(one.value).is_integer()


def _is_misbound(asked: Analysis, window: Analysis) -> bool:
    pairs = [(place, _best_match(one, window)) for place, one in enumerate(asked.quantities)]
    found = [(place, match) for place, match in pairs if match is not None]
    for first, (place, match) in enumerate(found):
        if _lost_to_rival(asked, window, match) or _counts_other(asked, window, place, match):
            return True
        for other_place, other_match in found[first + 1 :]:
            if _is_swapped(asked, window, (place, other_place), (match, other_match)):
                return True
    return False


def _best_match(one: Quantity, window: Analysis) -> int | None:
    for place, other in enumerate(window.quantities):
        if matches(one, other):
            return place
    return None


def _words_by_clause(text: Analysis) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for _, clause, name in text.concepts:
        found.setdefault(clause, set()).add(name)
    return found


def _lost_to_rival(asked: Analysis, window: Analysis, match: int) -> bool:
    """Return whether another figure's clause, not that of the match, says what is asked.

    In `Depth: 14 m at the dam, 6 m at the inlet` the words before the first figure head
    both; only those after it are its own. A match whose own words are all asked for is
    right; so is `fell from 3 to 2`, where both figures stand in one clause.
    """
    mine = window.quantities[match]
    my_clause = window.quantity_clauses[match]
    if sum(quantity.value == mine.value for quantity in window.quantities) > 1:
        return False
    for place, rival in enumerate(window.quantities):
        clause = window.quantity_clauses[place]
        compares = competes(mine, rival) and rival.value != mine.value
        if not compares or clause == my_clause or rival.is_soft != mine.is_soft:
            continue
        if rival.is_base or any(matches(one, rival) for one in asked.quantities):
            continue
        if my_clause in window.bare_negations and not asked.negations:
            return True
        readings = (_clause_words, _own_words)
        wanted = asked.known | _years(asked, None)
        if any(_says_less(wanted, of(window, match), of(window, place)) for of in readings):
            return True
    return False


def _says_less(asked: frozenset[str], mine: set[str], rivals: set[str]) -> bool:
    """Return whether the rival's own words are asked for, and mine are not."""
    own, others = mine - rivals, rivals - mine
    wanted = others & asked
    if any(opposite(name) & own for name in wanted):
        return True
    is_foreign = bool(own - asked) or not own
    return is_foreign and total_weight(wanted) > total_weight(own & asked)


def _clause_words(window: Analysis, place: int) -> set[str]:
    clause = window.quantity_clauses[place]
    return {name for _, where, name in window.concepts if where == clause} | _years(window, clause)


def _years(text: Analysis, clause: int | None, after: int = -1) -> set[str]:
    """Return the years of one clause, or of all, as labels that figures belong to."""
    return {
        f"#{one.value:.0f}"
        for where, one in zip(text.quantity_clauses, text.quantities, strict=True)
        if clause in (None, where) and one.first > after and one.is_year
    }


def _own_words(window: Analysis, place: int) -> set[str]:
    """Return the words after a figure in its clause, where there are some, if it leads a list."""
    clause, one = window.quantity_clauses[place], window.quantities[place]
    after = {name for spot, where, name in window.concepts if where == clause and spot > one.last}
    after |= _years(window, clause, one.last)
    is_first = not any(
        where < clause and competes(one, window.quantities[other])
        for other, where in enumerate(window.quantity_clauses)
    )
    return after if after and is_first else _clause_words(window, place)


def _counts_other(asked: Analysis, window: Analysis, place: int, match: int) -> bool:
    """Return whether the number that counts the asked thing in the window is another one."""
    one, found = asked.quantities[place], window.quantities[match]
    if not one.counted or not found.counted:
        return False
    name = concept(one.counted)
    if concept(found.counted) == name:
        return False
    return any(
        concept(other.counted) == name and not matches(one, other)
        for other in window.quantities
        if other.counted
    )


def _is_swapped(
    asked: Analysis, window: Analysis, places: tuple[int, int], matched: tuple[int, int]
) -> bool:
    """Return whether two figures have changed places between the asked text and the window."""
    left, right = (asked.quantities[place] for place in places)
    if left.value == right.value or not competes(left, right):
        return False
    clauses = [asked.quantity_clauses[place] for place in places]
    there = [window.quantity_clauses[place] for place in matched]
    if clauses[0] != clauses[1] and there[0] != there[1]:
        words, other = _words_by_clause(asked), _words_by_clause(window)
        first = words.get(clauses[0], set()) - words.get(clauses[1], set())
        second = words.get(clauses[1], set()) - words.get(clauses[0], set())
        kept = Counter(
            straight=len(first & other.get(there[0], set()))
            + len(second & other.get(there[1], set())),
            crossed=len(first & other.get(there[1], set()))
            + len(second & other.get(there[0], set())),
        )
        if kept["straight"] != kept["crossed"]:
            return kept["crossed"] > kept["straight"]
    if clauses[0] != clauses[1] or there[0] != there[1]:
        return False
    return (places[0] < places[1]) != (matched[0] < matched[1])


def _is_negated(asked: Analysis, window: Analysis) -> bool:
    """Return whether a scope that one side negates is stated by the other."""
    return _flips(asked, window) or _flips(window, asked)


def _flips(negating: Analysis, stating: Analysis) -> bool:
    for scope in negating.negations:
        # The first word of a scope is what is denied; the rest says of what.
        shared = {name for name in scope if name in stating.known & negating.negated}
        if scope[0] not in shared or shared & stating.negated:
            continue
        share = total_weight(shared) / total_weight(scope)
        if share > 0.5 and not _says_opposite(scope, stating):
            return True
    return False


def _says_opposite(scope: tuple[str, ...], stating: Analysis) -> bool:
    """Return whether the other side states the antonym of a negated word: then they agree."""
    return any(opposite(name) & stating.known for name in scope)


def _has_antonym(asked: Analysis, window: Analysis) -> bool:
    for name in sorted(asked.known - window.known):
        for other in sorted((opposite(name) | turned_by_prefix(name)) & window.known):
            if other in asked.known:
                continue
            if (name in asked.negated) == (other in window.negated):
                return True
    return False


def _is_crossed(asked: Analysis, window: Analysis) -> bool:
    """Return whether two things have changed their directions: `a rose and b fell`."""
    clauses = list(_words_by_clause(asked).values())
    there = list(_words_by_clause(window).values())
    for words in clauses:
        for name in sorted(words):
            turned = opposite(name) & asked.known
            subject = {one for one in words if one != name and not opposite(one)}
            same = [one for one in there if subject & one]
            if not turned or not subject or any(name in one for one in same):
                continue
            if any(turned & one for one in same):
                return True
    return False
