"""Answers: from a text to its numbers under a policy."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from fractions import Fraction

from ingest.numbers import lexicon
from ingest.numbers.groups import Group, find_groups
from ingest.numbers.parsed import (
    AMBIGUOUS,
    EMPTY,
    IDENTIFIER,
    INVALID,
    LIST,
    MISSING,
    MOST_WORDS,
    NONE,
    NUMBER,
    PERIOD,
    PLAIN,
    RESTATED,
    TEXT,
    TIME,
    YEAR,
    Number,
    ParsedNumbers,
)
from ingest.numbers.policy import ALL, DEFAULT, FIRST, NumberPolicy
from ingest.numbers.tokens import (
    BREAK,
    CODE,
    LITERAL,
    WORD,
    Token,
    at,
    has_bidi_control,
    prepare,
    tokenize,
)

_QUANTITY = re.compile(
    r"\bhow (?:many|much)\b|\bwhat (?:is|was|are|were) the (?:total |net )?(?:number|amount)\b",
    re.IGNORECASE,
)
_SEPARATORS = frozenset((",", ";", "and", "&", "or", "+", ""))
_NAME_DIGITS = 4
_ZERO = Number(Fraction(0))


def asks_quantity(question: str | None) -> bool:
    """Return whether a question asks how many or how much."""
    return question is not None and _QUANTITY.search(question) is not None


def parse_answer(
    text: str | None, policy: NumberPolicy = DEFAULT, question: str | None = None
) -> ParsedNumbers:
    """Return the numbers of an answer.

    Args:
        text: the answer; None or blank is a missing one.
        policy: how to read what could be read in two ways.
        question: decides `none` and `3M`, which are numbers only where a quantity is asked for.

    Returns:
        Values exact and canonical. Time and memory are linear in the length of the text; nothing
        is raised for any text.
    """
    if text is None or not text.strip():
        return ParsedNumbers(MISSING, EMPTY, policy.name)
    if len(text) > policy.most_characters:
        return _invalid(policy, "too_long")
    if has_bidi_control(text):
        return _invalid(policy, "reordered_characters")
    is_quantity = asks_quantity(question)
    prepared = prepare(text)
    if is_quantity and prepared.strip(" .!").lower() in policy.zero_words:
        return ParsedNumbers(NUMBER, PLAIN, policy.name, (_ZERO,))
    tokens = tokenize(prepared, policy, asks_quantity=is_quantity)
    groups = find_groups(tokens, policy)
    problem = next((group.problem for group in groups if group.problem), "")
    if problem:
        return _invalid(policy, problem)
    return _decide(tokens, groups, policy, is_quantity)


def _invalid(policy: NumberPolicy, reason: str) -> ParsedNumbers:
    return ParsedNumbers(INVALID, INVALID, policy.name, reason=reason)


def _decide(
    tokens: list[Token], groups: list[Group], policy: NumberPolicy, is_quantity: bool
) -> ParsedNumbers:
    groups = _without_slashes(tokens, _without_citations(tokens, groups), policy)
    numbers = [group for group in groups if group.numbers]
    said = _said_words(tokens, numbers)
    if said:
        numbers = _without_weak(numbers)
    if not numbers:
        return ParsedNumbers(NONE, _kind_without_number(groups), policy.name, words=said)
    if len(groups) == 1 and not is_quantity and _is_name(tokens, numbers[0]):
        return ParsedNumbers(NONE, IDENTIFIER, policy.name, words=said)
    if not said:
        numbers = [_bracket_minus(tokens, group) for group in numbers]
    shape = _shape(tokens, numbers, policy, is_alone=not said)
    return replace(shape, words=said)


def _shape(
    tokens: list[Token], groups: list[Group], policy: NumberPolicy, *, is_alone: bool
) -> ParsedNumbers:
    first, last = groups[0], groups[-1]
    if len(groups) == 1:
        return ParsedNumbers(NUMBER, first.kind, policy.name, first.numbers)
    if policy.extraction != ALL:
        picked = first if policy.extraction == FIRST else last
        return ParsedNumbers(NUMBER, picked.kind, policy.name, picked.numbers)
    numbers = tuple(number for group in groups for number in group.numbers)
    pairs = list(itertools.pairwise(groups))
    # `slide 4, 35 % of them` is no list, whatever stands between.
    is_alike = is_alone or len({number.kind for number in numbers}) == 1
    if is_alike and all(_is_separated(tokens, left.end, right.first) for left, right in pairs):
        return ParsedNumbers(NUMBER, LIST, policy.name, numbers)
    # `17 thousand (17,000)` says one number twice; `5 5 5` says nothing that could be known.
    is_apart = all(
        left.end < right.first or tokens[right.first].text == "(" for left, right in pairs
    )
    if is_apart and len({_values(group) for group in groups}) == 1:
        kept = tuple(replace(one, notes=(*one.notes, RESTATED)) for one in first.numbers)
        return ParsedNumbers(NUMBER, first.kind, policy.name, kept)
    return ParsedNumbers(AMBIGUOUS, LIST, policy.name, numbers)


def _values(group: Group) -> tuple[Fraction, ...]:
    return tuple(number.value for number in group.numbers)


def _said_words(tokens: list[Token], groups: list[Group]) -> tuple[str, ...]:
    """Return the words outside of groups that say something, the first few."""
    inside = {place for group in groups for place in range(group.first, group.end)}
    said = (
        token.text
        for place, token in enumerate(tokens)
        if place not in inside
        and token.kind in (WORD, CODE, LITERAL)
        and token.lower not in lexicon.FILLERS
        and token.lower not in _SEPARATORS
    )
    return tuple(itertools.islice(said, MOST_WORDS))


def _without_slashes(tokens: list[Token], groups: list[Group], policy: NumberPolicy) -> list[Group]:
    """Return the groups with `3/4` as text, save where it is all of the answer."""
    is_all = not _said_words(tokens, groups)
    kept = []
    for group in groups:
        is_slash = group.phrase is not None and group.phrase.is_slash
        if is_slash and not (is_all and policy.slash_is_fraction):
            group = replace(group, kind=TEXT, numbers=())
        kept.append(group)
    return kept


def _without_citations(tokens: list[Token], groups: list[Group]) -> list[Group]:
    """Return the groups without `[1]` where other figures stand in the text."""
    kept = [
        group
        for group in groups
        if (at(tokens, group.first - 1).text, at(tokens, group.end).text) != ("[", "]")
        or group.kind != PLAIN
    ]
    return kept or groups


def _without_weak(groups: list[Group]) -> list[Group]:
    """Return the groups without `one` and `first` where other numbers stand in the text."""
    strong = [group for group in groups if group.phrase is None or not group.phrase.is_weak]
    return strong or groups


def _kind_without_number(groups: list[Group]) -> str:
    kinds = {group.kind for group in groups if not group.numbers}
    return next((kind for kind in (PERIOD, TIME, IDENTIFIER) if kind in kinds), TEXT)


def _is_name(tokens: list[Token], group: Group) -> bool:
    """Return whether the answer is a name that ends in a number: `iPhone 6`."""
    before = tokens[: group.first]
    literal = at(tokens, group.first)
    is_bare = group.phrase is not None and group.phrase.is_bare and literal.kind == LITERAL
    is_short = literal.text.isdigit() and len(literal.text) <= _NAME_DIGITS
    is_last = all(token.text == "." for token in tokens[group.end :])
    return (
        bool(before)
        and is_bare
        and is_short
        and is_last
        and group.kind in (PLAIN, YEAR)
        and all(token.kind == WORD and token.text != token.lower for token in before)
        and all(token.lower not in lexicon.FILLERS for token in before)
    )


def _bracket_minus(tokens: list[Token], group: Group) -> Group:
    """Return a number in round brackets as negative, where nothing but numbers is said."""
    phrase = group.phrase
    if phrase is None or not phrase.is_bracketed:
        return group
    sides = at(tokens, group.first - 1), at(tokens, group.end)
    if not all(token.kind == BREAK or token.lower in (*_SEPARATORS, ".") for token in sides):
        return group
    number = replace(phrase.number, value=-phrase.number.value)
    return replace(group, numbers=(number,))


def _is_separated(tokens: list[Token], place: int, end: int) -> bool:
    """Return whether only separators stand between two groups, and at least one."""
    between = tokens[place:end]
    return bool(between) and all(
        token.kind == BREAK or token.lower in _SEPARATORS for token in between
    )
