"""podium judge anchors: whether a judge is still the judge that it was."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ingest.judge.acceptance.items import ITEMS_FILE
from podium import console, settings
from podium.cli.shared import JsonOption, WarehouseOption, finish, handled
from podium.cli.xslides_options import (
    BudgetOption,
    PricesOption,
    RequestsOption,
    judge_choice,
)
from podium.judging import ENDPOINT, OFFLINE
from warehouse import query as reader
from warehouse.errors import UsageError
from warehouse.findings import Outcome

app = typer.Typer(help="Judge a frozen set anew, and compare with before.", no_args_is_help=True)

_SHOWN = (
    "set_name", "task", "judge_id", "judge_kind", "anchor_run_id", "drift_status",
    "accuracy_share", "difference", "expanded_low", "expanded_high", "agreement_share",
    "cohens_kappa", "n_items", "n_changed", "is_model_changed", "is_prompt_changed",
)  # fmt: skip

_CHANGED = """
    select judge_id, anchor_run_id, item_id, kind, expected, previous_verdict, verdict
    from fct_anchor_judgments
    where is_latest and verdict <> previous_verdict
    order by all
"""


@app.command("run")
@handled
def run(
    name: Annotated[
        str, typer.Option("--judge", help="offline or endpoint.", metavar="NAME")
    ] = ENDPOINT,
    items: Annotated[
        Path, typer.Option("--items", help="Your own items, in the format of the kit.")
    ] = ITEMS_FILE,
    run_name: Annotated[
        str | None, typer.Option("--name", help="Id of the run; the time by default.")
    ] = None,
    max_requests: RequestsOption = None,
    budget_usd: BudgetOption = None,
    prices: PricesOption = None,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Ask a judge about every anchor with fresh replies, and land its verdicts.

    A run that was stopped goes on with the same command, without asking anything twice.
    `podium build` then compares it with the run before.

    Example: podium judge anchors run --judge endpoint
    """
    # The judging of items imports the readers of decks, which take a second.
    from ingest.judge.anchors import read_anchor_set
    from podium.anchor_judging import run_anchors

    if name not in (OFFLINE, ENDPOINT):
        raise UsageError(
            f"there is no judge `{name}` for anchors", expected=f"{OFFLINE} or {ENDPOINT}"
        )
    paths = settings.warehouse_paths(warehouse)
    choice = judge_choice(name, max_requests, budget_usd, prices)
    with console.progress() as progress:
        done = run_anchors(paths, choice, read_anchor_set(items), run_name, progress)
    if as_json:
        record = {"anchor_run_id": done.anchor_run_id, "n_items": done.n_items}
        console.print_json({**record, "n_correct": done.n_correct})
    else:
        console.say(f"anchor run {done.anchor_run_id}: {done.n_correct} of {done.n_items} right")
        console.say("podium build, then podium judge anchors compare")


@app.command("compare")
@handled
def compare(
    every: Annotated[
        bool, typer.Option("--all", help="All runs and single kinds, not the newest alone.")
    ] = False,
    changed: Annotated[
        bool, typer.Option("--changed", help="List the items whose verdict changed, too.")
    ] = False,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Show the newest anchor run of each judge against the one before it.

    Exit code 1 when an alarm of `judge_drift_alarms.csv` is raised, 5 without any anchor run.

    Example: podium judge anchors compare --all
    """
    paths = settings.warehouse_paths(warehouse)
    where = "true" if every else "is_latest and kind = 'all'"
    columns = ("kind", *_SHOWN) if every else _SHOWN
    drift = reader.query(
        paths,
        f"select {', '.join(columns)}, is_latest and is_alarm as is_standing_alarm "
        f"from rpt_judge_drift where {where} order by set_name, task, judge_id, started_at, kind",
    )
    records = drift.records()
    results = [drift, reader.query(paths, _CHANGED)] if changed else [drift]
    if as_json:
        record = {"runs": records}
        console.print_json({**record, "changed": results[1].records()} if changed else record)
    else:
        for result in results:
            console.print_rows(result.columns, [tuple(map(_figure, row)) for row in result.rows])
    if any(record["is_standing_alarm"] for record in records):
        console.say("judge_has_not_drifted: failed")
        finish(Outcome.FAILED.exit_code)
    if not records:
        console.say("no anchor run is published: podium judge anchors run, then podium build")
        finish(Outcome.NOTHING_SELECTED.exit_code)


def _figure(value: Any) -> Any:
    return round(value, 3) if isinstance(value, float) else value
