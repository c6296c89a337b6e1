"""Stages on copies leave the tree and what lies beside it, but for pictures that are kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from ingest.judge.interface import Judge
from ingest.xslides.probe_scores import evaluate
from ingest.xslides.stage import Settings
from ingest.xslides.tree import ArtifactTree
from podium.judging import JudgeChoice, chosen_endpoint
from podium.stage_copies import settings_on, stages_on_copies
from podium.xslides_estimate import estimate
from tests.integration.test_endpoint_pipeline import inputs, run, server
from tests.support.openai_server import OpenAIServer
from tests.unit.xslides.helpers import snapshot
from warehouse.paths import WarehousePaths

__all__ = ["inputs", "server"]


def test_an_estimate_writes_no_stand_in_into_a_shared_cache_of_claims(
    tmp_path: Path, inputs: Path, server: OpenAIServer
) -> None:
    tree = run(tmp_path, inputs, "offline", JudgeChoice("offline"))
    shared = tmp_path / "claims"
    knobs = Settings(code_version="test", force=True, correctness_cache_dir=shared)
    paths = WarehousePaths(tmp_path / "other")

    def work(one: ArtifactTree, judge: Judge) -> Any:
        return evaluate(one, judge, "run", settings_on(one, knobs, tree))

    choice = JudgeChoice("endpoint")
    assert chosen_endpoint(choice) is not None
    before = snapshot(tree.root)
    assert estimate(paths, choice, stages_on_copies(paths, tree.root, "run", work))
    assert not shared.exists() and snapshot(tree.root) == before


def test_on_a_copy_claims_that_are_there_are_found(tmp_path: Path) -> None:
    shared, given = tmp_path / "claims", ArtifactTree(tmp_path / "tree")
    shared.mkdir()
    (shared / "one.json").write_text("{}")
    knobs = Settings(correctness_cache_dir=shared)
    assert settings_on(given, knobs, given) is knobs
    folder = settings_on(ArtifactTree(tmp_path / "copy"), knobs, given).correctness_cache_dir
    assert folder is not None and (folder / "one.json").read_text() == "{}"
    assert (shared / "one.json").is_file()
    without = replace(knobs, correctness_cache_dir=None)
    assert settings_on(ArtifactTree(tmp_path / "copy"), without, given) is without


def test_new_pictures_go_into_the_tree_and_old_ones_stay(tmp_path: Path) -> None:
    tree, paths = ArtifactTree(tmp_path / "tree"), WarehousePaths(tmp_path / "w")
    rendered = tree.run_folder("run") / "rendered"
    (rendered / "old").mkdir(parents=True)
    for name in ("rendering.json", "slide_0001.png"):
        (rendered / "old" / name).write_text("old")

    def work(copy: ArtifactTree, _: Judge) -> None:
        for deck in ("old", "new", "torn"):
            folder = copy.run_folder("run") / "rendered" / deck
            folder.mkdir(exist_ok=True)
            (folder / "slide_0001.png").write_text("drawn")
            (folder / "link.png").symlink_to("/etc/hostname")
            if deck != "torn":
                (folder / "rendering.json").write_text("drawn")

    for keeps in (False, True):
        judge: Any = None
        stages_on_copies(paths, tree.root, "run", work, keeps_renderings=keeps)(judge)
        told = snapshot(rendered)
        assert len(told) == (4 if keeps else 2)
    assert (rendered / "new" / "slide_0001.png").read_text() == "drawn"
    assert (rendered / "old" / "slide_0001.png").read_text() == "old"
