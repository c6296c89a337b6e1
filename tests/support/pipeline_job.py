"""One case and one deck, run against a server that a test spoils, and what such a run leaves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from expectations.verdict import Verdict
from ingest.endpoint import modes
from ingest.endpoint.cache import ReplyCache, cache_folder
from ingest.xslides.land import LandOptions
from ingest.xslides.stage import Settings
from ingest.xslides.tree import ArtifactTree
from podium.judging import JudgeChoice, opened_judge
from podium.xslides_run import RunRequest, open_tree, run_stages
from tests.integration.test_own_files import STUDY, write_pptx
from tests.support import model_stand_in
from tests.support.openai_server import OpenAIServer, serving
from tests.support.spoiled_model import SpoiledModel
from warehouse.paths import WarehousePaths

# Requests of a run that nothing disturbs, by task: batches of three, three samples, three passes.
BATCH = 3
COUNTS = {"probes": 3, "weights": 18, "answerability": 2, "claims": 1, "verification": 2}
SLIDES = [
    "14 events above 60% of the design load",
    "Repair costs fell by 21% because cracks were seen early",
    "The old bridge at Ferrol carried 9,400 vehicles a day in 2024",
    "32 gauges recorded four beams for 90 days",
]
RESULTS = ("probes_deduped.jsonl", "probe_scores.jsonl", "correctness.json")
Results = dict[str, bytes]


@dataclass
class Job:
    """One case and one deck, run as often as a test wants."""

    root: Path
    server: OpenAIServer
    model: SpoiledModel

    @property
    def paths(self) -> WarehousePaths:
        return WarehousePaths(self.root / "warehouse")

    def run(self) -> tuple[ArtifactTree, Verdict]:
        """Run all stages, with no word left of what was asked before."""
        self.server.received.clear()
        inputs = self.root / "cases"
        request = RunRequest(
            inputs=inputs,
            decks=self.root / "decks",
            system=None,
            run="run",
            dataset="own",
            audiences=None,
            accepted=None,
            stage_settings=Settings(code_version="test", batch_size=BATCH),
            land=LandOptions(),
            judge=JudgeChoice("endpoint"),
        )
        tree = open_tree(self.paths, inputs, "own")
        with opened_judge(self.paths, request.judge, "own", "own/run") as judge:
            reports = run_stages(tree, request, judge, lambda _: None, lambda *_: None)
        findings = tuple(one for report in reports for one in report.findings)
        return tree, Verdict("run", (), findings)

    def kept(self) -> int:
        """Return how many replies are kept, none of them twice and none torn."""
        cache = ReplyCache(cache_folder(self.paths))
        assert (cache.duplicate_count, cache.damages) == (0, [])
        return len(cache)

    def assert_mended(self, whole: Results) -> None:
        """Without the fault a run asks what no reply is kept of, once each, and is whole."""
        self.server.faults.clear()
        self.model.heal()
        before = self.kept()
        tree, verdict = self.run()
        assert verdict.findings == ()
        assert results(tree) == whole
        assert len(self.server.received) == self.kept() - before > 0
        self.run()
        assert not self.server.received


@contextmanager
def job_at(root: Path, patch: pytest.MonkeyPatch) -> Iterator[Job]:
    """Yield a job whose server names a request by its task, with short waits."""
    modes.forget()
    (root / "cases").mkdir()
    (root / "cases" / "bridge.md").write_text(STUDY)
    write_pptx(root / "decks" / "acme" / "bridge.pptx", SLIDES)
    model = SpoiledModel()
    with serving(model.answer) as server:
        server.name_of = model_stand_in.task_of
        settings = {
            "BASE_URL": server.base_url,
            "MODEL": "stand-in-1",
            "BACKOFF_SECONDS": "0.01",
            "MAX_ATTEMPTS": "3",
        }
        for name, value in settings.items():
            patch.setenv(f"PODIUM_JUDGE_{name}", value)
        yield Job(root, server, model)


def results(tree: ArtifactTree) -> Results:
    """Return the bytes of banks, weights, verdicts and claims by their place."""
    return {
        path.relative_to(tree.root).as_posix(): path.read_bytes()
        for path in sorted(tree.root.rglob("*"))
        if path.name in RESULTS or path.parent.name == "weights"
    }


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def scores(tree: ArtifactTree) -> list[dict[str, Any]]:
    """Return the verdicts on the deck, which its three evaluations share."""
    first, *others = [rows(path) for path in sorted(tree.root.rglob("probe_scores.jsonl"))]
    assert others == [first, first]
    return first


def claims(tree: ArtifactTree) -> dict[str, Any]:
    first, *others = [json.loads(one.read_text()) for one in tree.root.rglob("correctness.json")]
    assert others == [first, first]
    return first  # type: ignore[no-any-return]


def are_complete(tree: ArtifactTree) -> bool:
    """Return whether the three evaluations call themselves complete; they must agree."""
    folder = tree.run_folder("run") / "evaluations"
    states = {json.loads(one.read_text())["is_complete"] for one in folder.rglob("status.json")}
    (state,) = states
    return bool(state)
