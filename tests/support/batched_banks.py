"""The smallest command with batches: the probe banks of a folder of documents."""

from __future__ import annotations

from pathlib import Path

from ingest.endpoint.batch_files import FileLimits
from ingest.endpoint.calls import CallContext
from ingest.judge.interface import Judge
from ingest.xslides.audiences import read_audiences
from ingest.xslides.probes import make_probes
from ingest.xslides.sources import prepare_sources
from ingest.xslides.stage import Settings
from ingest.xslides.tree import ArtifactTree
from podium.batching import fill_by_batches
from podium.judging import JudgeChoice, opened_judge
from podium.stage_copies import stages_on_copies
from warehouse.paths import WarehousePaths

CONTEXT = CallContext("xslides", "own", None)


def make_banks(root: Path) -> dict[str, bytes]:
    """Make the banks of `<root>/cases` by batches of at most four requests.

    Returns:
        The files of the banks by their path.
    """
    paths, tree = WarehousePaths(root / "w"), ArtifactTree(root / "tree")
    settings = Settings(code_version="test", clock=lambda: "2026-01-01T00:00:00+00:00")
    prepare_sources(tree, root / "cases", read_audiences(), settings)

    def work(one: ArtifactTree, judge: Judge) -> object:
        return make_probes(one, judge, settings)

    stages = stages_on_copies(paths, tree.root, None, work)
    choice = JudgeChoice("endpoint", is_batch=True)
    left = fill_by_batches(paths, choice, stages, CONTEXT, lambda _: None, FileLimits(lines=4))
    with opened_judge(paths, left, "own") as judge:
        work(tree, judge)
    banks = sorted((tree.root / "probes").rglob("probes_deduped.jsonl"))
    return {one.relative_to(tree.root).as_posix(): one.read_bytes() for one in banks}
