"""podium xslides: the pipeline of X+Slides, whole or stage by stage."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Annotated

import typer

from expectations.verdict import Verdict
from ingest.xslides.audiences import read_audiences
from ingest.xslides.decks import import_decks
from ingest.xslides.land import LandOptions
from ingest.xslides.metrics import write_metrics
from ingest.xslides.probe_scores import evaluate as evaluate_run
from ingest.xslides.probes import make_probes
from ingest.xslides.sources import prepare_sources
from ingest.xslides.stage import Settings, StageReport
from ingest.xslides.weights import make_weights
from podium import console, settings
from podium.cli.shared import (
    DatasetOption,
    JsonOption,
    ThreadsOption,
    WarehouseOption,
    finish,
    handled,
)
from podium.cli.xslides_options import (
    AudiencesOption,
    BatchOption,
    BudgetOption,
    CharsOption,
    ChunkOption,
    ForceOption,
    InputArgument,
    JudgeOption,
    OverlapOption,
    PassesOption,
    PricesOption,
    RequestsOption,
    RunOption,
    SelectOption,
    TreeArgument,
    VariantOption,
    WeightsOption,
    judge_choice,
    judge_of,
    opened_tree,
)
from podium.show import print_outcome
from podium.xslides_run import RunRequest, open_tree, run_xslides, stage_line

app = typer.Typer(help="X+Slides: run the pipeline, whole or by stage.", no_args_is_help=True)
decks_app = typer.Typer(help="Decks of a run.", no_args_is_help=True)
app.add_typer(decks_app, name="decks")


@app.command("run")
@handled
def run(
    inputs: InputArgument,
    decks: Annotated[
        Path | None,
        typer.Option("--decks", help="SYSTEM[/CONDITION[/AUDIENCE]]/CASE.pptx or .pdf"),
    ] = None,
    system: Annotated[
        str | None, typer.Option("--system", help="System of a flat deck folder.")
    ] = None,
    run_name: RunOption = "run",
    dataset: DatasetOption = None,
    audiences: AudiencesOption = None,
    accepted: Annotated[
        Path | None, typer.Option("--accepted", help="CSV of findings that you accept.")
    ] = None,
    select: SelectOption = None,
    k: PassesOption = 3,
    weight_k: WeightsOption = 3,
    batch_size: BatchOption = 12,
    accept_removals: Annotated[
        bool, typer.Option("--accept-removals", help="Land a unit although it lost rows.")
    ] = False,
    judge: JudgeOption = "auto",
    max_requests: RequestsOption = None,
    budget_usd: BudgetOption = None,
    prices: PricesOption = None,
    force: ForceOption = False,
    threads: ThreadsOption = 2,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Run everything: probes, weights, evaluation, landing, gates, marts, leaderboard.

    Finished work is skipped, so the same command goes on after a stop. The endpoint judges
    when one is configured (docs/endpoints.md), else the offline judge; every number says who.

    Exit codes: 0 pass, 1 a check failed, 2 usage error, 4 incomplete, 5 nothing selected.

    Example: podium xslides run my_cases/ --decks my_decks/
    """
    paths = settings.warehouse_paths(warehouse)
    knobs = Settings(
        select=tuple(select or ()),
        probe_passes=k,
        weight_samples=weight_k,
        batch_size=batch_size,
        force=force,
        code_version=settings.code_version(),
    )
    request = RunRequest(
        inputs=inputs,
        decks=decks,
        system=system,
        run=run_name,
        dataset=dataset,
        audiences=audiences,
        accepted=accepted,
        stage_settings=knobs,
        land=LandOptions(accept_removals=accept_removals),
        judge=judge_choice(judge, max_requests, budget_usd, prices),
        threads=threads,
    )
    with console.progress() as progress:
        outcome = run_xslides(paths, request, console.say, progress)
    print_outcome(paths, outcome, as_json)
    finish(outcome.verdict.exit_code)


@app.command("sources")
@handled
def sources(
    inputs: InputArgument,
    dataset: DatasetOption = None,
    audiences: AudiencesOption = None,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Stage 1: copy documents into an artifact tree with their metadata."""
    paths = settings.warehouse_paths(warehouse)
    tree = open_tree(paths, inputs, settings.dataset_id_of(inputs, dataset))
    with console.progress() as progress:
        report = prepare_sources(tree, inputs, read_audiences(audiences), _knobs(), progress)
    console.say(f"tree: {tree.root}")
    _finish(report, as_json)


@app.command("probes")
@handled
def probes(
    tree: TreeArgument,
    select: SelectOption = None,
    k: PassesOption = 3,
    source_chars: CharsOption = 1_000_000,
    chunk_chars: ChunkOption = 0,
    chunk_overlap: OverlapOption = 0,
    variant: VariantOption = None,
    judge: JudgeOption = "auto",
    max_requests: RequestsOption = None,
    budget_usd: BudgetOption = None,
    prices: PricesOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Stage 2: make the probe bank of every case."""
    knobs = Settings(
        select=tuple(select or ()),
        probe_passes=k,
        source_chars=source_chars,
        chunk_chars=chunk_chars,
        chunk_overlap=chunk_overlap,
        variant=variant,
        force=force,
        code_version=settings.code_version(),
    )
    opened, choice = opened_tree(tree), judge_choice(judge, max_requests, budget_usd, prices)
    with judge_of(warehouse, choice, tree) as asked, console.progress() as progress:
        report = make_probes(opened, asked, knobs, progress)
    _finish(report, as_json)


@app.command("weights")
@handled
def weights(
    tree: TreeArgument,
    audiences: AudiencesOption = None,
    select: SelectOption = None,
    weight_k: WeightsOption = 3,
    batch_size: BatchOption = 12,
    judge: JudgeOption = "auto",
    max_requests: RequestsOption = None,
    budget_usd: BudgetOption = None,
    prices: PricesOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Stage 3: weigh every probe for every active audience."""
    knobs = Settings(
        select=tuple(select or ()),
        weight_samples=weight_k,
        batch_size=batch_size,
        force=force,
        code_version=settings.code_version(),
    )
    opened = opened_tree(tree)
    stated = opened.audiences_csv if audiences is None and opened.audiences_csv.is_file() else None
    choice = judge_choice(judge, max_requests, budget_usd, prices)
    with judge_of(warehouse, choice, tree) as asked, console.progress() as progress:
        report = make_weights(opened, asked, read_audiences(audiences or stated), knobs, progress)
    _finish(report, as_json)


@decks_app.command("import")
@handled
def decks_import(
    tree: TreeArgument,
    decks: Annotated[Path, typer.Option("--decks", help="Folder of decks.")],
    run_name: RunOption = "run",
    system: Annotated[str | None, typer.Option("--system")] = None,
    as_json: JsonOption = False,
) -> None:
    """Stage 4: bring exported decks into a run."""
    with console.progress() as progress:
        report = import_decks(opened_tree(tree), decks, run_name, system, _knobs(), progress)
    _finish(report, as_json)


@app.command("evaluate")
@handled
def evaluate(
    tree: TreeArgument,
    run_name: RunOption = "run",
    select: SelectOption = None,
    batch_size: BatchOption = 12,
    tau_a: Annotated[str, typer.Option("--tau", help="Threshold in the manifests.")] = "0.7",
    correctness_cache_dir: Annotated[
        Path | None, typer.Option("--correctness-cache-dir", help="Shared claim judgments.")
    ] = None,
    judge: JudgeOption = "auto",
    max_requests: RequestsOption = None,
    budget_usd: BudgetOption = None,
    prices: PricesOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Stage 5: judge every deck of a run for its audiences."""
    knobs = Settings(
        select=tuple(select or ()),
        batch_size=batch_size,
        tau_a=Decimal(tau_a),
        correctness_cache_dir=correctness_cache_dir,
        force=force,
        code_version=settings.code_version(),
    )
    opened, choice = opened_tree(tree), judge_choice(judge, max_requests, budget_usd, prices)
    with judge_of(warehouse, choice, tree, run_name) as asked, console.progress() as progress:
        report = evaluate_run(opened, asked, run_name, knobs, progress)
    _finish(report, as_json)


@app.command("metrics")
@handled
def metrics(
    tree: TreeArgument,
    dataset: DatasetOption = None,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Stage 6: write each metrics.json from the published marts."""
    dataset_id = settings.dataset_id_of(tree, dataset)
    with console.progress() as progress:
        report = write_metrics(
            settings.warehouse_paths(warehouse), opened_tree(tree), dataset_id, progress=progress
        )
    _finish(report, as_json)


def _knobs() -> Settings:
    return Settings(code_version=settings.code_version())


def _finish(report: StageReport, as_json: bool) -> None:
    verdict = Verdict(report.stage, (), report.findings)
    if as_json:
        console.print_json(report.as_record())
    else:
        console.say(stage_line(report))
        if report.findings:
            console.print_verdict(verdict)
    finish(verdict.exit_code)
