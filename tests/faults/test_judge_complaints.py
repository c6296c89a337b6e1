"""What users of other harnesses complain about, tried on whole runs: judges, caches, resumes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.endpoint.cache import ReplyCache, cache_folder
from ingest.xslides.tree import ArtifactTree
from tests.support.openai_server import Fault
from tests.support.pipeline_job import COUNTS, Job, job_at, results

pytestmark = pytest.mark.faults
RUN = """
import sys
from pathlib import Path
from ingest.xslides.land import LandOptions
from ingest.xslides.stage import Settings
from podium.judging import JudgeChoice, opened_judge
from podium.xslides_run import RunRequest, open_tree, run_stages
from warehouse.paths import WarehousePaths

root, dataset = Path(sys.argv[1]), sys.argv[2]
paths = WarehousePaths(root / "warehouse")
request = RunRequest(
    root / "cases", root / "decks", None, "run", dataset, None, None,
    Settings(code_version="test", batch_size=3), LandOptions(), JudgeChoice("endpoint"),
)
tree = open_tree(paths, request.inputs, dataset)
print("ready", flush=True)
sys.stdin.readline()
with opened_judge(paths, request.judge, dataset, f"{dataset}/run") as judge:
    reports = run_stages(tree, request, judge, lambda _: None, lambda *_: None)
sys.exit(4 if any(report.findings for report in reports) else 0)
"""


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Job]:
    with job_at(tmp_path, monkeypatch) as made:
        yield made


def manifest(tree: ArtifactTree) -> dict[str, object]:
    first, *_ = sorted(tree.root.rglob("run_manifest.json"))
    return json.loads(first.read_text())  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("role", "tasks"),
    [
        ("CLAIM_JUDGE", {"claims": 1, "verification": 2}),
        ("ANSWERABILITY_JUDGE", {"answerability": 2}),
        ("UTILITY_JUDGE", {"weights": 18}),
    ],
)
def test_another_judge_of_one_role_is_asked_its_own_tasks_anew_and_nobody_else(
    job: Job, monkeypatch: pytest.MonkeyPatch, role: str, tasks: dict[str, int]
) -> None:
    job.run()
    monkeypatch.setenv(f"PODIUM_{role}_MODEL", "another-model")
    tree, verdict = job.run()
    assert verdict.findings == ()
    assert job.server.counts() == tasks
    assert {one.body["model"] for one in job.server.received} == {"another-model"}
    weights = next(tree.root.rglob("learners.jsonl")).read_text()
    told = json.dumps(manifest(tree)) + weights
    assert "another-model" in told
    # And back again: the replies of the first one are still there.
    monkeypatch.delenv(f"PODIUM_{role}_MODEL")
    job.run()
    assert not job.server.received


def test_a_judge_that_fails_is_never_replaced_by_rules(job: Job) -> None:
    job.server.faults = {task: [Fault("status", code=500)] * 1000 for task in list(COUNTS)[1:]}
    tree, verdict = job.run()
    assert verdict.exit_code == 4
    assert not list(tree.root.rglob("probe_scores.jsonl"))
    assert not list(tree.root.rglob("weights/*.jsonl"))
    judge = manifest(tree)["judge"]
    assert isinstance(judge, dict)
    assert judge["kind"] == "llm"
    texts = [path.read_text() for path in tree.root.rglob("*.json*") if path.is_file()]
    assert not any("heuristic" in text for text in texts)


def test_two_runs_at_once_share_a_cache_without_a_lock(job: Job) -> None:
    names = ("one", "two")
    command = [sys.executable, "-c", RUN, str(job.root)]
    runs = [
        subprocess.Popen(
            [*command, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for name in names
    ]
    for one in runs:
        assert one.stdout is not None
        assert one.stdout.readline() == b"ready\n"
    for one in runs:
        assert one.stdin is not None
        one.stdin.write(b"go\n")
        one.stdin.flush()
    errors = [one.communicate(timeout=60)[1].decode() for one in runs]
    assert [one.returncode for one in runs] == [0, 0], errors
    trees = [ArtifactTree(job.paths.trees / name) for name in names]
    assert results(trees[0]) == results(trees[1])
    cache = ReplyCache(cache_folder(job.paths))
    assert (len(cache), cache.damages) == (sum(COUNTS.values()), [])
    # Both may ask the same at one moment; whoever asks later finds the reply.
    assert cache.duplicate_count <= len(job.server.received) - len(cache) <= len(cache)
    tree, _ = job.run()
    assert not job.server.received
    assert results(tree) == results(trees[0])
