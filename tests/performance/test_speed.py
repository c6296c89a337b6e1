"""The bars of docs/benchmarks.md, half as strict again, so that a slow day is no red build.

`make bench` measures at full size and with more rounds; here is what fits into every run. CPU
ratios decide, because a busy machine stretches both sides of them alike.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from expectations import gate
from ingest.xslides.land import LandOptions, land
from tests.performance import (
    bootstrap_bench,
    build_bench,
    deduplication_bench,
    documents_bench,
    landing_bench,
    metrics_bench,
    paper_scale,
)
from tests.performance.compiled import CompiledProject
from tests.performance.measure import Comparison, measure
from tests.performance.probe_texts import made_probes
from warehouse.paths import WarehousePaths

SLACK = 1.5


@dataclass(frozen=True)
class Paper:
    """A tree of the paper's size, landed and built."""

    tree: Path
    paths: WarehousePaths
    project: CompiledProject


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Paper]:
    folder = tmp_path_factory.mktemp("paper")
    tree, paths = paper_scale.write_tree(folder / "tree"), WarehousePaths(folder / "warehouse")
    land(paths, tree, LandOptions())
    build_bench.build(paths)
    yield Paper(tree, paths, CompiledProject(paths))


def hold(comparison: Comparison, *, rounds: int = 3) -> None:
    figure = measure(dataclasses.replace(comparison, rounds=rounds))
    assert figure.meets(SLACK), figure.line()


@pytest.mark.parametrize("number", range(2), ids=["pptx", "pdf"])
def test_documents_are_read_fast(number: int) -> None:
    hold(documents_bench.comparisons()[number])


@pytest.mark.parametrize("number", range(2), ids=["difflib", "cdist"])
def test_duplicates_are_found_fast(number: int) -> None:
    hold(deduplication_bench.comparisons(loop=60, many=3_000)[number])


def test_the_competitor_finds_the_same_duplicates() -> None:
    probes = made_probes(1_500)
    assert deduplication_bench.ours(probes) == deduplication_bench.cdist_and_verify(probes)


def test_clean_judgments_are_landed_fast(tmp_path: Path) -> None:
    hold(landing_bench.comparison(tmp_path, 2_000))


def test_a_scan_is_not_far_away(tmp_path: Path) -> None:
    hold(metrics_bench.scale_comparison(tmp_path, 8, at_most=5))


def test_the_tree_has_the_counts_of_the_paper(paper: Paper) -> None:
    assert gate.check_landing(paper.paths, "xslides", "paper").verdict.exit_code == 0


def test_coverage_in_sql_is_fast_and_that_of_plain_python(paper: Paper) -> None:
    comparison = metrics_bench.paper_comparison(paper.tree, paper.paths)
    found = metrics_bench.coverage_in_sql(metrics_bench.landed_relations(paper.paths))
    expected = metrics_bench.coverage_in_python(paper.tree)
    assert found == pytest.approx(expected, abs=1e-12)
    hold(comparison, rounds=1)


def test_intervals_of_means_are_fast(paper: Paper) -> None:
    hold(bootstrap_bench.comparisons(paper.project, their_share=0.05)[0])


def test_intervals_of_pairs_are_not_slower_than_they_were(paper: Paper) -> None:
    # Their bar of 15 is not met, as docs/benchmarks.md says: 8 to 13 were measured.
    pairs = bootstrap_bench.comparisons(paper.project, their_share=0.05)[1]
    hold(dataclasses.replace(pairs, at_least=8))


def test_a_build_costs_little_beside_its_sql(paper: Paper) -> None:
    hold(build_bench.comparison(paper.paths, paper.project, "the paper's size"), rounds=1)
