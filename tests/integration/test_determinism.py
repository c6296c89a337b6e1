"""Same input, same marts: over threads, shuffled input, another folder, another machine root."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

from ingest.xslides.land import LandOptions, land
from tests.support import spoiled
from warehouse import build, states
from warehouse.paths import WarehousePaths


def mart_hashes(root: Path, warehouse: Path, *, threads: int) -> dict[str, Any]:
    paths = WarehousePaths(warehouse)
    land(paths, root, LandOptions(dataset_id="data"))
    built = build.run_build(paths, threads=threads)
    assert built.is_complete, built.findings
    return states.promote(paths, built.landing_state_id).marts


def shuffle_lines(root: Path, seed: int) -> None:
    draw = random.Random(seed)
    for path in sorted(root.rglob("*.jsonl")):
        lines = path.read_text().splitlines(keepends=True)
        draw.shuffle(lines)
        path.write_text("".join(lines))


def test_every_mart_has_one_hash_over_threads_shuffles_and_folders(tmp_path: Path) -> None:
    root = spoiled.plant(tmp_path / "data").root
    elsewhere = tmp_path / "another" / "place"
    shutil.copytree(root, elsewhere)
    shuffle_lines(elsewhere, seed=7)
    one = mart_hashes(root, tmp_path / "one", threads=1)
    assert one["rpt_metric_summaries"]["rows"] > 0
    assert mart_hashes(root, tmp_path / "two", threads=2) == one
    assert mart_hashes(elsewhere, tmp_path / "four", threads=4) == one
