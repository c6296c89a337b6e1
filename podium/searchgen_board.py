"""The overall board of each searchgen release, as a person sees it at the end of a run.

Nothing is computed here: every figure is a cell of `rpt_searchgen__leaderboards`, under the
release's own policy for what is missing, with the ranks under the other policies beside it.
"""

from __future__ import annotations

from typing import Any

import duckdb
from rich.table import Table
from rich.text import Text

from podium import console
from warehouse import states
from warehouse.exports import leaderboards

Row = dict[str, Any]
OTHER_POLICIES = {"all_zero_fill": "as 0", "all_exclude": "left out", "common_prompts": "common"}
_MART = "rpt_searchgen__leaderboards"


def read_rows(state: states.State) -> list[Row]:
    """Return the overall boards of all releases, in the published order of their rows.

    Each row has `ranks`: its rank by policy.
    """
    database = str(state.folder / states.DATABASE_FILE)
    with duckdb.connect(database, read_only=True) as connection:
        known = connection.execute(
            "select count(*) from information_schema.tables where table_name = ?", [_MART]
        ).fetchall()
        if known == [(0,)]:
            return []
        cursor = connection.execute(
            f"select * from {_MART} where slice = 'all' and view = 'overall' "
            "order by run_id, rank_published"
        )
        names = [column[0] for column in cursor.description or ()]
        cells = [dict(zip(names, values, strict=True)) for values in cursor.fetchall()]
    ranks: dict[tuple[str, str], dict[str, int | None]] = {}
    for one in cells:
        place = (one["run_id"], one["source_id"])
        ranks.setdefault(place, {})[one["policy"]] = one["model_rank"]
    return [
        {**one, "ranks": ranks[one["run_id"], one["source_id"]]}
        for one in cells
        if one["policy"] == "published"
    ]


def print_boards(rows: list[Row]) -> None:
    """Print one table a release."""
    output = console.output()
    runs: dict[str, list[Row]] = {}
    for row in rows:
        runs.setdefault(row["run_id"], []).append(row)
    for run_id, members in runs.items():
        output.print()
        output.print(Text(f"searchgen   release {run_id}   judge {_judge(members)}", style="bold"))
        if any(row["judge_kind"] == "heuristic" for row in members):
            output.print(Text(leaderboards.HEURISTIC_BANNER, style="bold yellow"))
        output.print(_table(members))
    if rows:
        output.print(
            Text(
                "Overall-9 with 95 % expanded percentile intervals over prompts; Overall-10 is the "
                "metric of the paper; rank with its interval, then rank if what is missing "
                "counts as 0, is left out everywhere, or on the prompts that all models have"
            )
        )


def _table(rows: list[Row]) -> Table:
    table = Table(show_header=True, header_style="bold", box=None, pad_edge=False)
    table.add_column("model", overflow="fold")
    for name in ("Overall-9", "Overall-10", "rank", *OTHER_POLICIES.values(), "scored"):
        table.add_column(name, justify="right", no_wrap=True)
    for name in ("missing", "flags"):
        table.add_column(name, overflow="fold")
    for row in rows:
        cells = [
            row["display_name"],
            _overall(row),
            _figure(row["overall_10_rounded"]),
            _rank(row),
            *(_figure(row["ranks"].get(policy)) for policy in OTHER_POLICIES),
            f"{row['n_scored']}/{row['n_total']}",
            row["missing_policy"],
            ", ".join(_flags(row)),
        ]
        table.add_row(*(Text(cell) for cell in cells))
    return table


def _overall(row: Row) -> str:
    figure, low, high = (row[f"overall_9_{name}"] for name in ("rounded", "low", "high"))
    return _figure(figure) if low is None else f"{figure:.1f} [{low:.1f}, {high:.1f}]"


def _rank(row: Row) -> str:
    rank = _figure(row["model_rank"])
    return rank if row["rank_low"] is None else f"{rank} [{row['rank_low']}, {row['rank_high']}]"


def _figure(value: float | None) -> str:
    return "N/A" if value is None else str(value)


def _flags(row: Row) -> list[str]:
    found = {"low coverage": row["is_low_coverage"], "small n": row["is_small_sample"]}
    return [name for name, holds in found.items() if holds]


def _judge(rows: list[Row]) -> str:
    return ", ".join(sorted({f"{row['judge_id']} ({row['judge_kind']})" for row in rows}))
