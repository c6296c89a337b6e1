"""podium check searchgen: every figure of a published folder, made again from its prompts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from expectations.searchgen import recount
from podium.cli.shared import JsonOption, handled
from podium.cli.warehouse_commands import JunitOption, report


@handled
def check(
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="Folder that podium publish searchgen wrote."),
    ],
    canonical: Annotated[
        Path | None,
        typer.Option(
            "--canonical",
            metavar="FILE",
            help="JSON of the owner's recomputation, to hold Overall-10 against.",
        ),
    ] = None,
    as_json: JsonOption = False,
    junit: JunitOption = None,
) -> None:
    """Recount a published folder: boards, policies, ranks, counts, hashes.

    Reads the folder alone, in exact arithmetic that shares nothing with the models. --canonical
    takes {model: value}, {group: {model: value}} or a list of rows with model, overall_10 and
    perhaps group; models by public id, source id or display name, values from 0 to 100.

    Exit codes: 0 pass, 1 failed, 2 no published folder, 4 results are missing.

    Example: podium check searchgen public/data --canonical tables.json
    """
    report(recount.check(folder, canonical), as_json, junit)
