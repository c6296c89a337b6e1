from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Indel

from ingest.documents.words import normalize_tokens
from ingest.xslides.deduplication import (
    DuplicatePair,
    ProbeText,
    deduplicate,
    duplicate_pairs,
    normalize,
)


def brute_force(probes: list[ProbeText]) -> set[tuple[int, int]]:
    found = set()
    for j, right in enumerate(probes):
        for i, left in enumerate(probes[:j]):
            answer = Indel.normalized_similarity(normalize(left.answer), normalize(right.answer))
            question = Indel.normalized_similarity(
                normalize(left.question), normalize(right.question)
            )
            first, second = (set(normalize_tokens(" ".join(one.evidence))) for one in (left, right))
            union = first | second
            overlap = len(first & second) / len(union) if union else 0.0
            if answer >= 0.70 and (question >= 0.90 or overlap >= 0.80):
                found.add((i, j))
    return found


def keys(pairs: tuple[DuplicatePair, ...]) -> set[tuple[int, int]]:
    return {(pair.first, pair.second) for pair in pairs}


def made(count: int, seed: int) -> list[ProbeText]:
    rng = random.Random(seed)
    words = ["".join(rng.choices("abcdefgh", k=rng.randint(2, 8))) for _ in range(300)]
    probes: list[ProbeText] = []
    for _ in range(count):
        if probes and rng.random() < 0.4:
            base = rng.choice(probes)
            texts = [base.question, base.answer, base.evidence[0]]
            for place, text in enumerate(texts):
                parts = text.split()
                for _ in range(rng.randint(0, 3)):
                    parts[rng.randrange(len(parts))] = rng.choice(words)
                texts[place] = " ".join(parts)
            probes.append(ProbeText(texts[0], texts[1], (texts[2],)))
        else:
            question, answer, evidence = (" ".join(rng.choices(words, k=k)) for k in (12, 14, 20))
            probes.append(ProbeText(question, answer, (evidence,)))
    return probes


@pytest.mark.parametrize("seed", range(4))
def test_pairs_equal_those_of_comparing_everything(seed: int) -> None:
    probes = made(250, seed)
    expected = brute_force(probes)
    assert expected
    assert keys(duplicate_pairs(probes)) == expected


TEXTS = st.text(alphabet="ab \u00e9\u4f60", max_size=24)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.builds(ProbeText, TEXTS, TEXTS, st.tuples(TEXTS)), max_size=12))
def test_pairs_equal_those_of_comparing_everything_on_odd_texts(probes: list[ProbeText]) -> None:
    assert keys(duplicate_pairs(probes)) == brute_force(probes)


def test_values_exactly_on_the_thresholds_are_duplicates() -> None:
    tokens = [f"t{n}" for n in range(10)]
    left = ProbeText("q1", "abcdefghij", (" ".join(tokens[:9]),))
    # 8 of 10 tokens shared, and answers with an Indel ratio of exactly 0.70.
    right = ProbeText("other", "abcdefgxyz", (" ".join([*tokens[:8], "t9"]),))
    assert Indel.normalized_similarity(left.answer, right.answer) == pytest.approx(0.7)
    assert keys(duplicate_pairs([left, right])) == {(0, 1)}


def test_the_first_is_kept_and_duplicates_are_not_transitive() -> None:
    evidence = ("same words every time here",)
    a, b, c = "abcdefghij", "abcdefgXYZ", "abcdUVWXYZ"
    outcome = deduplicate([ProbeText("q", text, evidence) for text in (a, b, c)])
    assert keys(outcome.pairs) == {(0, 1), (1, 2)}
    # The third is a duplicate of the dropped second only, so it stays.
    assert outcome.kept == (0, 2)
    assert outcome.dropped == {1: 0}


def test_what_is_kept_holds_no_duplicate() -> None:
    probes = made(200, 9)
    kept = [probes[place] for place in deduplicate(probes).kept]
    assert duplicate_pairs(kept) == ()


def test_no_evidence_on_both_sides_is_no_overlap() -> None:
    probes = [ProbeText("one thing", "same", ()), ProbeText("another matter", "same", ())]
    assert duplicate_pairs(probes) == ()


def test_nothing_and_one_probe() -> None:
    assert deduplicate([]).kept == ()
    assert deduplicate([ProbeText("q", "a", ())]).kept == (0,)
