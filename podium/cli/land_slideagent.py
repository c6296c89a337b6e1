"""podium land slideagent: questions with the answers of one or several systems."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ingest.slideagent.land import LandOptions, land
from ingest.slideagent.layouts import LAYOUTS, NATIVE
from ingest.slideagent.mapping import Mapping, read_mapping
from ingest.slideagent.native import Stated
from podium import settings
from podium.cli.landing_view import show_landing
from podium.cli.shared import JsonOption, WarehouseOption, handled
from warehouse.contracts.docqa_values import SETTINGS
from warehouse.errors import UsageError


@handled
def land_answers(
    questions: Annotated[
        Path, typer.Option("--questions", help="Questions: JSON Lines, CSV or Parquet.")
    ],
    answers: Annotated[list[Path], typer.Option("--answers", help="Answers to them; repeatable.")],
    layout: Annotated[
        str, typer.Option("--layout", help="native, slidevqa or tatqa.", metavar="NAME")
    ] = NATIVE,
    mapping: Annotated[
        Path | None, typer.Option("--mapping", help="YAML with what the files call our fields.")
    ] = None,
    question_set: Annotated[
        str | None, typer.Option("--set", help="Question set of rows that name none.")
    ] = None,
    system: Annotated[
        str | None, typer.Option("--system", help="System of answers that name none.")
    ] = None,
    setting: Annotated[
        str | None,
        typer.Option("--setting", help="end_to_end or oracle, where answers do not say it."),
    ] = None,
    dataset: Annotated[
        str | None,
        typer.Option("--dataset", help="Name of the data set. \\[default: the folder's name]"),
    ] = None,
    run: Annotated[str, typer.Option("--run", help="Name of the run.")] = "run",
    replace: Annotated[
        bool, typer.Option("--replace", help="Take over a run landed from another folder.")
    ] = False,
    accept_removals: Annotated[
        bool, typer.Option("--accept-removals", help="Land a run although it lost rows.")
    ] = False,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Land questions with the answers of one or several systems, as numbers and as words.

    Exit code 1 when a row was rejected, 4 when a run lost rows and was not landed.

    Example: podium land slideagent --questions q.jsonl --answers a.jsonl --set SlideVQA
    """
    if layout not in LAYOUTS:
        raise UsageError(f"there is no layout `{layout}`", expected=", ".join(LAYOUTS))
    if setting is not None and setting not in SETTINGS:
        raise UsageError(f"there is no setting `{setting}`", expected=", ".join(SETTINGS))
    options = LandOptions(
        dataset,
        run,
        layout,
        Stated(question_set, system, setting),
        Mapping() if mapping is None else read_mapping(mapping),
        replace,
        accept_removals,
        settings.code_version(),
    )
    report = land(settings.warehouse_paths(warehouse), questions, answers, options)
    show_landing(report, as_json=as_json)
