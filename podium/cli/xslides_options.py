"""What the commands of podium xslides share: options, the judge they name, the tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Annotated

import typer

from expectations.verdict import Verdict
from ingest.endpoint.calls import CallContext
from ingest.judge.interface import Judge
from ingest.xslides.source_text import SourceReader
from ingest.xslides.stage import Progress, StageReport
from ingest.xslides.tree import ArtifactTree
from podium import console, settings
from podium.batching import fill_by_batches
from podium.cli.shared import finish
from podium.estimate_view import show as show_estimate
from podium.judging import JudgeChoice, opened_judge
from podium.pdf_parsing import chosen_parser
from podium.stage_copies import stages_on_copies
from podium.xslides_estimate import estimate
from podium.xslides_run import stage_line
from warehouse.contracts.xslides_values import REPEATS_MAX
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
    Path | None, typer.Option("--prices", help="Your price table. \\[env: PODIUM_PRICES]")
]

PdfParserOption = Annotated[
    str | None,
    typer.Option(
        "--pdf-parser",
        help="Of PDF sources: auto, mineru or pymupdf. \\[env: XSLIDESBENCH_PDF_PARSER]",
        metavar="NAME",
    ),
]


RepeatsOption = Annotated[
    int,
    typer.Option(
        "--repeats", min=1, max=REPEATS_MAX, help="Judgments per probe, to see how they repeat."
    ),
]
InputModeOption = Annotated[
    str,
    typer.Option(
        "--judge-input",
        help="auto, text or image. auto: pictures of decks without visible text.",
        metavar="MODE",
    ),
]
SeedOption = Annotated[
    int, typer.Option("--order-seed", help="Draws the order in which cases are worked on.")
]
EstimateOption = Annotated[
    bool, typer.Option("--estimate", help="Tell requests, tokens and cost, and ask nobody.")
]
BatchApiOption = Annotated[
    bool, typer.Option("--batch", help="Ask through the provider's batch API, and wait for it.")
]


def judge_choice(
    name: str,
    max_requests: int | None,
    budget_usd: str | None,
    prices: Path | None,
    is_batch: bool = False,
) -> JudgeChoice:
    """Return what the judge options of a command say."""
    try:
        budget = None if budget_usd is None else Decimal(budget_usd)
    except ArithmeticError:
        raise UsageError(
            "`--budget-usd` is no amount", expected="e.g. 2.50", got=str(budget_usd)
        ) from None
    return JudgeChoice(name, max_requests, budget, prices, is_batch)


@dataclass(frozen=True)
class StageCommand:
    """A command that runs one stage on a tree.

    Attributes:
        warehouse: what `--warehouse` said.
        tree: what it works on.
        run_name: run that it works on, None for stages before a run.
        choice: who judges.
        pdf_parser: what `--pdf-parser` said.
        as_json: whether the result is printed as JSON.
    """

    warehouse: Path | None
    tree: ArtifactTree
    run_name: str | None
    choice: JudgeChoice
    pdf_parser: str | None
    as_json: bool

    def run(
        self,
        work: Callable[[ArtifactTree, Judge, Progress | None, SourceReader], StageReport],
        *,
        is_estimate: bool,
    ) -> None:
        """Run the stage, or tell what it would ask; end with its exit code."""
        paths = settings.warehouse_paths(self.warehouse)
        parser = chosen_parser(paths, self.pdf_parser, may_ask=not is_estimate)
        stages = stages_on_copies(
            paths,
            self.tree.root,
            self.run_name,
            lambda copy, judge: work(copy, judge, None, parser.read),
            keeps_renderings=not is_estimate,
        )
        if is_estimate:
            show_estimate(estimate(paths, self.choice, stages), self.as_json)
            return
        dataset_id = settings.dataset_id_of(self.tree.root, None)
        run_id = None if self.run_name is None else f"{dataset_id}/{self.run_name}"
        context = CallContext("xslides", dataset_id, run_id)
        choice = fill_by_batches(paths, self.choice, stages, context, console.say)
        with (
            opened_judge(paths, choice, dataset_id, run_id) as judge,
            console.progress() as progress,
        ):
            report = work(self.tree, judge, progress, parser.read)
        finish_stage(parser.told(report), self.as_json)


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


def finish_stage(report: StageReport, as_json: bool) -> None:
    """Tell what a stage did and end the command with the exit code of its findings."""
    verdict = Verdict(report.stage, (), report.findings)
    if as_json:
        console.print_json(report.as_record())
    else:
        console.say(stage_line(report))
        if report.findings:
            console.print_verdict(verdict)
    finish(verdict.exit_code)
