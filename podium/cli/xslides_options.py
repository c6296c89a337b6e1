"""What the commands of podium xslides share: options, the judge they name, the tree."""

from __future__ import annotations

from contextlib import AbstractContextManager
from decimal import Decimal
from pathlib import Path
from typing import Annotated

import typer

from ingest.judge.interface import Judge
from ingest.xslides.tree import ArtifactTree
from podium import settings
from podium.judging import JudgeChoice, opened_judge
from warehouse.errors import InputError, UsageError

InputArgument = Annotated[
    Path, typer.Argument(metavar="DIR", help="Documents, case folders, or an artifact tree.")
]
TreeArgument = Annotated[Path, typer.Argument(metavar="TREE", help="Artifact tree.")]
RunOption = Annotated[str, typer.Option("--run", help="Name of the run.")]
AudiencesOption = Annotated[
    Path | None, typer.Option("--audiences", help="Your audiences CSV instead of the registry.")
]
SelectOption = Annotated[
    list[str] | None,
    typer.Option("--select", help="case:..., scene:..., category:... or topic:...; repeatable."),
]
ForceOption = Annotated[bool, typer.Option("--force", help="Redo finished work.")]
PassesOption = Annotated[int, typer.Option("--k", min=1, help="Generation passes per source.")]
WeightsOption = Annotated[int, typer.Option("--weight-k", min=1, help="Judgments per weight.")]
BatchOption = Annotated[int, typer.Option("--batch-size", min=1, help="Probes per request.")]
ChunkOption = Annotated[int, typer.Option("--chunk-chars", min=0, help="0: the whole source.")]
OverlapOption = Annotated[int, typer.Option("--chunk-overlap", min=0)]
CharsOption = Annotated[int, typer.Option("--source-chars", min=1, help="Characters kept.")]
VariantOption = Annotated[
    str | None, typer.Option("--variant", help="Keep this bank beside others: CASE@VARIANT.")
]

JudgeOption = Annotated[
    str, typer.Option("--judge", help="auto, offline, endpoint or replay.", metavar="NAME")
]
RequestsOption = Annotated[
    int | None, typer.Option("--max-requests", min=0, help="Most requests to an endpoint.")
]
BudgetOption = Annotated[
    str | None, typer.Option("--budget-usd", help="Most dollars to spend.", metavar="USD")
]
PricesOption = Annotated[
    Path | None, typer.Option("--prices", help="Your price table. [env: PODIUM_PRICES]")
]


def judge_choice(
    name: str, max_requests: int | None, budget_usd: str | None, prices: Path | None
) -> JudgeChoice:
    """Return what the judge options of a command say."""
    try:
        budget = None if budget_usd is None else Decimal(budget_usd)
    except ArithmeticError:
        raise UsageError(
            "`--budget-usd` is no amount", expected="e.g. 2.50", got=str(budget_usd)
        ) from None
    return JudgeChoice(name, max_requests, budget, prices)


def judge_of(
    warehouse: Path | None, choice: JudgeChoice, tree: Path, run_name: str | None = None
) -> AbstractContextManager[Judge]:
    """Open the judge for the stages of one tree."""
    dataset_id = settings.dataset_id_of(tree, None)
    run_id = None if run_name is None else f"{dataset_id}/{run_name}"
    return opened_judge(settings.warehouse_paths(warehouse), choice, dataset_id, run_id)


def opened_tree(root: Path) -> ArtifactTree:
    """Return the artifact tree in a folder.

    Raises:
        InputError: when the folder is none.
    """
    if not (root / "sources").is_dir() and not (root / "probes").is_dir():
        raise InputError(
            f"`{root}` is no artifact tree",
            expected="a folder that holds sources/ or probes/",
            fix=f"make one with: podium xslides sources {root}",
        )
    return ArtifactTree(root)
