"""Trees that another tool left off at some stage: used as given, never overwritten, finished."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ingest.xslides.land import LandOptions
from ingest.xslides.stage import Settings, StageReport
from ingest.xslides.tree import ArtifactTree
from podium.judging import JudgeChoice, opened_judge
from podium.run import check_landing, land_xslides
from podium.xslides_run import RunRequest, run_stages
from tests.integration.test_demo import podium
from tests.integration.test_own_files import STUDY
from tests.support import model_stand_in
from tests.support.openai_server import OpenAIServer, serving
from tests.support.ordering_decks import write_ordering_pptx
from tests.support.seed_formats import faults_of
from warehouse.paths import WarehousePaths

AUDIENCES = ("specialists", "learners", "decision_makers")
LINES = ["14 events above 60% of the design load", "Repair costs fell by 21%"]
PROBES = [
    ("q-a", "How far did repair costs fall?", "Repair costs fell by 21%."),
    ("q-b", "How many gauges were fitted?", "32 gauges were fitted to four beams."),
]
EVALUATION = "runs/run/evaluations/acme/agnostic/learners/case_000"


def write(path: Path, *records: dict[str, Any]) -> None:
    """Write records as one JSON a line, each with a field that nobody knows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "\n".join(json.dumps({**one, "x_tool": {"v": [1, None]}}) for one in records)
    path.write_text(text + "\n", encoding="utf-8")


def sources(root: Path) -> None:
    write(root / "sources" / "case_000" / "source_metadata.json", {"case_id": "case_000"})
    (root / "sources" / "case_000" / "source.md").write_text(STUDY, encoding="utf-8")


def probes(root: Path) -> None:
    rows = [{"probe_id": one, "question": asked, "answer": told} for one, asked, told in PROBES]
    write(root / "probes" / "case_000" / "probes_deduped.jsonl", *rows)


def weights(root: Path) -> None:
    rows = [{"probe_id": one, "utility_weight": 0.9} for one, *_ in PROBES]
    write(root / "probes" / "case_000" / "weights" / "learners.jsonl", *rows)


def decks(root: Path) -> None:
    folder = root / "runs" / "run" / "decks" / "acme" / "agnostic" / "agnostic" / "case_000"
    write_ordering_pptx(folder / "talk.pptx", LINES)


def evaluations(root: Path) -> None:
    # Not what either judge would say: whoever judges again is seen.
    rows = [
        {"probe_id": one, "covered": covered} for one, covered in (("q-a", False), ("q-b", True))
    ]
    write(root / EVALUATION / "probe_scores.jsonl", *rows)
    write(root / EVALUATION / "deck_stats.json", {"slide_count": 8, "visible_word_count": 700})
    claim = {"claim_id": "c1", "text": "Costs fell.", "label": "supported"}
    write(root / EVALUATION / "correctness.json", {"correctness": 1.0, "claims": [claim]})


def metrics(root: Path) -> None:
    stated = {
        "audience": "learners",
        "tau_a": 0.7,
        "included_probe_count": 2,
        "available_utility": 1.8,
        "recovered_utility": 0.9,
        "coverage": 0.5,
        "efficiency_time": 0.12,
        "efficiency_slide": 0.1125,
        "correctness": 1.0,
        "safe_efficiency_time": 0.12,
    }
    write(root / EVALUATION / "metrics.json", stated)


STAGES: list[Callable[[Path], None]] = [sources, probes, weights, decks, evaluations, metrics]
NAMES = [stage.__name__ for stage in STAGES]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    with serving(model_stand_in.answer) as running:
        monkeypatch.setenv("PODIUM_JUDGE_BASE_URL", running.base_url)
        monkeypatch.setenv("PODIUM_JUDGE_MODEL", "stand-in-1")
        yield running


def left_off(root: Path, last: str) -> Path:
    """Write a tree up to and with a stage; the deck comes from a folder where it has none."""
    for stage in STAGES[: NAMES.index(last) + 1]:
        stage(root / "theirs")
    if NAMES.index(last) < NAMES.index("decks"):
        write_ordering_pptx(root / "decks" / "acme" / "case_000.pptx", LINES)
    return root / "theirs"


def snapshot(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
    }


def finished(root: Path, theirs: Path, judge: JudgeChoice) -> list[StageReport]:
    given = root / "decks"
    request = RunRequest(
        inputs=theirs,
        decks=given if given.is_dir() else None,
        system=None,
        run="run",
        dataset="own",
        audiences=None,
        accepted=None,
        stage_settings=Settings(code_version="test"),
        land=LandOptions(),
        judge=judge,
    )
    with opened_judge(WarehousePaths(root / "wh"), judge, "own", "own/run") as asked:
        tree = ArtifactTree(theirs)
        return run_stages(tree, request, asked, lambda _: None, lambda *_: None)


@pytest.mark.parametrize("judge", ["offline", "endpoint"])
@pytest.mark.parametrize("last", NAMES)
def test_a_tree_is_finished_and_nothing_that_stood_in_it_changes(
    last: str, judge: str, tmp_path: Path, server: OpenAIServer
) -> None:
    theirs = left_off(tmp_path, last)
    before = snapshot(theirs)
    reports = finished(tmp_path, theirs, JudgeChoice(judge))
    assert [finding for one in reports for finding in one.findings] == []
    after = snapshot(theirs)
    assert {place: after.get(place) for place in before} == before
    assert bool(server.received) == (judge == "endpoint")
    for audience in AUDIENCES:
        assert (theirs / "probes" / "case_000" / "weights" / f"{audience}.jsonl").is_file()
        folder = theirs / "runs" / "run" / "evaluations" / "acme" / "agnostic" / audience
        ours = folder / "case_000" / "run_manifest.json"
        is_theirs = audience == "learners" and NAMES.index(last) >= NAMES.index("evaluations")
        assert ours.is_file() != is_theirs
        assert (folder / "case_000" / "probe_scores.jsonl").is_file()
    notes = "\n".join(note for one in reports for note in one.notes)
    for stage, words in (
        ("probes", "`case_000`: the probe bank was made elsewhere"),
        ("weights", "`case_000/learners`: the weights were made elsewhere"),
        ("evaluations", "`acme/agnostic/learners/case_000`: scores made elsewhere"),
    ):
        assert (words in notes) == (NAMES.index(last) >= NAMES.index(stage)), notes


def test_audiences_that_a_tree_states_stay_and_are_those_that_it_is_judged_for(
    tmp_path: Path,
) -> None:
    theirs = left_off(tmp_path, "decks")
    text = "audience,title,expertise,minutes,description\nlearners,Learner,intermediate,9,Own\n"
    (theirs / "audiences.csv").write_text(text, encoding="utf-8")
    before = snapshot(theirs)
    finished(tmp_path, theirs, JudgeChoice("offline"))
    after = snapshot(theirs)
    assert {place: after.get(place) for place in before} == before
    folder = theirs / "runs" / "run" / "evaluations" / "acme" / "agnostic"
    assert [one.name for one in folder.iterdir()] == ["learners"]


@pytest.mark.parametrize("last", NAMES)
def test_a_finished_tree_lands_whole_and_passes_its_gate(last: str, tmp_path: Path) -> None:
    theirs = left_off(tmp_path, last)
    finished(tmp_path, theirs, JudgeChoice("offline"))
    paths = WarehousePaths(tmp_path / "wh")
    landed = land_xslides(paths, theirs, LandOptions("own"))
    assert landed.row_counts["core/rejects"] == 0
    assert landed.row_counts["xslides/evaluations"] == 3
    verdict = check_landing(paths)
    assert verdict.exit_code == 0, [(one.check, one.message) for one in verdict.findings]
    if last in ("sources",):
        # Nothing of it but the source is theirs, so that all else has our form.
        assert [fault for fault in faults_of(theirs) if "source_metadata" not in fault] == []


@pytest.mark.parametrize("judge", ["offline", "endpoint"])
def test_the_command_goes_on_to_the_board_and_leaves_their_metrics(
    judge: str, tmp_path: Path, server: OpenAIServer
) -> None:
    theirs = left_off(tmp_path, "metrics")
    before = snapshot(theirs)
    place = ["--warehouse", str(tmp_path / "wh")]
    done = podium("xslides", "run", str(theirs), "--judge", judge, "--dataset", "own", *place)
    assert done.returncode == 0, done.stdout + done.stderr
    after = snapshot(theirs)
    assert {name: after.get(name) for name in before} == before
    asked = podium(
        "query",
        "select audience, judge_kind, coverage from fct_xslides__deck_audience_scores "
        "where tau_a_thousandths = 700 and audience = 'learners' order by all",
        "--json",
        *place,
    )
    (row,) = json.loads(asked.stdout)
    assert row == {"audience": "learners", "judge_kind": "unstated", "coverage": 0.5}
    made = sorted(name for name in after if name.endswith("/metrics.json"))
    assert len(made) == 3
