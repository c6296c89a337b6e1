"""The command `podium`: nouns and verbs, nothing else."""

from __future__ import annotations

from typing import Annotated

import typer

from podium import settings
from podium.cli import (
    cache,
    check_searchgen,
    demo,
    doctor,
    documents,
    explore,
    judge,
    land_searchgen,
    publish_searchgen,
    releases,
    trace,
    warehouse_commands,
    xslides,
)
from podium.cli.shared import stop_like_ctrl_c

app = typer.Typer(
    name="podium",
    help="A data warehouse for benchmark results about slide decks and document answering.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)

app.command("demo", rich_help_panel="Start")(demo.demo)
app.command("doctor", rich_help_panel="Start")(doctor.doctor)
app.add_typer(xslides.app, name="xslides", rich_help_panel="Start")
app.add_typer(warehouse_commands.land_app, name="land", rich_help_panel="Warehouse")
warehouse_commands.land_app.command("searchgen")(land_searchgen.land)
app.command("build", rich_help_panel="Warehouse")(warehouse_commands.build)
app.add_typer(warehouse_commands.check_app, name="check", rich_help_panel="Warehouse")
warehouse_commands.check_app.command("searchgen")(check_searchgen.check)
app.command("vacuum", rich_help_panel="Warehouse")(releases.vacuum)
app.command("query", rich_help_panel="Read")(explore.query)
app.command("tables", rich_help_panel="Read")(explore.tables)
app.command("explain", rich_help_panel="Read")(trace.explain)
app.add_typer(explore.metric_app, name="metric", rich_help_panel="Read")
app.add_typer(documents.app, name="documents", rich_help_panel="Read")
app.add_typer(judge.app, name="judge", rich_help_panel="Read")
app.add_typer(cache.app, name="cache", rich_help_panel="Read")
releases.publish_app.command("searchgen")(publish_searchgen.publish)
app.add_typer(releases.publish_app, name="publish", rich_help_panel="Release")
app.command("releases", rich_help_panel="Release")(releases.list_releases)
app.command("diff", rich_help_panel="Release")(trace.diff)


@app.callback(invoke_without_command=True)
def podium(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", is_eager=True)
    ] = False,
) -> None:
    """Run benchmarks of slide decks, land their artifacts, publish numbers that can be traced.

    Exit codes: 0 pass, 1 a check failed, 2 usage error or crash, 3 inconclusive,
    4 incomplete, 5 nothing selected.
    """
    if version:
        typer.echo(f"podium {settings.code_version()}")
        raise typer.Exit


def main() -> None:
    """Run the command line."""
    stop_like_ctrl_c()
    app()
