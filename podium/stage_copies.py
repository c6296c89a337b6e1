"""Stages run on a copy of their tree, to learn what they would ask and change nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ingest.judge.interface import Judge
from ingest.xslides.kept_renderings import keep_renderings
from ingest.xslides.scratch_tree import scratch_tree
from ingest.xslides.stage import Settings
from ingest.xslides.tree import ArtifactTree
from podium.estimating import Stages
from warehouse.paths import WarehousePaths

Work = Callable[[ArtifactTree, Judge], object]
# Folder of copies below the warehouse root; it is empty but for a moment.
SCRATCH = "scratch"


def stages_on_copies(
    paths: WarehousePaths,
    root: Path,
    run: str | None,
    work: Work,
    *,
    keeps_renderings: bool = False,
) -> Stages:
    """Return stages that leave their tree as it is.

    Args:
        paths: the warehouse, where the copies are made.
        root: the tree; it need not be there yet.
        run: the run that they work on.
        work: runs the stages on a tree against a judge.
        keeps_renderings: whether pictures that were drawn of slides go into the tree. They are
            part of requests: drawn again they could be other requests.
    """

    def stages(judge: Judge) -> None:
        with scratch_tree(root, run, paths.root / SCRATCH) as copy:
            work(copy, judge)
            if keeps_renderings and run is not None:
                keep_renderings(copy, ArtifactTree(root), run)

    return stages


def settings_on(tree: ArtifactTree, knobs: Settings, given: ArtifactTree) -> Settings:
    """Return the settings for a tree: on a copy, claims go to a copy of a shared cache.

    Args:
        tree: what the stages work on.
        knobs: settings as given.
        given: the tree that the command was given.
    """
    shared = knobs.correctness_cache_dir
    if shared is None or tree.root == given.root:
        return knobs
    copy = tree.root / "correctness_cache"
    if shared.is_dir() and not copy.exists():
        shutil.copytree(shared, copy)
    return replace(knobs, correctness_cache_dir=copy)
