"""A searchgen release of full size: landing against the least that could be done, and the clock."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from ingest.sample.searchgen_release import SyntheticRelease, write_release
from ingest.searchgen.land import LandOptions, land_results
from tests.performance.measure import Comparison, timed
from warehouse.paths import WarehousePaths

SEED = 1
AT_MOST_SECONDS = 15


def release_of_full_size(folder: Path) -> SyntheticRelease:
    """Write 751 prompts and what 18 models made of them: 13,518 pairs."""
    return write_release(folder, seed=SEED)


def comparison(folder: Path, release: SyntheticRelease) -> Comparison:
    """Return the comparison of landing a release anew with only reading its files."""
    return Comparison(
        f"{len(release.planned):,} results of searchgen landed out of as many folders",
        "listing the same folders; reading, hashing and parsing every file, and no more",
        lambda: land(release, folder / "warehouse"),
        lambda: read_files(release.results),
        at_most=4,
        rounds=3,
    )


def land(release: SyntheticRelease, root: Path) -> WarehousePaths:
    """Land a release in an empty warehouse and return it.

    Raises:
        RuntimeError: when a pair got lost.
    """
    shutil.rmtree(root, ignore_errors=True)
    paths = WarehousePaths(root)
    report = land_results(
        paths,
        prompts=release.prompts,
        results=release.results,
        models=release.models,
        options=LandOptions(),
    )
    if report.row_counts["searchgen/prompt_scores"] != len(release.planned) or report.rejects:
        raise RuntimeError(f"landed {report.row_counts}, {len(report.rejects)} rejects")
    return paths


def read_files(root: Path) -> int:
    """Return how many files of a tree hold JSON; each is read, hashed and parsed once."""
    readable = 0
    for folder, _, names in os.walk(root):
        for name in names:
            with open(f"{folder}/{name}", "rb", buffering=0) as file:  # noqa: PTH123
                content = file.read()
            hashlib.sha256(content).hexdigest()
            try:
                json.loads(content)
                readable += 1
            except ValueError:
                continue
    return readable


def whole_job(folder: Path, release: SyntheticRelease) -> list[str]:
    """Make a release's boards in a warehouse that has made another's; return two rows.

    The first run makes what stays: dbt's parsed project, compiled Python. Its rows are removed,
    so that the next lands and builds everything anew. Land, build and export have a bar by the
    clock; with both gates and the recount, as a user publishes, there is none.

    Raises:
        RuntimeError: when a command fails.
    """
    warehouse, out = folder / "job", folder / "published"
    others = [write_release(folder / f"other-{seed}", seed=SEED + seed) for seed in (1, 2)]
    run("podium.cli.main", publishing(release, warehouse, out))
    shutil.rmtree(warehouse / "landing")
    job = timed(lambda: run("podium.cli.main", publishing(others[0], warehouse, out)))
    shutil.rmtree(warehouse / "landing")
    stages = timed(lambda: run("tests.performance.searchgen_job", paths(others[1], warehouse, out)))
    name = f"{len(release.planned):,} results of searchgen landed, built"
    met = "yes" if stages.wall <= AT_MOST_SECONDS else "no"
    return [
        f"| {name} and exported, {stages.wall:.1f} s by the clock | none | {stages.cpu:.3f} | | | "
        f"| ≤ {AT_MOST_SECONDS} s by the clock | {met} |",
        f"| {name}, checked, exported and recounted, {job.wall:.1f} s by the clock "
        f"| none | {job.cpu:.3f} | | | | none | |",
    ]


def paths(release: SyntheticRelease, warehouse: Path, out: Path) -> list[str]:
    """Return what the stages of a job are called with."""
    return [str(one) for one in (release.prompts, release.results, release.models, warehouse, out)]


def publishing(release: SyntheticRelease, warehouse: Path, out: Path) -> list[str]:
    """Return the words of `podium publish searchgen`, as a user would say them."""
    names = ("--prompts", "--results", "--models", "--warehouse", "--out")
    options = zip(names, paths(release, warehouse, out), strict=True)
    return ["publish", "searchgen", *(word for option in options for word in option)]


def run(module: str, words: list[str]) -> None:
    """Run a module's command in a process of its own.

    Raises:
        RuntimeError: when it fails.
    """
    call = f"import sys; from {module} import main; sys.exit(main())"
    done = subprocess.run([sys.executable, "-c", call, *words], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stdout + done.stderr)
