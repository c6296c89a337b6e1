"""Hard deduplication of probes: exact, over the full union, first one kept.

Definition. Texts are normalised by NFKC, case folding and white-space folding. Question
and answer similarity are the Indel ratio 2·LCS/(a+b); evidence overlap is the Jaccard
index of the token sets of all evidence texts of a probe, 0 when both are empty. A pair is
a duplicate when answers reach 0.70 and either questions reach 0.90 or evidence reaches
0.80. Walking in the given order, a probe is dropped when it is a duplicate of a kept one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Indel

from ingest.xslides.deduplication_candidates import question_candidates
from ingest.xslides.deduplication_tokens import distinct, evidence_candidates, overlaps, token_sets

ANSWER_THRESHOLD = 0.70
QUESTION_THRESHOLD = 0.90
EVIDENCE_THRESHOLD = 0.80
METHOD_VERSION = "indel-jaccard-1"

Pairs = NDArray[np.int64]


@dataclass(frozen=True)
class ProbeText:
    """What deduplication looks at: question, answer and all evidence texts of one probe."""

    question: str
    answer: str
    evidence: tuple[str, ...]


@dataclass(frozen=True)
class DuplicatePair:
    """Two positions (`first` < `second`) that are duplicates, with their similarities (0-1)."""

    first: int
    second: int
    question_similarity: float
    answer_similarity: float
    evidence_overlap: float


@dataclass(frozen=True)
class Deduplication:
    """Outcome: positions kept in order, all duplicate pairs, and what each drop fell to."""

    kept: tuple[int, ...]
    pairs: tuple[DuplicatePair, ...]
    dropped: dict[int, int]


def deduplicate(probes: Sequence[ProbeText]) -> Deduplication:
    """Drop duplicates among `probes`, which stand in (chunk, pass, position) order."""
    pairs = duplicate_pairs(probes)
    earlier: dict[int, list[int]] = {}
    for pair in pairs:
        earlier.setdefault(pair.second, []).append(pair.first)
    dropped: dict[int, int] = {}
    for position in sorted(earlier):
        kept_one = next((one for one in sorted(earlier[position]) if one not in dropped), None)
        if kept_one is not None:
            dropped[position] = kept_one
    kept = tuple(position for position in range(len(probes)) if position not in dropped)
    return Deduplication(kept, pairs, dropped)


def duplicate_pairs(probes: Sequence[ProbeText]) -> tuple[DuplicatePair, ...]:
    """Return every duplicate pair, sorted by position; equal to comparing all pairs."""
    if len(probes) < 2:
        return ()
    questions = [normalize(probe.question) for probe in probes]
    answers = [normalize(probe.answer) for probe in probes]
    tokens = token_sets([" ".join(probe.evidence) for probe in probes])
    found = np.concatenate(
        [
            question_candidates(questions, QUESTION_THRESHOLD),
            evidence_candidates(tokens, EVIDENCE_THRESHOLD),
        ]
    )
    keys = distinct(found[:, 0] * len(probes) + found[:, 1])
    candidates = np.stack(np.divmod(keys, len(probes)), axis=1)
    answer = _similarities(answers, candidates, ANSWER_THRESHOLD)
    close = answer >= ANSWER_THRESHOLD
    candidates, answer = candidates[close], answer[close]
    question = _similarities(questions, candidates, 0.0)
    overlap = overlaps(tokens, candidates)
    hit = (question >= QUESTION_THRESHOLD) | (overlap >= EVIDENCE_THRESHOLD)
    return tuple(
        DuplicatePair(int(i), int(j), float(q), float(a), float(o))
        for (i, j), q, a, o in zip(
            candidates[hit], question[hit], answer[hit], overlap[hit], strict=True
        )
    )


def normalize(text: str) -> str:
    """Return a text in NFKC, case-folded, with white space folded to single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _similarities(texts: Sequence[str], pairs: Pairs, cutoff: float) -> NDArray[np.float64]:
    """Return the Indel ratio of each pair; a value below `cutoff` may be given as 0."""
    if not len(pairs):
        return np.zeros(0, dtype=np.float64)
    left = [texts[i] for i in pairs[:, 0]]
    right = [texts[j] for j in pairs[:, 1]]
    return np.asarray(
        process.cpdist(
            left,
            right,
            scorer=Indel.normalized_similarity,
            score_cutoff=cutoff,
            dtype=np.float64,
            workers=1,
        )
    )
