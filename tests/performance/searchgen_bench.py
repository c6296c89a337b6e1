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


def whole_job(folder: Path, release: SyntheticRelease) -> str:
    """Publish a release, then another one in the same warehouse; return the second's row.

    The first run makes what stays: dbt's parsed project, compiled Python. Its rows are removed,
    so that the second lands and builds everything anew. Nothing is compared: the row has no bar.

    Raises:
        RuntimeError: when the command does not publish.
    """
    warehouse = folder / "job"
    other = write_release(folder / "other", seed=SEED + 1)
    publish(release, warehouse, folder / "published")
    shutil.rmtree(warehouse / "landing")
    job = timed(lambda: publish(other, warehouse, folder / "published"))
    name = f"{len(other.planned):,} results of searchgen landed, built, checked and published"
    return f"| {name}, {job.wall:.1f} s by the clock | none | {job.cpu:.3f} | | | | none | |"


def publish(release: SyntheticRelease, warehouse: Path, out: Path) -> None:
    """Run `podium publish searchgen` as a user would."""
    command = Path(sys.executable).with_name("podium")
    options = {
        "--prompts": release.prompts,
        "--results": release.results,
        "--models": release.models,
        "--out": out,
        "--warehouse": warehouse,
    }
    words = [str(word) for option in options.items() for word in option]
    done = subprocess.run(
        [str(command), "publish", "searchgen", *words], capture_output=True, text=True
    )
    if done.returncode != 0:
        raise RuntimeError(done.stdout + done.stderr)
