"""podium rageval: answers to questions about documents."""

from __future__ import annotations

import typer

from podium.cli.later import later

app = typer.Typer(help="Answers to questions about documents.", no_args_is_help=True)


@app.callback()
def rageval() -> None:
    """Work on answers to questions about documents."""


later(
    app,
    "ingest",
    "rageval_ingest:ingest_documents",
    "Route, parse and chunk documents, and land them.",
)
later(
    app,
    "judge",
    "rageval_judge:judge",
    "Judge the landed answers of a run by their statements, and land the judgments.",
)
