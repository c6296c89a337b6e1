"""What all commands share: options, error handling, exit codes."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import duckdb
import typer

from podium import console
from warehouse.errors import PodiumError

Command = TypeVar("Command", bound=Callable[..., Any])

WarehouseOption = Annotated[
    Path | None,
    typer.Option("--warehouse", help="Warehouse root. \\[env: PODIUM_WAREHOUSE]", metavar="DIR"),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
ThreadsOption = Annotated[int, typer.Option("--threads", min=1, max=64, help="Threads of a build.")]
DatasetOption = Annotated[
    str | None,
    typer.Option("--dataset", help="Name of the artifact root; the folder's name by default."),
]


def handled(command: Command) -> Command:
    """Wrap a command: known errors become one message and exit code 2, Ctrl-C becomes 130."""

    @functools.wraps(command)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        try:
            return command(*args, **kwargs)
        except PodiumError as error:
            console.say(f"error: {error.render()}")
            raise typer.Exit(error.exit_code) from None
        except KeyboardInterrupt:
            console.say("stopped; finished work is kept, the same command goes on from here")
            raise typer.Exit(130) from None
        except BrokenPipeError:
            # The reader has gone; that is no failure of ours, and no traceback either.
            sys.stderr.close()
            raise typer.Exit(0) from None
        except duckdb.IOException as error:
            # DuckDB names the process that holds the file.
            console.say(
                f"error: a database file of the warehouse cannot be opened: {error}\n"
                "  fix:      close it in the program that has it open for writing, or open it "
                "there read-only; then give the same command again"
            )
            raise typer.Exit(2) from None
        except OSError as error:
            console.say(
                f"error: the system refused: {error}\n"
                "  fix:      free space or mend rights, then give the same command again; "
                "what was committed before stands"
            )
            raise typer.Exit(2) from None

    return wrapper  # type: ignore[return-value]


def finish(exit_code: int) -> None:
    """End a command with an exit code."""
    if exit_code:
        raise typer.Exit(exit_code)
