"""podium land rageval: what other tools made of answers, and what people say of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ingest.landing_units import LandReport
from ingest.rageval import land_imported as imported
from ingest.rageval.imports import UNSTATED, ImportOptions
from ingest.rageval.question_sets import land_questions
from podium import settings
from podium.cli.landing_view import show_landing
from podium.cli.shared import JsonOption, WarehouseOption, handled
from warehouse.errors import UsageError
from warehouse.paths import WarehousePaths

_WAYS = (
    "--ragchecker FILE",
    "--refchecker CLAIMS --responses FILE",
    "--preferences FILE",
    "--judge-outputs FILE",
    "--questions FILE",
)


def land_inputs(
    paths: WarehousePaths, given: dict[str, Path | None], options: ImportOptions
) -> LandReport:
    """Land what was given in the one way that it makes.

    Raises:
        UsageError: when it makes none.
    """
    match {name: path for name, path in given.items() if path is not None}:
        case {"ragchecker": file, **rest} if not rest:
            return imported.land_ragchecker(paths, file, options)
        case {"refchecker": claims, "responses": responses, **rest} if not rest:
            return imported.land_refchecker(paths, claims, responses, options)
        case {"preferences": file, **rest} if not rest:
            return imported.land_preferences(paths, file, options)
        case {"judge_outputs": file, **rest} if not rest:
            return imported.land_judge_outputs(paths, file, options)
        case {"questions": file, **rest} if not rest:
            return land_questions(paths, file, options)
        case named:
            raise UsageError(
                "these options make no way to land anything",
                expected="; or ".join(_WAYS),
                got=", ".join(f"--{name.replace('_', '-')}" for name in sorted(named))
                or "none of them",
            )


@handled
def land(
    ragchecker: Annotated[
        Path | None, typer.Option("--ragchecker", help="Input or output file of RAGChecker.")
    ] = None,
    refchecker: Annotated[
        Path | None, typer.Option("--refchecker", help="Claims with labels by people, CSV.")
    ] = None,
    responses: Annotated[
        Path | None, typer.Option("--responses", help="The responses they are of, CSV.")
    ] = None,
    preferences: Annotated[
        Path | None, typer.Option("--preferences", help="What people prefer, with scores, CSV.")
    ] = None,
    judge_outputs: Annotated[
        Path | None,
        typer.Option(
            "--judge-outputs", help="Recorded outputs of a consistency judge, JSON Lines."
        ),
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option(
            "--questions", help="Questions with gold answers and gold pages: JSON Lines, CSV."
        ),
    ] = None,
    dataset: Annotated[
        str | None,
        typer.Option("--dataset", help="Name of the data set. \\[default: the file's stem]"),
    ] = None,
    run: Annotated[str, typer.Option("--run", help="Name of the run.")] = "imported",
    system: Annotated[
        str | None,
        typer.Option("--system", help="Who answered. \\[default: the file's stem]"),
    ] = None,
    judge: Annotated[str, typer.Option("--judge", help="Who judged.")] = UNSTATED,
    judge_kind: Annotated[
        str, typer.Option("--judge-kind", help="llm, heuristic, human, imported.")
    ] = UNSTATED,
    replace: Annotated[
        bool, typer.Option("--replace", help="Take over what was landed from another folder.")
    ] = False,
    accept_removals: Annotated[
        bool, typer.Option("--accept-removals", help="Land a unit although it lost rows.")
    ] = False,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Land answers with claims and labels, what people say of answers, or questions.

    Exit code 1 when a row was rejected, 4 when a unit lost rows and was not landed.

    Example: podium land rageval --ragchecker checking_outputs.json --judge llama3-70b
    --judge-kind llm
    """
    options = ImportOptions(
        dataset, run, system, judge, judge_kind, replace, accept_removals, settings.code_version()
    )
    given = {
        "ragchecker": ragchecker,
        "refchecker": refchecker,
        "responses": responses,
        "preferences": preferences,
        "judge_outputs": judge_outputs,
        "questions": questions,
    }
    show_landing(land_inputs(settings.warehouse_paths(warehouse), given, options), as_json=as_json)
