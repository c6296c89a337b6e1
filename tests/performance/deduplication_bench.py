"""Deduplication against the ways its users would write it: same definition, same pairs.

Usage: python -m tests.performance.deduplication_bench COUNT
prints the seconds, the peak memory and the number of pairs of one run in this process.
"""

from __future__ import annotations

import difflib
import json
import resource
import statistics
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
from tests.performance.measure import Comparison, timed
from tests.performance.probe_texts import made_probes

PROJECT = Path(__file__).resolve().parents[2]
LARGE_COUNT = 100_000
# Rows of the similarity matrix that are held at a time.
CDIST_ROWS = 1_000

LARGE_SECONDS, LARGE_MIB = 20.0, 1024.0

PairSet = set[tuple[int, int]]


def comparisons(*, loop: int = 250, many: int = 10_000) -> list[Comparison]:
    """Return the comparisons at 1,000 probes and at `many`.

    Args:
        loop: probes that difflib compares; its time is scaled by the number of pairs.
        many: probes that cdist compares.
    """
    some, all_of_them = made_probes(1_000), made_probes(many)
    return [
        Comparison(
            f"duplicates among 1,000 probes, exact; difflib on {loop} of them",
            "loop over all pairs with difflib",
            lambda: ours(some),
            lambda: difflib_loop(some[:loop]),
            at_least=300,
            their_share=_pair_count(loop) / _pair_count(len(some)),
            rounds=3,
        ),
        Comparison(
            f"duplicates among {many:,} probes, exact",
            "rapidfuzz cdist on answers, then the rest",
            lambda: ours(all_of_them),
            lambda: cdist_and_verify(all_of_them),
            at_least=1.5,
            rounds=3,
        ),
    ]


def absolute_lines() -> list[str]:
    """Return the rows of the bars that are seconds and bytes: at 10,000 and at 100,000."""
    many = made_probes(10_000)
    seconds = statistics.median(timed(lambda: ours(many)).wall for _ in range(3))
    large = large_run()
    return [
        _absolute("duplicates among 10,000 probes", f"{seconds:.2f} s", "≤ 1 s", seconds <= 1),
        _absolute(
            f"duplicates among {LARGE_COUNT:,} probes ({large.cpu_seconds:.1f} s CPU)",
            f"{large.wall_seconds:.1f} s",
            f"≤ {LARGE_SECONDS:g} s",
            large.wall_seconds <= LARGE_SECONDS,
        ),
        _absolute(
            "peak memory of it, in a process of its own",
            f"{large.peak_mib:.0f} MiB",
            f"≤ {LARGE_MIB:g} MiB",
            large.peak_mib <= LARGE_MIB,
        ),
    ]


def _absolute(name: str, found: str, bar: str, is_met: bool) -> str:
    return f"| {name} | none: by the clock | {found} | | | | {bar} | {'yes' if is_met else 'no'} |"


def _pair_count(probes: int) -> int:
    return probes * (probes - 1) // 2


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
        [sys.executable, "-m", "tests.performance.deduplication_bench", str(count)],
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
