"""podium rageval judge: landed answers, judged by their statements."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from ingest.rageval.judging.exchange import METRICS
from ingest.rageval.judging.landing import JudgingRequest
from podium import console, settings
from podium.cli.landing_view import show_landing
from podium.cli.shared import JsonOption, WarehouseOption, handled
from podium.cli.xslides_options import (
    BudgetOption,
    JudgeOption,
    PricesOption,
    RequestsOption,
    judge_choice,
)
from podium.rageval_judging import judge_answers
from warehouse.errors import UsageError


@handled
def judge(
    dataset: Annotated[str, typer.Option("--dataset", help="Name of the data set.")],
    run: Annotated[str, typer.Option("--run", help="Name of the run.")] = "imported",
    metric: Annotated[
        str, typer.Option("--metric", help="fastrageval or consistency.", metavar="NAME")
    ] = METRICS[0],
    system: Annotated[str | None, typer.Option("--system", help="Judge this system alone.")] = None,
    repeats: Annotated[
        int, typer.Option("--repeats", min=1, max=100, help="Samples of each judgment.")
    ] = 1,
    judge: JudgeOption = "auto",
    max_requests: RequestsOption = None,
    budget_usd: BudgetOption = None,
    prices: PricesOption = None,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Judge the landed answers of a run by their statements, and land the judgments.

    fastrageval holds answer and reference against each other in one request an answer;
    consistency holds the answer against the passages that it was made from. A reply that
    cannot be used is an invalid judgment, never 0. Without an endpoint rules judge.

    Exit codes: 0 judged, 2 nothing to judge, 4 a limit was reached; the same command goes on.

    Example: podium rageval judge --dataset checking_outputs --metric fastrageval
    """
    if metric not in METRICS:
        raise UsageError(f"there is no metric `{metric}`", expected=", ".join(METRICS))
    paths = settings.warehouse_paths(warehouse)
    request = JudgingRequest(dataset, run, metric, system, repeats, settings.code_version())
    choice = judge_choice(judge, max_requests, budget_usd, prices)
    with console.progress() as progress:
        report = judge_answers(paths, request, choice, partial(progress, metric))
    show_landing(report, as_json=as_json)
