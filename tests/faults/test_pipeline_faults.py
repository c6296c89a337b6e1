"""An endpoint that misbehaves in one task of a whole run: the same artifacts, or named losses.

Every fault ends in one of two ways. It passes, and no byte of a result differs; or exactly the
rows that it met carry their status, a finding names them, the exit code is 4, and the next run
asks for what is missing and for nothing else.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ingest.xslides.tree import ArtifactTree
from tests.support import model_stand_in, spoiled_model
from tests.support.openai_server import Fault
from tests.support.pipeline_job import (
    BATCH,
    COUNTS,
    Job,
    Results,
    are_complete,
    claims,
    job_at,
    results,
    scores,
)
from tests.support.spoiled_model import Spoil

POINTS = int(os.environ.get("PODIUM_FAULT_POINTS", "5"))
pytestmark = pytest.mark.faults
TASKS = tuple(COUNTS)
JUDGING = ("weights", "answerability", "verification")


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Job]:
    with job_at(tmp_path, monkeypatch) as made:
        yield made


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """Return what an undisturbed run leaves."""
    with (
        pytest.MonkeyPatch.context() as patch,
        job_at(tmp_path_factory.mktemp("whole"), patch) as undisturbed,
    ):
        tree, verdict = undisturbed.run()
        assert verdict.findings == ()
        counts = undisturbed.server.counts()
    assert counts == COUNTS
    return results(tree)


PASSING = {
    "429": Fault("status", code=429),
    "429_with_retry_after": Fault("status", code=429, headers={"Retry-After-Ms": "30"}),
    "500": Fault("status", code=500),
    "closed_at_once": Fault("hang"),
    "closed_in_the_body": Fault("close"),
    "body_is_no_json": Fault("body", text='{"choices": ['),
    "body_without_end": Fault("huge"),
    "truncated": Fault("truncated"),
    "invalid": Fault("text", text="INCORRECT"),
    "two_verdicts": Fault("text", text='{"judgments": []} {"judgments": []}'),
    "empty": Fault("empty"),
    "other_model": Fault("model", text="quite-another-model"),
}


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING)
def test_a_fault_that_each_task_meets_once_changes_no_byte(
    job: Job, whole: Results, fault: Fault
) -> None:
    job.server.faults = {task: [fault] for task in TASKS}
    tree, verdict = job.run()
    assert not any(job.server.faults.values())
    assert verdict.findings == ()
    assert results(tree) == whole


@pytest.mark.parametrize("fault", [Fault("hang", seconds=20), Fault("drip")], ids=["hang", "drip"])
def test_a_server_that_hangs_once_in_each_task_changes_no_byte(
    job: Job, whole: Results, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PODIUM_JUDGE_TIMEOUT_SECONDS", "0.5")
    test_a_fault_that_each_task_meets_once_changes_no_byte(job, whole, fault)


def test_a_server_that_takes_no_schema_changes_no_byte(job: Job, whole: Results) -> None:
    job.server.refused_formats = ("json_schema", "json_object")
    tree, verdict = job.run()
    assert verdict.findings == ()
    assert results(tree) == whole
    assert "response_format" not in job.server.received[-1].body


def test_writing_that_can_be_mended_changes_no_byte(job: Job, whole: Results) -> None:
    def dressed(name: str, body: dict[str, Any]) -> str:
        text = model_stand_in.answer(name, body)
        return f"Here it is:\n```json\n{text[:-1]}, // all of it\n}}\n```\nAnything else?"

    job.server.answer = dressed
    tree, verdict = job.run()
    assert verdict.findings == ()
    assert results(tree) == whole


HARMLESS = {
    "more": spoiled_model.more,
    "doubled": spoiled_model.doubled,
    "reordered": spoiled_model.reordered,
}


@pytest.mark.parametrize("how", HARMLESS.values(), ids=HARMLESS)
def test_more_doubled_and_reordered_judgments_change_no_byte(
    job: Job, whole: Results, how: Spoil
) -> None:
    for task in JUDGING:
        job.model.spoil(task, how)
    tree, verdict = job.run()
    assert verdict.findings == ()
    assert results(tree) == whole


ONCE = {
    "fewer": spoiled_model.fewer,
    "strange": spoiled_model.strange,
    "impossible": spoiled_model.impossible,
    "nothing": spoiled_model.nothing,
}


@pytest.mark.parametrize("how", ONCE.values(), ids=ONCE)
def test_what_a_reply_leaves_out_is_asked_for_again_and_changes_no_byte(
    job: Job, whole: Results, how: Spoil
) -> None:
    for task in JUDGING:
        job.model.spoil(task, how, times=1)
    tree, verdict = job.run()
    assert verdict.findings == ()
    assert results(tree) == whole
    assert len(job.server.received) == sum(COUNTS.values()) + len(JUDGING)


LASTING = {
    "429": Fault("status", code=429),
    "500": Fault("status", code=500),
    "closed_in_the_body": Fault("close"),
    "body_is_no_json": Fault("body", text="?"),
    "rejected": Fault("status", code=404),
    "refusal": Fault("refusal"),
    "filter": Fault("filter"),
    "truncated": Fault("truncated"),
    "invalid": Fault("text", text="INCORRECT"),
    "empty": Fault("empty"),
}
# What a task that nobody answers takes from the results, and the checks that say so.
TOLD = {
    "probes": {"probe_requests_are_answered", "case_has_probes"},
    "weights": {"probe_has_weight"},
    "answerability": {"judge_answers"},
    "claims": {"claim_is_judged"},
    "verification": {"claim_is_judged"},
}


# Every fault in every task by `make faults`; by `make test` every fault and every task twice.
PAIRS = [
    (task, kind)
    for number, task in enumerate(TASKS)
    for other, kind in enumerate(LASTING)
    if POINTS > 5 or (number + other) % len(TASKS) == 0
]


@pytest.mark.parametrize(("task", "kind"), PAIRS)
def test_a_task_that_is_never_answered_is_told_and_mended_by_the_next_run(
    job: Job, whole: Results, task: str, kind: str
) -> None:
    job.server.faults = {task: [LASTING[kind]] * 1000}
    tree, verdict = job.run()
    assert verdict.exit_code == 4
    assert {one.check for one in verdict.findings} >= TOLD[task]
    before_it = TASKS[: TASKS.index(task)]
    kept = {place: value for place, value in results(tree).items() if _task_of(place) in before_it}
    assert kept == {place: one for place, one in whole.items() if _task_of(place) in before_it}
    job.assert_mended(whole)


def _task_of(place: str) -> str:
    """Return the task whose replies a result is made of; verdicts and claims are of two files."""
    if "/weights/" in place:
        return "weights"
    return {"probes_deduped.jsonl": "probes", "probe_scores.jsonl": "answerability"}.get(
        Path(place).name, "verification"
    )


@pytest.mark.parametrize("kind", ["refusal", "filter"])
def test_a_pass_that_is_refused_leaves_the_bank_incomplete(
    job: Job, whole: Results, kind: str
) -> None:
    job.server.faults = {"probes": [Fault(kind)]}
    tree, verdict = job.run()
    status = json.loads((tree.probe_folder("bridge") / "probe_generation_status.json").read_text())
    assert status["state"] == "incomplete"
    assert (status["counts"]["requests"], status["counts"]["requests_unanswered"]) == (3, 1)
    told = ("probe_requests_are_answered", "1 of 3 generation requests had no usable answer")
    assert [(one.check, one.message) for one in verdict.findings] == [told]
    assert verdict.exit_code == 4
    job.assert_mended(whole)


def test_a_sample_that_is_refused_leaves_out_its_probes_for_its_audience(
    job: Job, whole: Results
) -> None:
    job.server.faults = {"weights": [Fault("refusal")]}
    tree, verdict = job.run()
    status = json.loads((tree.probe_folder("bridge") / "weight_generation_status.json").read_text())
    (hurt,) = [name for name, one in status["audiences"].items() if one["state"] == "incomplete"]
    lost = f"probes/bridge/weights/{hurt}.jsonl"
    found = results(tree)
    others = {place for place in whole if _task_of(place) in ("probes", "weights")} - {lost}
    assert all(found[place] == whole[place] for place in others)
    left = found[lost].splitlines()
    assert set(left) < set(whole[lost].splitlines())
    assert len(left) == len(whole[lost].splitlines()) - BATCH
    (told,) = verdict.findings
    assert (told.check, told.subject) == ("probe_has_weight", f"bridge/{hurt}")
    assert told.message == f"{BATCH} probes were not judged 3 times"
    assert verdict.exit_code == 4
    job.assert_mended(whole)


@pytest.mark.parametrize("kind", ["refusal", "filter"])
def test_verdicts_that_are_refused_fail_and_the_others_stand(
    job: Job, whole: Results, kind: str
) -> None:
    job.server.faults = {"answerability": [Fault(kind)]}
    tree, verdict = job.run()
    assert_verdicts(tree, whole, "failed", BATCH)
    assert not are_complete(tree)
    (told,) = verdict.findings
    assert (told.check, told.subject) == ("judge_answers", "acme/agnostic/agnostic/bridge")
    assert told.message.startswith(f"{BATCH} probes failed: refused: ")
    assert verdict.exit_code == 4
    job.assert_mended(whole)


def test_verdicts_that_never_come_are_filled_until_they_do(job: Job, whole: Results) -> None:
    job.model.spoil("answerability", spoiled_model.fewer)
    for _ in range(2):
        # The second run asks again for what is missing, and is as open about it.
        tree, verdict = job.run()
        assert_verdicts(tree, whole, "filled", 2)
        assert not are_complete(tree)
        assert {one.check for one in verdict.findings} == {"probe_is_judged"}
        assert verdict.exit_code == 4
    # Each of the two batches lacks one; an unusable reply is asked for twice.
    assert len(job.server.received) == 4
    job.assert_mended(whole)


@pytest.mark.parametrize("how", ["strange", "impossible", "nothing"])
def test_a_deck_of_which_nothing_is_judged_has_no_verdicts_rather_than_zeros(
    job: Job, whole: Results, how: str
) -> None:
    job.model.spoil("answerability", ONCE[how])
    tree, verdict = job.run()
    assert not list(tree.root.rglob("probe_scores.jsonl"))
    assert not are_complete(tree)
    (told,) = verdict.findings
    assert told.check == "judge_answers"
    assert told.message.startswith(
        f"none of {2 * BATCH} probes was judged: invalid_reply: off_topic"
    )
    assert verdict.exit_code == 4
    job.assert_mended(whole)


def assert_verdicts(tree: ArtifactTree, whole: Results, status: str, count: int) -> None:
    """So many rows have a status, uncovered with confidence 0; the others are as they should be."""
    place = "runs/run/evaluations/acme/agnostic/learners/bridge/probe_scores.jsonl"
    right = [json.loads(line) for line in whole[place].splitlines()]
    found = scores(tree)
    assert [one["probe_id"] for one in found] == [one["probe_id"] for one in right]
    lost = [one for one in found if one["metadata"]["judgment_status"] == status]
    assert len(lost) == count
    assert all(not one["covered"] and one["metadata"]["confidence"] == 0.0 for one in lost)
    assert [one for one in found if one not in lost] == [
        one for one in right if one["probe_id"] not in {each["probe_id"] for each in lost}
    ]


def test_claims_that_are_refused_leave_correctness_open(job: Job, whole: Results) -> None:
    job.server.faults = {"claims": [Fault("refusal")]}
    tree, verdict = job.run()
    assert (claims(tree)["correctness"], claims(tree)["claims"]) == (None, [])
    assert not are_complete(tree)
    (told,) = verdict.findings
    assert told.check == "claim_is_judged"
    assert told.message.startswith("claims could not be extracted: refused: ")
    assert verdict.exit_code == 4
    job.assert_mended(whole)


@pytest.mark.parametrize("how", ["refusal", "fewer"])
def test_labels_that_never_come_fail_and_the_others_stand(
    job: Job, whole: Results, how: str
) -> None:
    if how == "refusal":
        job.server.faults = {"verification": [Fault("refusal")]}
    else:
        job.model.spoil("verification", spoiled_model.fewer)
    tree, verdict = job.run()
    place = "runs/run/evaluations/acme/agnostic/learners/bridge/correctness.json"
    right = json.loads(whole[place])["claims"]
    found = claims(tree)["claims"]
    assert [one["text"] for one in found] == [one["text"] for one in right]
    lost = [one for one in found if one["label"] == "failed"]
    # Four claims in batches of three: the first batch, or the last of each.
    assert len(lost) in ((BATCH, 1) if how == "refusal" else (2,))
    assert [one for one in found if one not in lost] == [one for one in right if one in found]
    assert not are_complete(tree)
    (told,) = verdict.findings
    assert told.check == "claim_is_judged"
    assert told.message == f"{len(lost)} of 4 claims could not be verified"
    assert verdict.exit_code == 4
    job.assert_mended(whole)


def test_a_weight_that_never_comes_is_asked_for_by_itself(job: Job, whole: Results) -> None:
    job.model.spoil("weights", spoiled_model.fewer)
    _, first = job.run()
    _, second = job.run()
    for verdict in (first, second):
        assert {one.check for one in verdict.findings} == {"probe_has_weight"}
        assert verdict.exit_code == 4
    # One probe of each of 18 batches, of which an unusable reply is asked for twice.
    assert len(job.server.received) == 36
    job.assert_mended(whole)
