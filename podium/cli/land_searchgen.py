"""podium land searchgen: a release from results, from public records, or as it was published."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ingest.searchgen import land as searchgen
from ingest.searchgen.land import LandOptions, LandReport
from podium import settings
from podium.cli.landing_view import show_landing
from podium.cli.shared import JsonOption, WarehouseOption, handled
from warehouse.errors import UsageError
from warehouse.paths import WarehousePaths

_WAYS = (
    "--prompts FILE --results DIR --models FILE [--extractor MODULE:FUNCTION]",
    "--prompt-scores FILE [--models FILE]",
    "--published DIR",
)


@dataclass(frozen=True)
class Inputs:
    """What the command was given; one of the three ways to land must come of it."""

    prompts: Path | None
    results: Path | None
    models: Path | None
    prompt_scores: Path | None
    published: Path | None


def land_inputs(paths: WarehousePaths, given: Inputs, options: LandOptions) -> LandReport:
    """Land what was given in the one way that it makes.

    Raises:
        UsageError: when it makes none, or when an option has no use in it.
    """
    named = {name for name, path in vars(given).items() if path is not None}
    if options.extractor is not None:
        named.add("extractor")
    match (given.prompts, given.results, given.models, given.prompt_scores, given.published):
        case (Path() as prompts, Path() as results, Path() as models, None, None):
            return searchgen.land_results(
                paths, prompts=prompts, results=results, models=models, options=options
            )
        case (None, None, models, Path() as file, None) if options.extractor is None:
            return searchgen.land_prompt_scores(paths, file=file, models=models, options=options)
        case (None, None, None, None, Path() as folder) if options.extractor is None:
            return searchgen.land_published(paths, folder=folder, options=options)
    raise UsageError(
        "these options make no way to land a release",
        expected="; or ".join(_WAYS),
        got=", ".join(f"--{name.replace('_', '-')}" for name in sorted(named)) or "none of them",
    )


@handled
def land(
    prompts: Annotated[
        Path | None, typer.Option("--prompts", help="Prompt metadata, JSON Lines.")
    ] = None,
    results: Annotated[
        Path | None,
        typer.Option("--results", help="Results: <release_row>/<lane>/<generator>/<file>."),
    ] = None,
    models: Annotated[
        Path | None, typer.Option("--models", help="models.yml of the release.")
    ] = None,
    prompt_scores: Annotated[
        Path | None, typer.Option("--prompt-scores", help="Public records, JSON Lines.")
    ] = None,
    published: Annotated[
        Path | None, typer.Option("--published", help="Folder of published aggregates.")
    ] = None,
    release: Annotated[
        str | None, typer.Option("--release", help="Name of the release, for that of the files.")
    ] = None,
    dataset: Annotated[
        str | None, typer.Option("--dataset", help="Name of the data set. \\[default: searchgen]")
    ] = None,
    extractor: Annotated[
        str | None,
        typer.Option(
            "--extractor",
            metavar="MODULE:FUNCTION",
            help="Reads evaluations instead of ours; this runs the code of that module.",
        ),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Take over a release landed from another folder.")
    ] = False,
    accept_removals: Annotated[
        bool, typer.Option("--accept-removals", help="Land a release although it lost rows.")
    ] = False,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Land a SearchGen-Bench release; what did not change is left alone.

    Exit code 1 when a row or file was rejected, 4 when a release lost rows and was not landed.

    Example: podium land searchgen --prompts prompts.jsonl --results results/ --models models.yml
    """
    paths = settings.warehouse_paths(warehouse)
    options = LandOptions(
        dataset, release, extractor, replace, accept_removals, settings.code_version()
    )
    inputs = Inputs(prompts, results, models, prompt_scores, published)
    show_landing(land_inputs(paths, inputs, options), as_json=as_json)
