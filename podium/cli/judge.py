"""podium judge: what a judge is worth, before its judgments are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from ingest.judge.acceptance.items import CONFIRMATION, CONFIRMATION_FILE, HAND_WRITTEN, read_items
from ingest.judge.acceptance.scorecard import ALL_QUESTIONS, Line, Scorecard, scorecard_of
from ingest.judge.interface import Judge
from ingest.judge.offline import OfflineJudge
from podium import console
from podium.cli.shared import JsonOption, finish, handled
from warehouse.errors import UsageError
from warehouse.findings import Outcome

app = typer.Typer(help="Hold a judge against known truths.", no_args_is_help=True)

_JUDGES: dict[str, Callable[[], Judge]] = {"offline": OfflineJudge}
_COLUMNS = ("part", "kind", "n", "correct", "rate", "95 % interval", "abstain", "bar", "met")


@app.callback()
def judge() -> None:
    """Hold a judge against known truths."""


@app.command("accept")
@handled
def accept(
    as_json: JsonOption = False,
    name: Annotated[
        str, typer.Option("--judge", help="Which judge: offline.", metavar="NAME")
    ] = "offline",
    wrong: Annotated[
        bool, typer.Option("--wrong", help="List the items of missed verdicts too.")
    ] = False,
) -> None:
    """Judge the acceptance kit and print the scorecard.

    The kit: items written by hand, and generated decks with planted truths, as PPTX and PDF.
    Exit code 1 when a bar is missed.

    Example: podium judge accept --json
    """
    # The writers of decks take a second to import, which no other command should pay.
    from ingest.judge.acceptance.judging import judge_items, judge_planted
    from ingest.judge.acceptance.planted import planted_decks

    chosen = make_judge(name)
    with console.progress() as progress:
        outcomes = judge_items(chosen, read_items(), HAND_WRITTEN, progress)
        outcomes += judge_items(chosen, read_items(CONFIRMATION_FILE), CONFIRMATION, progress)
        outcomes += judge_planted(chosen, planted_decks(), progress)
    card = scorecard_of(chosen, outcomes)
    if as_json:
        console.print_json(card.as_record())
    else:
        _print(card, with_wrong=wrong)
    finish(0 if card.is_accepted else Outcome.FAILED.exit_code)


def make_judge(name: str) -> Judge:
    """Return a judge by its name.

    Raises:
        UsageError: when there is none of this name.
    """
    if name not in _JUDGES:
        raise UsageError(
            f"there is no judge `{name}`", expected=" or ".join(_JUDGES), fix="--judge offline"
        )
    return _JUDGES[name]()


def _print(card: Scorecard, *, with_wrong: bool) -> None:
    console.say(f"judge {card.judge_id} ({card.judge_kind})")
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
