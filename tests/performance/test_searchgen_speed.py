"""A searchgen release of full size: the bar of docs/benchmarks.md, half as strict again."""

from __future__ import annotations

from pathlib import Path

from tests.performance import searchgen_bench
from tests.performance.measure import measure
from tests.performance.test_speed import SLACK


def test_a_release_of_full_size_is_landed_fast(tmp_path: Path) -> None:
    release = searchgen_bench.release_of_full_size(tmp_path / "release")
    figure = measure(searchgen_bench.comparison(tmp_path, release))
    assert figure.meets(SLACK), figure.line()


def test_the_competitor_reads_every_evaluation(tmp_path: Path) -> None:
    release = searchgen_bench.release_of_full_size(tmp_path / "release")
    scored = sum(one.scores is not None for one in release.planned)
    assert searchgen_bench.read_files(release.results) >= scored
