"""podium rageval: answers to questions about documents."""

from __future__ import annotations

import typer

from podium.cli.later import later

app = typer.Typer(
    help="Answers to questions about documents.",
    no_args_is_help=True,
)


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
    "index",
    "rageval_retrieve:index",
    "Make and land a vector of every chunk of a data set by the offline embedder.",
)
later(
    app,
    "retrieve",
    "rageval_retrieve:find",
    "Find chunks for all questions of a data set, and land every stage's hits.",
)
later(
    app,
    "answer",
    "rageval_retrieve:answer",
    "Answer all questions of a run with the sentence or table cell that shares most with them.",
)
later(
    app,
    "judge",
    "rageval_judge:judge",
    "Judge the landed answers of a run by their statements, and land the judgments.",
)
