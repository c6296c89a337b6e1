"""podium rageval ingest: documents, routed, parsed and chunked."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ingest.rageval.documents.land import IngestOptions, ingest, read_classes
from podium import console, settings
from podium.cli.landing_view import show_landing
from podium.cli.shared import JsonOption, WarehouseOption, handled


@handled
def ingest_documents(
    sources: Annotated[
        list[Path], typer.Argument(help="Files, and folders with all files below them.")
    ],
    dataset: Annotated[
        str | None,
        typer.Option("--dataset", help="Name of the data set. \\[default: the folder's name]"),
    ] = None,
    overrides: Annotated[
        Path | None,
        typer.Option("--overrides", help="CSV: document_id, layout_class; wins over any rule."),
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option("--labels", help="CSV of the same columns: what people say, to compare."),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Take over documents landed from another folder.")
    ] = False,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Route, parse and chunk documents, and land them.

    PDF, PPTX, HTML, Markdown, text. Slides stay whole; running text is cut by its sections,
    with tables and pictures in their places. A document that cannot be read is landed with its
    status. What did not change is left alone.

    Example: podium rageval ingest reports/ decks/ --dataset library
    """
    options = IngestOptions(
        dataset,
        {} if overrides is None else read_classes(overrides),
        {} if labels is None else read_classes(labels),
        replace,
        settings.code_version(),
    )
    with console.progress() as progress:
        told = partial(progress, "documents")
        report = ingest(settings.warehouse_paths(warehouse), sources, options, told)
    show_landing(report, as_json=as_json)
