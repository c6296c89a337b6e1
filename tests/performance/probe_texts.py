"""Made probes for measuring deduplication: skewed words, and near-duplicates by edits of words.

Questions have about 90 characters, answers about 110, evidence 15 to 50 words; three in ten probes
are an earlier one with up to a fifth of its words edited. Words are drawn by Zipf's law from a
vocabulary of made-up ones, so that frequent words are shared by most texts, as in prose.
"""

from __future__ import annotations

import random
from itertools import accumulate

from ingest.xslides.deduplication import ProbeText

VOCABULARY_SIZE = 5_000
DUPLICATE_SHARE = 0.3
LARGEST_EDIT_SHARE = 0.2
QUESTION_WORDS = (9, 13)
ANSWER_WORDS = (11, 16)
EVIDENCE_WORDS = (15, 50)
_ONSETS = [*"bcdfghlmnprstvw", "st", "tr", "pl", "gr", "ch"]
_VOWELS = [*"aeiou", "ea", "ou", "ai"]
_ENDS = ["", "", "n", "r", "s", "t", "l", "nd", "st"]


def made_probes(count: int, seed: int = 1) -> list[ProbeText]:
    """Return probes, always the same for a count and a seed.

    Args:
        count: how many, 0 or more; the first of a longer list are those of a shorter one.
        seed: of the generator.

    Returns:
        `count` probes with one evidence text each.
    """
    draw = random.Random(seed)
    words = _vocabulary(draw)
    weights = list(accumulate(1 / (rank + 10) for rank in range(len(words))))

    def text(bounds: tuple[int, int]) -> list[str]:
        return draw.choices(words, cum_weights=weights, k=draw.randint(*bounds))

    made: list[tuple[list[str], list[str], list[str]]] = []
    for _ in range(count):
        if made and draw.random() < DUPLICATE_SHARE:
            question, answer, evidence = draw.choice(made)
            share = draw.uniform(0, LARGEST_EDIT_SHARE)
            made.append(
                (
                    _edited(question, share / 2, words, draw),
                    _edited(answer, share, words, draw),
                    _edited(evidence, share / 2, words, draw),
                )
            )
        else:
            made.append((text(QUESTION_WORDS), text(ANSWER_WORDS), text(EVIDENCE_WORDS)))
    return [
        ProbeText(
            " ".join(question).capitalize() + "?",
            " ".join(answer).capitalize() + ".",
            (" ".join(evidence),),
        )
        for question, answer, evidence in made
    ]


def _edited(text: list[str], share: float, words: list[str], draw: random.Random) -> list[str]:
    """Replace, drop or add a share of the words of a text."""
    edited = list(text)
    for _ in range(round(share * len(text))):
        place, kind = draw.randrange(len(edited)), draw.random()
        if kind < 0.6:
            edited[place] = draw.choice(words)
        elif kind < 0.8 and len(edited) > 1:
            del edited[place]
        else:
            edited.insert(place, draw.choice(words))
    return edited


def _vocabulary(draw: random.Random) -> list[str]:
    """Return made-up words, frequent ones first, which are the shorter ones as in prose."""
    words: dict[str, None] = {}
    while len(words) < VOCABULARY_SIZE:
        syllables = 1 + min(3, len(words) // 150)
        parts = [draw.choice(_ONSETS) + draw.choice(_VOWELS) for _ in range(syllables)]
        words["".join(parts) + draw.choice(_ENDS)] = None
    return list(words)
