"""podium xslides: the pipeline of X+Slides as one command; its stages are in neighbours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ingest.xslides.land import LandOptions
from ingest.xslides.stage import Settings
from podium import console, settings
from podium.cli.shared import (
    DatasetOption,
    JsonOption,
    ThreadsOption,
    WarehouseOption,
    finish,
    handled,
)
from podium.cli.xslides_decks import decks_app
from podium.cli.xslides_options import (
    AudiencesOption,
    BatchApiOption,
    BatchOption,
    BudgetOption,
    EstimateOption,
    ForceOption,
    InputArgument,
    InputModeOption,
    JudgeOption,
    PassesOption,
    PdfParserOption,
    PricesOption,
    RepeatsOption,
    RequestsOption,
    RunOption,
    SeedOption,
    SelectOption,
    WeightsOption,
    judge_choice,
)
from podium.cli.xslides_stages import app as stages_app
from podium.estimate_view import show as show_estimate
from podium.show import print_outcome
from podium.xslides_estimate import estimate as estimate_of
from podium.xslides_estimate import whole_run
from podium.xslides_run import RunRequest, run_xslides

app = typer.Typer(help="X+Slides: run the pipeline, whole or by stage.", no_args_is_help=True)


@app.command("run")
@handled
def run(
    inputs: InputArgument,
    decks: Annotated[
        Path | None,
        typer.Option("--decks", help="SYSTEM\\[/CONDITION\\[/AUDIENCE]]/CASE.pptx or .pdf"),
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
    repeats: RepeatsOption = 1,
    judge_input: InputModeOption = "auto",
    order_seed: SeedOption = 0,
    accept_removals: Annotated[
        bool, typer.Option("--accept-removals", help="Land a unit although it lost rows.")
    ] = False,
    judge: JudgeOption = "auto",
    max_requests: RequestsOption = None,
    budget_usd: BudgetOption = None,
    prices: PricesOption = None,
    batch: BatchApiOption = False,
    estimate: EstimateOption = False,
    force: ForceOption = False,
    threads: ThreadsOption = 2,
    pdf_parser: PdfParserOption = None,
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
        repeats=repeats,
        judge_input=judge_input,
        order_seed=order_seed,
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
        judge=judge_choice(judge, max_requests, budget_usd, prices, batch),
        threads=threads,
        pdf_parser=pdf_parser,
    )
    if estimate:
        show_estimate(estimate_of(paths, request.judge, whole_run(paths, request)), as_json)
        return
    with console.progress() as progress:
        outcome = run_xslides(paths, request, console.say, progress)
    print_outcome(paths, outcome, as_json)
    finish(outcome.verdict.exit_code)


# Behind the whole run, so that `--help` lists it first.
app.add_typer(stages_app)
app.add_typer(decks_app, name="decks")
