"""Shows how a run ended: leaderboard, verdict, what to open, what to type next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb

from podium import console, searchgen_board
from podium.run import BuildOutcome
from warehouse import states
from warehouse.exports import leaderboards
from warehouse.exports.leaderboards import LeaderboardRow
from warehouse.paths import WarehousePaths


def print_outcome(paths: WarehousePaths, outcome: BuildOutcome, as_json: bool) -> None:
    """Print leaderboard and verdict of a run."""
    state = outcome.state or states.current(paths)
    rows = _rows(state) if state is not None else []
    boards = searchgen_board.read_rows(state) if state is not None else []
    if as_json:
        console.print_json(
            {
                "release_id": outcome.state.release_id if outcome.state else None,
                "is_unchanged": outcome.is_unchanged,
                "leaderboard": [_record(row) for row in rows],
                "searchgen": boards,
                "verdict": outcome.verdict.as_record(),
            }
        )
        return
    console.print_leaderboard(rows)
    searchgen_board.print_boards(boards)
    console.say("")
    console.print_verdict(outcome.verdict)
    if outcome.state is None:
        console.say("the build was not promoted; figures above are those that stood before")
        return
    exports = paths.current / "exports"
    console.say("")
    console.say(f"state     {outcome.state.release_id}")
    console.say(f"files     {_shown(exports / 'xslides_leaderboard.csv')}")
    console.say(f"          {_shown(exports / 'xslides_leaderboard.md')}")
    console.say(f"database  {_shown(paths.current / states.DATABASE_FILE)}")
    console.say("next      podium explain --metric coverage --system NAME --audience NAME")
    if boards:
        console.say("          podium explain --benchmark searchgen --metric overall_9 --system ID")
        console.say("          podium publish searchgen --out DIR")
    console.say("          podium publish")
    console.say("          podium tables")
    console.say('          podium query "select * from rpt_metric_summaries limit 5"')


def _rows(state: states.State) -> list[LeaderboardRow]:
    with duckdb.connect(str(state.folder / states.DATABASE_FILE), read_only=True) as connection:
        return leaderboards.read_rows(connection)


def _record(row: LeaderboardRow) -> dict[str, Any]:
    cells = {metric: vars(cell) for metric, cell in row.cells.items()}
    return {**row.key, "tau_a": row.tau_a, "metrics": cells, "flags": row.flags}


def _shown(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
