"""podium query, tables, metric: reading what is published."""

from __future__ import annotations

from typing import Annotated

import typer

from podium import console, settings
from podium.cli.shared import JsonOption, WarehouseOption, handled
from warehouse import query as reader
from warehouse.errors import UsageError
from warehouse.paths import PROJECT_ROOT

ReleaseOption = Annotated[
    str | None,
    typer.Option("--release", metavar="ID", help="State or release to read, `latest`, `current`."),
]


@handled
def query(
    sql: Annotated[str, typer.Argument(metavar="SQL", help="One query over the marts.")],
    as_json: JsonOption = False,
    release: ReleaseOption = None,
    warehouse: WarehouseOption = None,
) -> None:
    """Run SQL over the published marts, read-only.

    Example: podium query "select system_id, estimate, n_included from rpt_metric_summaries
    where metric = 'coverage' and slice = 'all'"
    """
    result = reader.query(settings.warehouse_paths(warehouse), sql, release_id=release)
    if as_json:
        console.print_json([plain(one) for one in result.records()])
    else:
        console.print_rows(result.columns, result.rows)


@handled
def tables(
    name: Annotated[str | None, typer.Argument(help="Show the columns of this mart.")] = None,
    as_json: JsonOption = False,
    release: ReleaseOption = None,
    warehouse: WarehouseOption = None,
) -> None:
    """List the published marts, or the columns of one, with what they mean.

    Example: podium tables rpt_metric_summaries
    """
    paths = settings.warehouse_paths(warehouse)
    if name is None:
        result = reader.tables(paths, release)
    else:
        result = reader.columns(paths, name, release)
        if not result.rows:
            raise UsageError(f"mart `{name}` is not published", fix="podium tables lists them all")
    if as_json:
        console.print_json([plain(one) for one in result.records()])
    else:
        console.print_rows(result.columns, result.rows)


metric_app = typer.Typer(help="The metric registry.", no_args_is_help=True)


@metric_app.command("list")
@handled
def metric_list(as_json: JsonOption = False) -> None:
    """List all metrics with unit, range and version."""
    rows = registry()
    if as_json:
        console.print_json(rows)
    else:
        names = ("metric", "benchmark", "display_name", "unit", "direction", "method_version")
        console.print_rows(names, [tuple(row[name] for name in names) for row in rows])


@metric_app.command("show")
@handled
def metric_show(
    name: Annotated[str, typer.Argument(help="Metric, e.g. coverage.")], as_json: JsonOption = False
) -> None:
    """Show where a metric's SQL, tests, golden case and decision stand."""
    found = [row for row in registry() if row["metric"] == name]
    if not found:
        known = ", ".join(sorted({row["metric"] for row in registry()}))
        raise UsageError(f"metric `{name}` is not in the registry", expected=known)
    for row in found:
        places = {
            "sql": _model_file(row["computed_in"]),
            "mart": _model_file(row["model"]),
            "doc": "models/marts/_columns.md",
            "golden case": row["golden_case"],
            "decision": f"docs/decisions/{row['decision']}.md",
        }
        if as_json:
            console.print_json({**row, **places})
        else:
            console.print_rows(("field", "value"), [*row.items(), *places.items()])


def registry() -> list[dict[str, str]]:
    """Return the rows of the metric registry."""
    import csv

    path = PROJECT_ROOT / "seeds" / "registries" / "metrics.csv"
    with path.open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def _model_file(model: str) -> str:
    found = sorted((PROJECT_ROOT / "models").rglob(f"{model}.sql"))
    return found[0].relative_to(PROJECT_ROOT).as_posix() if found else model


def plain(record: dict[str, object]) -> dict[str, object]:
    """Return a record whose values JSON can hold: dates and decimals become text."""
    return {
        name: value
        if value is None or isinstance(value, bool | int | float | str | list | dict)
        else str(value)
        for name, value in record.items()
    }
