"""Deduplication against the ways its users would write it: same definition, same pairs.

Usage: python -m tests.performance.dedup_bench COUNT
prints the seconds, the peak memory and the number of pairs of one run in this process.
"""

from __future__ import annotations

import difflib
import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Indel

from ingest.documents.words import normalize_tokens
from ingest.xslides.deduplication import (
    ANSWER_THRESHOLD,
    EVIDENCE_THRESHOLD,
    QUESTION_THRESHOLD,
    ProbeText,
    duplicate_pairs,
    normalize,
)
from tests.performance.probe_texts import made_probes

PROJECT = Path(__file__).resolve().parents[2]
LARGE_COUNT = 100_000
# Rows of the similarity matrix that are held at a time.
CDIST_ROWS = 1_000

PairSet = set[tuple[int, int]]


@dataclass(frozen=True)
class LargeRun:
    """One run in a process of its own.

    Args:
        wall_seconds: of deduplication alone, the probes being there.
        cpu_seconds: of the same, over all threads.
        peak_mib: largest resident size of the process, interpreter and probes included.
        pair_count: duplicate pairs that were found.
    """

    wall_seconds: float
    cpu_seconds: float
    peak_mib: float
    pair_count: int


def ours(probes: Sequence[ProbeText]) -> PairSet:
    """Return the duplicate pairs (i < j) as the product finds them."""
    return {(pair.first, pair.second) for pair in duplicate_pairs(probes)}


def difflib_loop(probes: Sequence[ProbeText]) -> PairSet:
    """Return pairs (i < j) as a loop over all pairs with `difflib.SequenceMatcher` finds them.

    The same thresholds on another similarity, so the pairs may differ; it stands for the time of
    the loop that comes to mind first. Texts are normalised once; answers are compared first, then
    evidence, and questions only where evidence is not close.
    """
    questions = [normalize(probe.question) for probe in probes]
    answers = [normalize(probe.answer) for probe in probes]
    tokens = _token_sets(probes)
    found = set()
    for j in range(len(probes)):
        for i in range(j):
            if _ratio(answers[i], answers[j]) < ANSWER_THRESHOLD:
                continue
            is_close = _jaccard(tokens[i], tokens[j]) >= EVIDENCE_THRESHOLD
            if is_close or _ratio(questions[i], questions[j]) >= QUESTION_THRESHOLD:
                found.add((i, j))
    return found


def cdist_and_verify(probes: Sequence[ProbeText]) -> PairSet:
    """Return the duplicate pairs (i < j) by `rapidfuzz.process.cdist` on answers, then the rest.

    Each row is compared with the rows after it only, in blocks, on one core.
    """
    questions = [normalize(probe.question) for probe in probes]
    answers = [normalize(probe.answer) for probe in probes]
    tokens = _token_sets(probes)
    found = set()
    for start in range(0, len(answers), CDIST_ROWS):
        close = process.cdist(
            answers[start : start + CDIST_ROWS],
            answers[start:],
            scorer=Indel.normalized_similarity,
            score_cutoff=ANSWER_THRESHOLD,
            dtype=np.float64,
            workers=1,
        )
        for row, column in np.argwhere(close >= ANSWER_THRESHOLD):
            i, j = start + int(row), start + int(column)
            if i < j and (
                _jaccard(tokens[i], tokens[j]) >= EVIDENCE_THRESHOLD
                or Indel.normalized_similarity(questions[i], questions[j]) >= QUESTION_THRESHOLD
            ):
                found.add((i, j))
    return found


def large_run(count: int = LARGE_COUNT) -> LargeRun:
    """Deduplicate made probes in a child process and return what it took.

    Args:
        count: how many probes, 1 or more.

    Raises:
        subprocess.CalledProcessError: the child failed; what it said is on standard error.
    """
    done = subprocess.run(
        [sys.executable, "-m", "tests.performance.dedup_bench", str(count)],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        check=True,
    )
    return LargeRun(**json.loads(done.stdout))


def main(count: int) -> int:
    """Run once in this process and print a `LargeRun` as JSON."""
    probes = made_probes(count)
    wall, cpu = time.perf_counter(), time.process_time()
    pairs = duplicate_pairs(probes)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # Linux counts in KiB
    run = {"wall_seconds": wall, "cpu_seconds": cpu, "peak_mib": peak, "pair_count": len(pairs)}
    sys.stdout.write(json.dumps(run) + "\n")
    return 0


def _token_sets(probes: Sequence[ProbeText]) -> list[frozenset[str]]:
    return [frozenset(normalize_tokens(" ".join(probe.evidence))) for probe in probes]


def _ratio(left: str, right: str) -> float:
    return difflib.SequenceMatcher(None, left, right).ratio()


def _jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    union = len(left | right)
    return len(left & right) / union if union else 0.0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
