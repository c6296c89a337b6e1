"""podium xslides sources, probes, weights, evaluate, metrics: one command a stage."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Annotated

import typer

from ingest.xslides.audiences import read_audiences
from ingest.xslides.metrics import write_metrics
from ingest.xslides.probe_scores import evaluate as evaluate_run
from ingest.xslides.probes import make_probes
from ingest.xslides.sources import prepare_sources
from ingest.xslides.stage import Settings
from ingest.xslides.weights import make_weights
from podium import console, settings
from podium.cli.shared import DatasetOption, JsonOption, WarehouseOption, handled
from podium.cli.xslides_options import (
    AudiencesOption,
    BatchApiOption,
    BatchOption,
    BudgetOption,
    CharsOption,
    ChunkOption,
    EstimateOption,
    ForceOption,
    InputArgument,
    InputModeOption,
    JudgeOption,
    OverlapOption,
    PassesOption,
    PdfParserOption,
    PricesOption,
    RepeatsOption,
    RequestsOption,
    RunOption,
    SeedOption,
    SelectOption,
    StageCommand,
    TreeArgument,
    VariantOption,
    WeightsOption,
    finish_stage,
    judge_choice,
    opened_tree,
)
from podium.pdf_parsing import chosen_parser
from podium.stage_copies import settings_on
from podium.xslides_run import open_tree

app = typer.Typer()


@app.command("sources")
@handled
def sources(
    inputs: InputArgument,
    dataset: DatasetOption = None,
    audiences: AudiencesOption = None,
    pdf_parser: PdfParserOption = None,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Stage 1: copy documents into an artifact tree with their metadata."""
    paths = settings.warehouse_paths(warehouse)
    parser = chosen_parser(paths, pdf_parser)
    tree = open_tree(paths, inputs, settings.dataset_id_of(inputs, dataset))
    with console.progress() as progress:
        report = prepare_sources(
            tree,
            inputs,
            read_audiences(audiences),
            Settings(code_version=settings.code_version()),
            progress,
            parser.read,
            parser.read_ahead,
        )
    console.say(f"tree: {tree.root}")
    finish_stage(parser.told(report), as_json)


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
    order_seed: SeedOption = 0,
    judge: JudgeOption = "auto",
    max_requests: RequestsOption = None,
    budget_usd: BudgetOption = None,
    prices: PricesOption = None,
    batch: BatchApiOption = False,
    estimate: EstimateOption = False,
    force: ForceOption = False,
    pdf_parser: PdfParserOption = None,
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
        order_seed=order_seed,
        force=force,
        code_version=settings.code_version(),
    )
    choice = judge_choice(judge, max_requests, budget_usd, prices, batch)
    command = StageCommand(warehouse, opened_tree(tree), None, choice, pdf_parser, as_json)
    command.run(
        lambda one, judge, progress, reader: make_probes(one, judge, knobs, progress, reader),
        is_estimate=estimate,
    )


@app.command("weights")
@handled
def weights(
    tree: TreeArgument,
    audiences: AudiencesOption = None,
    select: SelectOption = None,
    weight_k: WeightsOption = 3,
    batch_size: BatchOption = 12,
    order_seed: SeedOption = 0,
    judge: JudgeOption = "auto",
    max_requests: RequestsOption = None,
    budget_usd: BudgetOption = None,
    prices: PricesOption = None,
    batch: BatchApiOption = False,
    estimate: EstimateOption = False,
    force: ForceOption = False,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Stage 3: weigh every probe for every active audience."""
    knobs = Settings(
        select=tuple(select or ()),
        weight_samples=weight_k,
        batch_size=batch_size,
        order_seed=order_seed,
        force=force,
        code_version=settings.code_version(),
    )
    opened = opened_tree(tree)
    stated = opened.audiences_csv if audiences is None and opened.audiences_csv.is_file() else None
    profiles = read_audiences(audiences or stated)
    choice = judge_choice(judge, max_requests, budget_usd, prices, batch)
    StageCommand(warehouse, opened, None, choice, None, as_json).run(
        lambda one, judge, progress, _: make_weights(one, judge, profiles, knobs, progress),
        is_estimate=estimate,
    )


@app.command("evaluate")
@handled
def evaluate(
    tree: TreeArgument,
    run_name: RunOption = "run",
    select: SelectOption = None,
    batch_size: BatchOption = 12,
    repeats: RepeatsOption = 1,
    judge_input: InputModeOption = "auto",
    tau_a: Annotated[str, typer.Option("--tau", help="Threshold in the manifests.")] = "0.7",
    correctness_cache_dir: Annotated[
        Path | None, typer.Option("--correctness-cache-dir", help="Shared claim judgments.")
    ] = None,
    order_seed: SeedOption = 0,
    judge: JudgeOption = "auto",
    max_requests: RequestsOption = None,
    budget_usd: BudgetOption = None,
    prices: PricesOption = None,
    batch: BatchApiOption = False,
    estimate: EstimateOption = False,
    force: ForceOption = False,
    pdf_parser: PdfParserOption = None,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Stage 5: judge every deck of a run for its audiences."""
    knobs = Settings(
        select=tuple(select or ()),
        batch_size=batch_size,
        repeats=repeats,
        judge_input=judge_input,
        tau_a=Decimal(tau_a),
        correctness_cache_dir=correctness_cache_dir,
        order_seed=order_seed,
        force=force,
        code_version=settings.code_version(),
    )
    choice = judge_choice(judge, max_requests, budget_usd, prices, batch)
    command = StageCommand(warehouse, opened_tree(tree), run_name, choice, pdf_parser, as_json)
    command.run(
        lambda one, judge, progress, reader: evaluate_run(
            one,
            judge,
            run_name,
            settings_on(one, knobs, command.tree),
            progress,
            source_reader=reader,
        ),
        is_estimate=estimate,
    )


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
    finish_stage(report, as_json)
