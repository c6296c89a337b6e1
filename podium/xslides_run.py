"""The xslides job: sources, probes, weights, decks, evaluation, landing, gates, leaderboard."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from expectations.verdict import Verdict
from ingest.endpoint.calls import CallContext
from ingest.judge.exchange import AudienceProfile
from ingest.judge.interface import Judge
from ingest.xslides.audiences import read_audiences
from ingest.xslides.decks.importing import import_decks
from ingest.xslides.land import LandOptions
from ingest.xslides.metrics import write_metrics
from ingest.xslides.pipeline import run_cases
from ingest.xslides.sources import prepare_sources
from ingest.xslides.stage import STOPPED, Progress, Settings, StageReport
from ingest.xslides.tree import ArtifactTree
from podium import run, settings
from podium.batching import fill_by_batches
from podium.judging import JudgeChoice, check_choice, opened_judge
from podium.pdf_parsing import PdfParser, chosen_parser, offline_parser
from podium.run import BuildOutcome, Say
from podium.stage_copies import stages_on_copies
from warehouse import jsonl, storage
from warehouse.errors import InputError, UsageError
from warehouse.findings import Finding, Outcome
from warehouse.paths import WarehousePaths

ORIGIN_FILE = ".podium-origin.json"
ACCEPTED_FILE = "accepted_findings.csv"
# What the landing gate tells again from landed rows, where it can be accepted by name.
TOLD_BY_THE_GATE = frozenset({"deck_is_readable", "deck_has_visible_text"})


@dataclass(frozen=True)
class RunRequest:
    """What `podium xslides run` was asked for.

    Attributes:
        inputs: folder of documents, of case folders, or an artifact tree.
        decks: folder of decks to import, or None when they are in the tree.
        system: system of a flat deck folder.
        run: name of the run.
        dataset: dataset id, or None for the folder's name.
        audiences: the user's audiences file; None takes the tree's own, else the registry.
        accepted: file of accepted findings; None takes the one in `inputs`, if any.
        stage_settings: knobs of the stages.
        land: how to land.
        judge: who judges, and what it may cost.
        threads: threads of dbt and DuckDB.
        pdf_parser: auto, mineru or pymupdf; None takes the setting.
    """

    inputs: Path
    decks: Path | None
    system: str | None
    run: str
    dataset: str | None
    audiences: Path | None
    accepted: Path | None
    stage_settings: Settings
    land: LandOptions
    judge: JudgeChoice = field(default_factory=JudgeChoice)
    threads: int = 2
    pdf_parser: str | None = None


def run_xslides(
    paths: WarehousePaths, request: RunRequest, say: Say, progress: Progress
) -> BuildOutcome:
    """Run all stages; finished work is skipped. See `RunRequest`.

    Raises:
        InputError: when the inputs are no folder.
        UsageError: when the tree of this dataset was made from another folder.
    """
    dataset_id = settings.dataset_id_of(request.inputs, request.dataset)
    check_choice(request.judge)
    parser = chosen_parser(paths, request.pdf_parser)
    tree = open_tree(paths, request.inputs, dataset_id)
    _copy_accepted(tree, request.accepted or request.inputs / ACCEPTED_FILE)
    run_id = f"{dataset_id}/{request.run}"
    reports = prepare_stages(tree, request, say, progress, parser)
    choice = _filled(paths, tree, request, say, parser, CallContext("xslides", dataset_id, run_id))
    with opened_judge(paths, choice, dataset_id, run_id) as judge:
        reports += judge_stages(tree, request, judge, say, progress, parser)
    reports = _or_nothing(request, reports)
    landed = run.land_xslides(paths, tree.root, _land_options(request.land, dataset_id))
    say(_landing_line(landed.landed_units, landed.row_counts))
    findings = [
        one for report in reports for one in report.findings if one.check not in TOLD_BY_THE_GATE
    ]
    findings += landed.findings
    before = Verdict("stages", (), tuple(dict.fromkeys(findings)))
    known = run.standing_outcome(paths, say, with_landing=True)
    if known is not None:
        return BuildOutcome(before.merged(known.verdict, "run"), known.state, is_unchanged=True)
    say("landing gate: checking")
    landing_verdict = run.check_landing(paths)
    outcome = run.build_and_promote(
        paths, say, threads=request.threads, landing_verdict=landing_verdict, force=True
    )
    if outcome.state is not None:
        report = write_metrics(paths, tree, dataset_id, progress=progress)
        say(stage_line(report))
        outcome.verdict = before.merged(outcome.verdict, "run")
    else:
        outcome.verdict = before.merged(landing_verdict.merged(outcome.verdict), "run")
    return outcome


def run_stages(
    tree: ArtifactTree,
    request: RunRequest,
    judge: Judge,
    say: Say,
    progress: Progress,
    parser: PdfParser | None = None,
) -> list[StageReport]:
    """Run the stages that make the tree, each told in one line; PyMuPDF without a parser."""
    parser = parser or offline_parser()
    reports = prepare_stages(tree, request, say, progress, parser)
    reports += judge_stages(tree, request, judge, say, progress, parser)
    return _or_nothing(request, reports)


def prepare_stages(
    tree: ArtifactTree, request: RunRequest, say: Say, progress: Progress, parser: PdfParser
) -> list[StageReport]:
    """Run the stages that ask no judge: sources, and decks where they are imported."""
    knobs = request.stage_settings
    prepared = prepare_sources(
        tree,
        request.inputs,
        _audiences(tree, request),
        knobs,
        progress,
        parser.read,
        parser.read_ahead,
    )
    reports = [parser.told(prepared)]
    if request.decks is not None:
        reports.append(
            import_decks(tree, request.decks, request.run, request.system, knobs, progress)
        )
    for report in reports:
        say(stage_line(report))
    return reports


def judge_stages(
    tree: ArtifactTree,
    request: RunRequest,
    judge: Judge,
    say: Say,
    progress: Progress,
    parser: PdfParser,
) -> list[StageReport]:
    """Run the stages that ask a judge, on a tree whose sources and decks are there."""
    reports = _judged(tree, request, judge, progress, parser)
    for report in reports:
        say(stage_line(parser.told(report)))
        for finding in report.findings:
            if finding.check == STOPPED:
                say(f"stopped: {finding.message}")
    return reports


def _judged(
    tree: ArtifactTree, request: RunRequest, judge: Judge, progress: Progress, parser: PdfParser
) -> list[StageReport]:
    return run_cases(
        tree,
        judge,
        request.run,
        _audiences(tree, request),
        request.stage_settings,
        progress,
        source_reader=parser.read,
    )


def _audiences(tree: ArtifactTree, request: RunRequest) -> tuple[AudienceProfile, ...]:
    """Return who decks are judged for: what a tree already states is not overwritten unasked."""
    own = tree.audiences_csv if tree.audiences_csv.is_file() else None
    return read_audiences(request.audiences or own)


def _filled(
    paths: WarehousePaths,
    tree: ArtifactTree,
    request: RunRequest,
    say: Say,
    parser: PdfParser,
    context: CallContext,
) -> JudgeChoice:
    """Have batches answer what they can, and return the choice with what is left of it."""
    stages = stages_on_copies(
        paths,
        tree.root,
        request.run,
        lambda copy, judge: _judged(copy, request, judge, lambda *_: None, parser),
        keeps_renderings=True,
    )
    return fill_by_batches(paths, request.judge, stages, context, say)


def _or_nothing(request: RunRequest, reports: list[StageReport]) -> list[StageReport]:
    if not any(report.done or report.skipped for report in reports):
        nothing = Finding(
            "something_was_selected",
            str(request.inputs),
            "no case was found or selected",
            outcome=Outcome.NOTHING_SELECTED,
        )
        reports.append(StageReport("run", findings=(nothing,)))
    return reports


def open_tree(paths: WarehousePaths, inputs: Path, dataset_id: str) -> ArtifactTree:
    """Return the tree to work in: the inputs themselves if they are one, else our own copy.

    A folder of loose documents is never written to; its tree lies in the warehouse.
    """
    root = tree_root(paths, inputs, dataset_id)
    if root == inputs:
        return ArtifactTree(inputs)
    origin = root / ORIGIN_FILE
    here = str(inputs.resolve())
    if origin.is_file():
        there = jsonl.read_json(origin).get("inputs")
        if there != here:
            raise UsageError(
                f"dataset `{dataset_id}` was made from another folder",
                expected=str(there),
                got=here,
                fix="give this folder another name with --dataset",
            )
    else:
        jsonl.write_json(origin, {"inputs": here})
    return ArtifactTree(root)


def tree_root(paths: WarehousePaths, inputs: Path, dataset_id: str) -> Path:
    """Return where the tree of some inputs is: the inputs themselves, or the warehouse's copy.

    Raises:
        InputError: when the inputs are no folder.
    """
    if not inputs.is_dir():
        raise InputError(
            f"`{inputs}` is no folder",
            expected="a folder of documents, of case folders, or an artifact tree",
        )
    return inputs if (inputs / "sources").is_dir() else paths.trees / dataset_id


def _copy_accepted(tree: ArtifactTree, accepted: Path) -> None:
    target = tree.root / ACCEPTED_FILE
    if accepted.is_file() and not (target.exists() and accepted.samefile(target)):
        storage.write_bytes(target, accepted.read_bytes())


def stage_line(report: StageReport) -> str:
    """Return one stage's report as a line."""
    parts = [f"{report.done} done", f"{report.skipped} unchanged"]
    if report.failed:
        parts.append(f"{report.failed} failed")
    lines = [f"{report.stage}: {', '.join(parts)}", *(f"  note: {one}" for one in report.notes)]
    return "\n".join(lines)


def _land_options(options: LandOptions, dataset_id: str) -> LandOptions:
    return LandOptions(
        dataset_id,
        options.runs,
        options.replace,
        options.accept_removals,
        settings.code_version(),
    )


def _landing_line(units: list[str], counts: dict[str, int]) -> str:
    if not units:
        return "landing: nothing to do, all units are unchanged"
    scores = counts.get("xslides/probe_scores", 0)
    rejects = counts.get("core/rejects", 0)
    return f"landing: {len(units)} units, {scores} judgments, {rejects} rejects"
