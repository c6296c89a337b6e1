"""podium judge compare: two runs whose judges or prompts differ, side by side."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from podium import console, settings
from podium.cli.shared import JsonOption, WarehouseOption, finish, handled
from warehouse import query as reader
from warehouse.errors import UsageError
from warehouse.findings import Outcome
from warehouse.paths import WarehousePaths

_WHO = ("system_id", "condition", "audience", "variant")
_AGREEMENTS = (
    "task", *_WHO, "first_judge_id", "second_judge_id", "kappa_status", "agreement_share",
    "expanded_low", "expanded_high", "cohens_kappa", "n_compared", "unit_count",
    "n_first_abstained", "n_second_abstained", "n_first_unjudged", "n_second_unjudged",
    "n_dropped_first", "n_dropped_second",
)  # fmt: skip
_DIFFERENCES = (
    "metric", "tau_a", *_WHO, "difference", "expanded_low", "expanded_high", "p_holm", "n_pairs",
    "n_undefined", "n_other_weights",
)  # fmt: skip


@handled
def compare(
    runs: Annotated[
        list[str], typer.Option("--run", help="Two runs, `<dataset>/<run>`.", metavar="RUN")
    ],
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Show how far the judges of two runs agree, and what that does to every metric.

    Compared are decks with the same hash, judged against the same probes for the same
    audience. Differences are those of the first run minus the second. Exit code 5 when nothing
    can be compared.

    Example: podium judge compare --run talks/gpt --run talks/offline
    """
    if len(set(runs)) != 2:
        raise UsageError("two different runs are compared", got=", ".join(runs), fix="--run twice")
    paths = settings.warehouse_paths(warehouse)
    first, second = sorted(runs)
    agreements = _read(paths, "rpt_judge_agreements", _AGREEMENTS, first, second)
    differences = _read(paths, "rpt_judge_differences", _DIFFERENCES, first, second)
    if as_json:
        console.print_json(
            {
                "first_run_id": first,
                "second_run_id": second,
                "agreements": agreements.records(),
                "differences": differences.records(),
            }
        )
    else:
        console.say(f"first run {first}, second run {second}")
        for result in (agreements, differences):
            console.print_rows(result.columns, [tuple(map(_figure, row)) for row in result.rows])
    if not agreements.rows and not differences.rows:
        console.say(
            "nothing can be compared: the runs are not published, their judges are one and the "
            "same, or no deck has the same hash in both"
        )
        finish(Outcome.NOTHING_SELECTED.exit_code)


def _read(
    paths: WarehousePaths, mart: str, columns: tuple[str, ...], first: str, second: str
) -> reader.Result:
    names = ", ".join(columns)
    return reader.query(
        paths,
        f"select {names} from {mart} "
        f"where first_run_id = ? and second_run_id = ? order by {', '.join(columns[:6])}",
        [first, second],
    )


def _figure(value: Any) -> Any:
    return round(value, 3) if isinstance(value, float) else value
