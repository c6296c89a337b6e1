"""podium rageval index, retrieve, answer: from chunks to answers, offline."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from ingest.landing_units import LandReport
from ingest.rageval.answering.run import answer_run
from ingest.rageval.retrieval.corpus import read_corpus
from ingest.rageval.retrieval.embedder import Embedder, OfflineEmbedder, is_offline_embedder_here
from ingest.rageval.retrieval.run import RetrievalRequest, retrieve
from ingest.rageval.retrieval.search import Depths
from ingest.rageval.retrieval.variants import VARIANTS, variant_of
from ingest.rageval.retrieval.vectors import land_vectors
from podium import console, settings
from podium.cli.landing_view import show_landing
from podium.cli.shared import JsonOption, WarehouseOption, handled
from warehouse.errors import UsageError

OFFLINE, NONE, AUTO = "offline", "none", "auto"
_EMBEDDERS = (AUTO, OFFLINE, NONE)
_DEPTHS = Depths()

DatasetOption = Annotated[str, typer.Option("--dataset", help="Name of the data set.")]
RunOption = Annotated[str, typer.Option("--run", help="Name of the run.")]
EmbedderOption = Annotated[
    str,
    typer.Option(
        "--embedder",
        help="offline, none (words alone), or auto: offline where it is installed.",
        metavar="NAME",
    ),
]


@handled
def index(
    dataset: DatasetOption, as_json: JsonOption = False, warehouse: WarehouseOption = None
) -> None:
    """Make and land a vector of every chunk of a data set by the offline embedder.

    A text that was embedded before is not embedded again. Search by words needs no index: it
    is made in seconds when it is asked for.

    Example: podium rageval index --dataset library
    """
    paths = settings.warehouse_paths(warehouse)
    chunks = read_corpus(paths, dataset)
    embedder = OfflineEmbedder()
    with console.progress() as progress:
        told = partial(progress, "vectors")
        report = land_vectors(paths, dataset, chunks, embedder, settings.code_version(), told)
    show_landing(report, as_json=as_json)


@handled
def find(
    dataset: DatasetOption,
    run: RunOption = "run",
    variant: Annotated[
        list[str] | None,
        typer.Option("--variant", help=f"{', '.join(VARIANTS)}; repeatable. \\[default: TCTE]"),
    ] = None,
    embedder: EmbedderOption = AUTO,
    dense: Annotated[int, typer.Option("--dense", min=1)] = _DEPTHS.dense,
    bm25: Annotated[int, typer.Option("--bm25", min=1)] = _DEPTHS.bm25,
    fused: Annotated[int, typer.Option("--fused", min=1)] = _DEPTHS.fused,
    rrf_k: Annotated[
        int, typer.Option("--rrf-k", min=1, help="Constant of reciprocal rank fusion.")
    ] = _DEPTHS.rrf_k,
    today: Annotated[
        str | None, typer.Option("--today", help="Today's date for queries; never the clock.")
    ] = None,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Find chunks for all questions of a data set, and land every stage's hits.

    One system a variant: dense and BM25 hits, fused by reciprocal rank. Re-ranking and
    rewriting need a model and land as skipped.

    Example: podium rageval retrieve --dataset library --variant TCTE --variant page_only
    """
    variants = [variant_of(name) for name in dict.fromkeys(variant or ["TCTE"])]
    paths = settings.warehouse_paths(warehouse)
    chosen = _embedder(embedder)
    depths = Depths(dense, bm25, fused, min(_DEPTHS.reranked, fused), rrf_k)
    report = LandReport(dataset)
    for one in variants:
        request = RetrievalRequest(dataset, run, one, depths, today, settings.code_version())
        _add(report, retrieve(paths, request, chosen))
    show_landing(report, as_json=as_json)


@handled
def answer(
    dataset: DatasetOption,
    run: RunOption = "run",
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Answer all questions of a run with the sentence or table cell that shares most with them.

    Lands what was seen, the answer or refusal, and the page that it cites, for every system of
    the run.

    Example: podium rageval answer --dataset library
    """
    paths = settings.warehouse_paths(warehouse)
    show_landing(answer_run(paths, dataset, run, settings.code_version()), as_json=as_json)


def _embedder(name: str) -> Embedder | None:
    if name not in _EMBEDDERS:
        raise UsageError(f"there is no embedder `{name}`", expected=", ".join(_EMBEDDERS))
    if name == NONE or (name == AUTO and not is_offline_embedder_here()):
        return None
    return OfflineEmbedder()


def _add(report: LandReport, more: LandReport) -> None:
    report.landed_units += more.landed_units
    report.unchanged_units += more.unchanged_units
    for table, count in more.row_counts.items():
        report.row_counts[table] = report.row_counts.get(table, 0) + count
