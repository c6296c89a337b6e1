"""The command `podium`: nouns and verbs, nothing else."""

from __future__ import annotations

import signal
from functools import partial
from typing import Annotated, Any

import typer

from podium import settings
from podium.cli.later import later

app = typer.Typer(
    name="podium",
    help="A data warehouse for benchmark results about slide decks and document answering.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)

land_app = typer.Typer(help="Land artifacts as typed Parquet.", no_args_is_help=True)
later(
    land_app,
    "xslides",
    "warehouse_commands:land_xslides",
    "Land an X+Slides artifact tree; units that did not change are left alone.",
)
later(
    land_app,
    "searchgen",
    "land_searchgen:land",
    "Land a SearchGen-Bench release; what did not change is left alone.",
)
later(
    land_app,
    "rageval",
    "land_rageval:land",
    "Land answers with claims and labels, what people say of answers, or questions.",
)
later(
    land_app,
    "slideagent",
    "land_slideagent:land_answers",
    "Land questions with the answers of one or several systems, as numbers and as words.",
)
check_app = typer.Typer(help="Run a gate.", no_args_is_help=True)
later(
    check_app,
    "landing",
    "warehouse_commands:check_landing",
    "Check what is landed: counts, ranges, grids, identities.",
)
later(
    check_app,
    "marts",
    "warehouse_commands:check_marts",
    "Check the last build: ranges, identities, partitions, coverage of the grid.",
)
later(
    check_app,
    "searchgen",
    "check_searchgen:check",
    "Recount a published folder: boards, policies, ranks, counts, hashes.",
)

in_start = partial(later, app, panel="Start")
in_start(
    "demo",
    "demo:demo",
    "Run the whole pipeline on the shipped samples: xslides with the offline judge, searchgen.",
)
in_start("doctor", "doctor:doctor", "Check what this machine has and lacks for the job.")
in_start("xslides", "xslides:app", "X+Slides: run the pipeline, whole or by stage.")
in_start("rageval", "rageval:app", "Answers to questions about documents.")

in_warehouse = partial(later, app, panel="Warehouse")
in_warehouse(
    "build",
    "warehouse_commands:build",
    "Build and test all marts, run the mart gate, promote a green build to `current`.",
)
in_warehouse(
    "vacuum",
    "releases:vacuum",
    "Remove landed files, leftovers and states that nothing names.",
)
app.add_typer(land_app, name="land", rich_help_panel="Warehouse")
app.add_typer(check_app, name="check", rich_help_panel="Warehouse")

in_read = partial(later, app, panel="Read")
in_read("query", "explore:query", "Run SQL over the published marts, read-only.")
in_read(
    "tables",
    "explore:tables",
    "List the published marts, or the columns of one, with what they mean.",
)
in_read("explain", "trace:explain", "Show what a published number is made of.")
in_read("metric", "explore:metric_app", "The metric registry.")
in_read("documents", "documents:app", "Read documents and decks: text, counts, status.")
in_read("judge", "judge:app", "Hold judges against known truths and each other.")
in_read("cache", "cache:app", "Look at the replies that judges gave.")

in_release = partial(later, app, panel="Release")
in_release(
    "releases",
    "releases:list_releases",
    "List the releases: when, verdict, rows, what `latest` names.",
)
in_release("diff", "trace:diff", "Show which numbers moved between two states or releases.")
in_release(
    "publish",
    "releases:publish_app",
    "Make a release of `current` when its gates are green, or publish one benchmark's files.",
)


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


def stop_like_ctrl_c() -> None:
    """Let SIGTERM end a command as Ctrl-C does, so that schedulers stop it cleanly."""

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
