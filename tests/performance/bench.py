"""Speed as ratios against a named competitor in one run; writes docs/benchmarks.md.

Candidates run in turn in one process, and each figure is the median of its rounds. CPU
ratios are what to compare between machines; the clock stands beside them.

Usage: python -m tests.performance.bench [WORD]   (only what holds WORD; writes no page)
"""

from __future__ import annotations

import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

from ingest.xslides.land import LandOptions, land
from tests.performance import (
    bootstrap_bench,
    build_bench,
    deduplication_bench,
    documents_bench,
    landing_bench,
    metrics_bench,
    paper_scale,
    searchgen_bench,
)
from tests.performance.compiled import CompiledProject
from tests.performance.measure import Comparison, Figure, measure
from warehouse import storage
from warehouse.paths import WarehousePaths

PAGE = Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md"
LIBRARIES = ("duckdb", "pyarrow", "numpy", "scipy", "rapidfuzz", "PyMuPDF", "python-pptx", "lxml")
LARGE_CELLS, LARGE_BAR, LARGE_BYTES = 360, 4.0, 3 * 10**9
HEAD = """
| path | competitor | ours, CPU s | theirs, CPU s | ratio, CPU | ratio, clock | bar | met |
|---|---|---|---|---|---|---|---|
"""


def topics(folder: Path) -> dict[str, Callable[[], Iterator[str]]]:
    """Return what is measured, by topic; each makes its inputs when it starts."""
    return {
        "documents": lambda: _lines(documents_bench.comparisons()),
        "deduplication": _deduplication,
        "landing": lambda: _lines([landing_bench.comparison(folder / "landing", 13_334)]),
        "metrics": lambda: _lines(
            [
                metrics_bench.paper_comparison(*_paper(folder)),
                metrics_bench.scale_comparison(folder / "scale", 36, at_most=5),
            ]
        ),
        "large": lambda: _large(folder / "large"),
        "bootstrap": lambda: _lines(bootstrap_bench.comparisons(_project(folder))),
        "searchgen": lambda: _searchgen(folder / "searchgen"),
        "build": lambda: _lines(
            [
                build_bench.comparison(
                    _paper(folder)[1], _project(folder), "the tree of the paper's size"
                )
            ]
        ),
    }


def main() -> int:
    """Measure everything, print it and write the page; with a word, only print."""
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    lines = []
    with tempfile.TemporaryDirectory(prefix="podium-bench-") as folder:
        for name, run in topics(Path(folder)).items():
            if word not in name:
                continue
            for line in run():
                lines.append(line)
                sys.stdout.write(line + "\n")
                sys.stdout.flush()
    if not word:
        storage.write_text(PAGE, _page(lines))
    return 0 if lines else 2


def _lines(comparisons: list[Comparison]) -> Iterator[str]:
    for comparison in comparisons:
        yield measure(comparison).line()


def _deduplication() -> Iterator[str]:
    yield from _lines(deduplication_bench.comparisons())
    yield from deduplication_bench.absolute_lines()


def _searchgen(folder: Path) -> Iterator[str]:
    release = searchgen_bench.release_of_full_size(folder / "release")
    yield measure(searchgen_bench.comparison(folder, release)).line()
    yield from searchgen_bench.whole_job(folder, release)


def _large(folder: Path) -> Iterator[str]:
    ours, theirs, peak = metrics_bench.in_a_child(folder, LARGE_CELLS)
    comparison = metrics_bench.scale_comparison(folder, LARGE_CELLS, at_most=LARGE_BAR)
    yield Figure(comparison, ours, theirs).line()
    met = "yes" if peak <= LARGE_BYTES else "no"
    yield (
        f"| peak memory of it, in a process of its own | none | {peak / 1e9:.2f} GB | | | "
        f"| ≤ {LARGE_BYTES / 1e9:g} GB | {met} |"
    )
    shutil.rmtree(folder)


def _paper(folder: Path) -> tuple[Path, WarehousePaths]:
    """Return the tree of the paper's size and a warehouse it is landed and built in."""
    tree, paths = folder / "paper", WarehousePaths(folder / "paper-warehouse")
    if not tree.exists():
        paper_scale.write_tree(tree)
        land(paths, tree, LandOptions())
        build_bench.build(paths)
    return tree, paths


def _project(folder: Path) -> CompiledProject:
    return CompiledProject(_paper(folder)[1])


def _page(lines: list[str]) -> str:
    versions = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    return (
        "# Benchmarks\n\n"
        "Made by `make bench`. Each row compares two ways to do one job, run in turn in one "
        "process, by the median of its rounds. Where the bar says *faster*, the ratio is the "
        "competitor's time over ours; where it says *its time*, it is ours over the "
        "competitor's. The CPU ratio decides.\n\n"
        f"Python {platform.python_version()}, {versions}, {platform.machine()}, 2 threads.\n"
        + HEAD
        + "\n".join(lines)
        + "\n\n"
        + NOTES.format(misses=_misses(lines))
    )


def _misses(lines: list[str]) -> str:
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    missed = [
        f"- {name}: {ratio or ours} where the bar is {bar}. {_reason(name)}"
        for name, _, ours, _, ratio, _, bar, met in cells
        if met == "no"
    ]
    return "\n".join(missed) or "None."


def _reason(name: str) -> str:
    found = (reason for word, reason in REASONS.items() if word in name)
    return next(found, "It was not looked into further.")


# Where profiles found the time of a row whose bar was missed, by a word of its name.
REASONS = {
    "PPTX": "A fifth is the parsing of XML and an eighth inflating, which no reader escapes; the "
    "rest tells classes of words apart that the walk never looks at.",
    "PDF": "The text is taken out once, as the competitor does; fills, pictures and suspects of "
    "lost spaces are looked at on top.",
    "judgments in": "The strict language takes a sixth, reading and joining files another, "
    "parsing two fifths, the write itself a fifth.",
    "bootstrap": "Drawing and dot products take a third each; every further number of defined "
    "cases is drawn once more.",
    "paired": "Dot products take two thirds, one addition after the other; every system stands "
    "in eleven pairs, and sums by system would save most of them.",
    "build": "dbt's own cost for each of a hundred nodes, two gates and the promotion stand "
    "beside the SQL.",
}
NOTES = """## What the rows hold

- **Documents**: the decks of the sample that python-pptx opens; ours also tells notes, hidden
  slides, off-slide, invisible and diagram text apart, which the walk does not.
- **Duplicates**: the pair set is equal to brute force (`tests/unit/xslides/test_deduplication.py`).
- **Landing**: 75 judgments a file; every line is held to a strict language, keyed, and its probe
  and bank looked up; the competitor only writes the finished table.
- **Coverage**: the same figure for every evaluation, to 1e-12; plain Python reads probes and
  weights again for each evaluation, as scripts do.
- **Intervals**: the models' own SQL with drawing included, bit-equal to numpy
  (`tests/property/test_bootstrap.py`). Undefined cases leave before resampling, so every number
  of cases in use is drawn once more; here there are three.
- **Build**: dbt's own cost for each node is what stands between a build and its SQL.

`make test` holds each bar with half as much again of slack, and paired intervals to 8 in place of
15 (`tests/performance/test_speed.py`).

## Bars that are not met

{misses}
"""


if __name__ == "__main__":
    sys.exit(main())
