"""podium documents: what our readers see in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ingest.documents.read import read_document
from podium import console
from podium.cli.shared import JsonOption, finish, handled
from warehouse.findings import Outcome

app = typer.Typer(help="Read documents and decks: text, counts, status.", no_args_is_help=True)


@app.callback()
def documents() -> None:
    """Read documents and decks: text, counts, status."""


@app.command("read")
@handled
def read(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files to read.")],
    as_json: JsonOption = False,
    text: Annotated[bool, typer.Option("--text", help="Print the visible text.")] = False,
) -> None:
    """Read files and tell status, slides and words of each.

    Exit code 4 when a file could not be read.

    Example: podium documents read talk.pptx paper.pdf --json
    """
    found = [read_document(path) for path in files]
    if as_json:
        console.print_json([one.as_record() for one in found])
    elif text:
        for one in found:
            typer.echo(one.visible_text)
    else:
        columns = ("file", "status", "format", "slides", "hidden", "words", "warnings")
        rows = [
            (
                one.path,
                one.status.value,
                one.format,
                one.slide_count,
                one.hidden_slide_count,
                one.visible_word_count,
                "; ".join(one.warnings),
            )
            for one in found
        ]
        console.print_rows(columns, rows)
    unread = [one for one in found if not one.status.is_readable]
    for one in unread:
        console.say(f"{one.path}: {one.status.value}")
    finish(Outcome.INCOMPLETE.exit_code if unread else 0)
