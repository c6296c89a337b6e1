"""podium judge: what a judge is worth, before its judgments are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from ingest.judge.acceptance.items import CONFIRMATION, CONFIRMATION_FILE, HAND_WRITTEN, read_items
from ingest.judge.acceptance.scorecard import ALL_QUESTIONS, Line, Scorecard, scorecard_of
from ingest.judge.interface import Judge
from ingest.judge.offline import OfflineJudge
from podium import console, settings
from podium.cli import anchors, judge_comparison
from podium.cli.shared import JsonOption, WarehouseOption, finish, handled
from podium.cli.xslides_options import (
    BudgetOption,
    PricesOption,
    RequestsOption,
    judge_choice,
)
from podium.judge_usage import Usage, usage_since
from podium.judging import ENDPOINT, OFFLINE, REPLAY, JudgeChoice, opened_judge
from warehouse.errors import UsageError
from warehouse.findings import Outcome

app = typer.Typer(help="Hold judges against known truths and each other.", no_args_is_help=True)
app.add_typer(anchors.app, name="anchors")
app.command("compare")(judge_comparison.compare)

ACCEPTANCE = "@acceptance"
"""Dataset that the calls of acceptance runs carry; no folder of a user is called so."""
_JUDGES: dict[str, Callable[[], Judge]] = {OFFLINE: OfflineJudge}
_COLUMNS = ("part", "kind", "n", "correct", "rate", "95 % interval", "abstain", "bar", "met")


@app.callback()
def judge() -> None:
    """Hold a judge against known truths."""


@app.command("accept")
@handled
def accept(
    as_json: JsonOption = False,
    name: Annotated[
        str, typer.Option("--judge", help="offline, endpoint or replay.", metavar="NAME")
    ] = OFFLINE,
    wrong: Annotated[
        bool, typer.Option("--wrong", help="List the items of missed verdicts too.")
    ] = False,
    max_requests: RequestsOption = None,
    budget_usd: BudgetOption = None,
    prices: PricesOption = None,
    warehouse: WarehouseOption = None,
) -> None:
    """Judge the acceptance kit and print the scorecard.

    The kit: items written by hand, and generated decks with planted truths, as PPTX and PDF.
    Exit code 1 when a bar is missed. An endpoint's replies are kept: the same command goes on
    after a stop, and `--judge replay` scores them again without asking.

    Example: podium judge accept --json
    """
    # The writers of decks take a second to import, which no other command should pay.
    from ingest.judge.acceptance.judging import judge_items, judge_planted
    from ingest.judge.acceptance.planted import planted_decks

    choice = None
    if name in (ENDPOINT, REPLAY):
        choice = judge_choice(name, max_requests, budget_usd, prices)
    with _judge(name, choice, warehouse) as (chosen, used):
        with console.progress() as progress:
            outcomes = judge_items(chosen, read_items(), HAND_WRITTEN, progress)
            outcomes += judge_items(chosen, read_items(CONFIRMATION_FILE), CONFIRMATION, progress)
            outcomes += judge_planted(chosen, planted_decks(), progress)
        card = scorecard_of(chosen, outcomes)
        usage = None if used is None else used()
    if as_json:
        record = card.as_record()
        console.print_json(record if usage is None else {**record, "usage": usage.as_record()})
    else:
        _print(card, with_wrong=wrong)
        if usage is not None:
            console.say(usage.line())
    finish(0 if card.is_accepted else Outcome.FAILED.exit_code)


@contextmanager
def _judge(
    name: str, choice: JudgeChoice | None, warehouse: Path | None
) -> Iterator[tuple[Judge, Callable[[], Usage] | None]]:
    """Yield a judge, and what tells of its usage; None for one that costs nothing."""
    if choice is None:
        yield make_judge(name), None
        return
    from ingest.endpoint.calls import CallContext
    from ingest.endpoint.land_calls import land_calls

    paths = settings.warehouse_paths(warehouse)
    context = CallContext("xslides", ACCEPTANCE)
    used = usage_since(paths, context)
    try:
        with opened_judge(paths, choice, ACCEPTANCE) as chosen:
            yield chosen, used
    finally:
        land_calls(paths, context, settings.code_version())


def make_judge(name: str) -> Judge:
    """Return a judge by its name.

    Raises:
        UsageError: when there is none of this name.
    """
    if name not in _JUDGES:
        raise UsageError(
            f"there is no judge `{name}` to accept",
            expected=", ".join((*_JUDGES, ENDPOINT, REPLAY)),
            fix="--judge offline",
        )
    return _JUDGES[name]()


def _print(card: Scorecard, *, with_wrong: bool) -> None:
    names = " and ".join(dict.fromkeys(card.judges.values()))
    console.say(f"judge {names} ({card.judge_kind})")
    console.print_rows(_COLUMNS, [_cells(line) for line in card.lines])
    if with_wrong:
        console.print_rows(
            ("item", "part", "kind", "expected", "got"),
            [(one.item_id, one.part, one.kind, one.expected, one.got) for one in card.wrong],
        )
    missed = [line for line in card.lines if line.is_met is False]
    for line in missed:
        console.say(f"bar missed: {line.part}, {line.kind}")
    console.say("accepted" if card.is_accepted else f"{len(missed)} bars missed")


def _cells(line: Line) -> tuple[Any, ...]:
    low, high = line.interval
    bar = "reported" if line.bar is None else f">= {line.bar:.0%}"
    if line.kind == ALL_QUESTIONS and line.bar is not None:
        bar = f"abstain <= {line.bar:.0%}"
    met = {None: "", True: "yes", False: "NO"}[line.is_met]
    return (
        line.part,
        line.kind,
        line.n,
        line.correct,
        f"{line.rate:.3f}",
        f"{low:.3f} to {high:.3f}",
        f"{line.abstain_rate:.3f}",
        bar,
        met,
    )
