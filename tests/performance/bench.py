"""Speed as ratios against a named competitor in one run; writes docs/benchmarks.md.

Candidates run interleaved, and each figure is the median of its rounds, in CPU and in wall
seconds. CPU ratios are what to compare between machines.

Usage: python -m tests.performance.bench
"""

from __future__ import annotations

import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pymupdf

from ingest.documents.read import read_document
from tests.performance import competitors, workloads
from warehouse import storage

PROJECT = Path(__file__).resolve().parents[2]
SAMPLE_DECKS = PROJECT / "ingest" / "sample" / "xslides" / "decks"
PAGE = PROJECT / "docs" / "benchmarks.md"
ROUNDS = 5


@dataclass(frozen=True)
class Comparison:
    """One row of the page: ours against a competitor, and the bar on their ratio.

    `bar` is the smallest speed-up that is asked for; below 1 it is the largest slow-down.
    """

    name: str
    competitor: str
    bar: float
    ours: Callable[[], object]
    theirs: Callable[[], object]


@dataclass(frozen=True)
class Timing:
    """Median seconds of one candidate."""

    cpu: float
    wall: float


def comparisons(folder: Path) -> list[Comparison]:
    """Return all comparisons; their inputs are made in `folder`."""
    pptx = [one for one in sorted(SAMPLE_DECKS.rglob("*.pptx")) if competitors.opens(one)]
    pdf = sorted(SAMPLE_DECKS.rglob("*.pdf"))
    tree = workloads.score_tree(folder / "tree")
    warehouse = workloads.landed(folder / "warehouse", tree)
    cells = workloads.metric_values()
    files = workloads.score_files(folder / "scores")
    table = workloads.land_scores(folder / "landing", files)
    return [
        Comparison(
            f"PPTX text and counts, {len(pptx)} decks of the sample",
            "python-pptx, recursive walk",
            4.0,
            lambda: [read_document(one) for one in pptx],
            lambda: [competitors.walk_pptx(one) for one in pptx],
        ),
        Comparison(
            f"PDF text and counts with hidden text told apart, {len(pdf)} decks of the sample",
            "PyMuPDF words alone",
            1 / 1.6,
            lambda: [read_document(one) for one in pdf],
            lambda: [competitors.words_of_pdf(one) for one in pdf],
        ),
        Comparison(
            "coverage of all evaluations in SQL over landed Parquet, 36,000 judgments",
            "plain Python over the JSONL tree",
            100.0,
            lambda: workloads.coverage_in_sql(warehouse),
            lambda: competitors.coverage_in_python(tree),
        ),
        Comparison(
            "300,000 clean judgments in 4,000 JSONL files landed, strictly checked",
            "Parquet write alone",
            1 / 6,
            lambda: workloads.land_scores(folder / "landing", files),
            lambda: competitors.write_parquet(table, folder / "plain.parquet"),
        ),
        Comparison(
            "432 bootstrap intervals, n = 113, B = 10,000, in SQL",
            "scipy.stats.bootstrap, percentile",
            4.0,
            lambda: workloads.bootstrap_in_sql(cells),
            lambda: competitors.bootstrap_in_scipy(cells),
        ),
    ]


def measure(comparison: Comparison) -> tuple[Timing, Timing]:
    """Return the timings of ours and theirs, run in turn after one warm-up each."""
    comparison.ours()
    comparison.theirs()
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(_once(comparison.ours))
        theirs.append(_once(comparison.theirs))
    return _median(ours), _median(theirs)


def main() -> int:
    """Measure everything, print it and write the page."""
    lines = [
        "# Benchmarks",
        "",
        "Made by `make bench`. Ratios of medians of "
        f"{ROUNDS} interleaved rounds; above 1 means faster than the competitor.",
        "",
        f"Python {platform.python_version()}, DuckDB {duckdb.__version__}, "
        f"PyMuPDF {pymupdf.VersionBind}, {platform.machine()}, 2 threads.",
        "",
        "| path | competitor | ours, CPU s | theirs, CPU s | ratio CPU | ratio wall | bar | met |",
        "|---|---|---|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory(prefix="podium-bench-") as folder:
        for comparison in comparisons(Path(folder)):
            ours, theirs = measure(comparison)
            cpu, wall = theirs.cpu / ours.cpu, theirs.wall / ours.wall
            met = "yes" if cpu >= comparison.bar else "no"
            line = (
                f"| {comparison.name} | {comparison.competitor} | {ours.cpu:.3f} "
                f"| {theirs.cpu:.3f} | {cpu:.2f} | {wall:.2f} | {comparison.bar:.2f} | {met} |"
            )
            lines.append(line)
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
    storage.write_text(PAGE, "\n".join(lines) + "\n")
    return 0


def _once(job: Callable[[], object]) -> Timing:
    cpu, wall = time.process_time(), time.perf_counter()
    job()
    return Timing(time.process_time() - cpu, time.perf_counter() - wall)


def _median(timings: list[Timing]) -> Timing:
    return Timing(
        statistics.median(one.cpu for one in timings),
        statistics.median(one.wall for one in timings),
    )


if __name__ == "__main__":
    sys.exit(main())
