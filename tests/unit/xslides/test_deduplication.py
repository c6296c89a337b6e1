from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Indel

from ingest.documents.words import normalize_tokens
from ingest.xslides import deduplication_candidates, deduplication_tokens
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


def texts_of(questions: list[str], answer: str = "the same answer") -> list[ProbeText]:
    """Probes that differ in nothing but their questions, and in evidence that is never shared."""
    return [ProbeText(text, answer, (f"token{place}",)) for place, text in enumerate(questions)]


def permuted_bags(rng: random.Random) -> list[ProbeText]:
    words = [f"{a}{b}" for a in "abcdefghij" for b in "klmn"]
    bags = [" ".join(rng.sample(words, len(words))) for _ in range(60)]
    return texts_of([*bags, *bags[:3]])


def length_steps(rng: random.Random) -> list[ProbeText]:
    """Texts of all lengths from 0 on, cut from one, so that pairs lie on both sides of 0.90."""
    long = "".join(rng.choices("abcdefghij ", k=120))
    texts = [long[:length] for length in range(120)]
    rng.shuffle(texts)
    return texts_of(texts)


def two_letters(rng: random.Random) -> list[ProbeText]:
    return texts_of(["".join(rng.choices("ab", k=rng.randint(15, 30))) for _ in range(120)])


def long_answers(rng: random.Random) -> list[ProbeText]:
    """Answers of more than 200 characters, of which those of one stem have three in four."""
    stems = ["".join(rng.choices("abcdefgh ", k=240)) for _ in range(8)]
    return [
        ProbeText("one question for all", stem[:cut] + "z" * (240 - cut) + stem[:60], ())
        for stem in stems
        for cut in range(120, 240, 20)
    ]


def long_questions(rng: random.Random) -> list[ProbeText]:
    """Questions so long that the first bits of their counts tell nothing apart."""
    stem = rng.choices("abcdefghijklmnop ", k=1500)
    texts = []
    for changed in range(0, 240, 8):
        edited = list(stem)
        for place in rng.sample(range(len(stem)), changed):
            edited[place] = "\u00df"
        texts.append("".join(edited))
    return texts_of(texts)


def other_scripts(rng: random.Random) -> list[ProbeText]:
    scripts = [
        "\u4f60\u597d\u4e16\u754c\u5927",
        "\u0430\u0431\u0432\u0433\u0434\u0435",
        "\u0627\u0628\u062a\u062b",
        "\uac00\ub098\ub2e4",
        "\U0001f600\U0001f601",
    ]
    made_of = [rng.choices(rng.choice(scripts), k=rng.randint(8, 24)) for _ in range(60)]
    near = [[*text[:-1], rng.choice(scripts[0])] for text in made_of]
    texts = ["".join(text) for text in made_of + near]
    return [ProbeText(text, text, (text + " " + text[::-1],)) for text in texts]


def evidence_steps(rng: random.Random) -> list[ProbeText]:
    """Evidence that grows token by token: Jaccard indexes on and around 0.80 at every size."""
    words = [f"w{place}" for place in range(60)]
    sets = [words[start : start + size] for start in (0, 1, 3) for size in range(0, 56, 1)]
    rng.shuffle(sets)
    return [
        ProbeText(f"{place:08b}" * 4, "one answer", (" ".join(one),))
        for place, one in enumerate(sets)
    ]


def split_evidence(rng: random.Random) -> list[ProbeText]:
    """Evidence in several texts, with punctuation, repeats, separators and words of other forms."""
    words = [
        "Caf\u00e9",
        "caf\u00e9,",
        "(rate)",
        "rate",
        "5%",
        "--",
        "\uff32ate",
        "a\x1cb",
        "a b",
        "\u4f60\u597d",
    ]
    return [
        ProbeText(f"{place:08b}" * 4, "one answer", tuple(rng.choices(words, k=rng.randint(0, 4))))
        for place in range(120)
    ]


def all_identical(_rng: random.Random) -> list[ProbeText]:
    return [ProbeText("one question", "one answer", ("one evidence",))] * 60


def empty_texts(_rng: random.Random) -> list[ProbeText]:
    parts = ["", " ", "x"]
    return [ProbeText(q, a, (e,)) for q in parts for a in parts for e in parts] * 2


@pytest.mark.parametrize(
    "make",
    [
        permuted_bags,
        length_steps,
        two_letters,
        long_answers,
        long_questions,
        other_scripts,
        evidence_steps,
        split_evidence,
        all_identical,
        empty_texts,
    ],
)
def test_pairs_equal_those_of_comparing_everything_on_hard_sets(
    make: Callable[[random.Random], list[ProbeText]],
) -> None:
    probes = make(random.Random(3))
    expected = brute_force(probes)
    assert expected
    assert keys(duplicate_pairs(probes)) == expected


def test_similarities_equal_those_of_comparing_the_pair() -> None:
    probes = made(120, 5)
    for pair in duplicate_pairs(probes):
        left, right = probes[pair.first], probes[pair.second]
        question, answer = (
            Indel.normalized_similarity(normalize(one), normalize(other))
            for one, other in ((left.question, right.question), (left.answer, right.answer))
        )
        first, second = (set(normalize_tokens(" ".join(one.evidence))) for one in (left, right))
        overlap = len(first & second) / len(first | second)
        found = (pair.question_similarity, pair.answer_similarity, pair.evidence_overlap)
        assert found == (question, answer, overlap)


def test_more_probes_than_one_block_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    probes = made(250, 6)
    expected = duplicate_pairs(probes)
    monkeypatch.setattr(deduplication_candidates, "BLOCK_COLUMNS", 16)
    monkeypatch.setattr(deduplication_candidates, "BLOCK_TEXTS", 7)
    monkeypatch.setattr(deduplication_tokens, "BLOCK_PAIRS", 5)
    assert expected
    assert duplicate_pairs(probes) == expected


def test_a_longer_text_beside_a_pair_does_not_hide_it() -> None:
    # Lengths of 5 and 6 allow a distance of 1, lengths of 6 and 6 only one of 0.
    assert keys(duplicate_pairs(texts_of(["abcde", "abcdef", "uvwxyz"]))) == {(0, 1)}


@pytest.mark.parametrize(("shared", "is_pair"), [(17, False), (18, True), (19, True)])
def test_a_question_exactly_on_its_threshold_is_one(shared: int, is_pair: bool) -> None:
    letters = "abcdefghijklmnopqrst"
    left, right = letters, letters[:shared] + "0123456789"[: 20 - shared]
    assert (keys(duplicate_pairs(texts_of([left, right]))) == {(0, 1)}) is is_pair


@pytest.mark.parametrize(("shared", "is_pair"), [(6, False), (7, True), (8, True)])
def test_an_answer_exactly_on_its_threshold_is_one(shared: int, is_pair: bool) -> None:
    letters = "abcdefghij"
    answers = [letters, letters[:shared] + "0123456789"[: 10 - shared]]
    probes = [ProbeText("same", answer, ()) for answer in answers]
    assert (keys(duplicate_pairs(probes)) == {(0, 1)}) is is_pair


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
