"""podium xslides decks: run sheets, generation and import of the decks of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ingest.xslides.decks.commands import DEFAULT_TIMEOUT_SECONDS, parse_command
from ingest.xslides.decks.experiments import SLIDETAILOR
from ingest.xslides.decks.importing import ImportOptions, import_decks
from ingest.xslides.decks.layouts import Layout
from ingest.xslides.decks.runner import RunnerOptions, run_decks, run_tasks
from ingest.xslides.decks.selection import RowFilter, names
from ingest.xslides.decks.sheet import SheetRequest, make_run_sheet
from ingest.xslides.decks.slidetailor import SlideTailorRequest, prepare_slidetailor
from ingest.xslides.decks.slidetailor_sheet import FINISHED_DECK, read_tasks
from ingest.xslides.stage import Settings
from ingest.xslides.tree import AGNOSTIC, CONDITIONED
from podium import console, settings
from podium.cli.shared import JsonOption, handled
from podium.cli.xslides_decks_options import (
    AdaptersOption,
    AudienceFilter,
    CaseFilter,
    CommandOption,
    ConditionsOption,
    DevicesOption,
    JobsOption,
    ShardOption,
    ShardsOption,
    SystemsOption,
    TimeoutOption,
    adapters_of,
    checked_conditions,
    device_of,
    profiles_of,
    workshop,
)
from podium.cli.xslides_options import (
    AudiencesOption,
    ForceOption,
    RunOption,
    SelectOption,
    TreeArgument,
    finish_stage,
    opened_tree,
)
from warehouse.errors import UsageError

decks_app = typer.Typer(help="Decks of a run: make or import them.", no_args_is_help=True)


@decks_app.command("sheet")
@handled
def decks_sheet(
    tree: TreeArgument,
    system: SystemsOption = None,
    run_name: RunOption = "run",
    condition: ConditionsOption = None,
    select: SelectOption = None,
    audiences: AudiencesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make or extend the run sheet: one row a deck to make, each with its prompt.

    Example: podium xslides decks sheet TREE --run pilot --system ours
    """
    opened = opened_tree(tree)
    if not system:
        raise UsageError("no system is named", fix="give --system ID")
    request = SheetRequest(tuple(system), checked_conditions(condition), tuple(select or ()))
    with console.progress() as progress:
        report = make_run_sheet(opened, run_name, request, profiles_of(opened, audiences), progress)
    finish_stage(report, as_json)


@decks_app.command("run")
@handled
def decks_run(
    tree: TreeArgument,
    run_name: RunOption = "run",
    system: SystemsOption = None,
    command: CommandOption = None,
    adapters: AdaptersOption = None,
    condition: ConditionsOption = None,
    audience: AudienceFilter = None,
    case: CaseFilter = None,
    num_shards: ShardsOption = 1,
    shard_index: ShardOption = 0,
    devices: DevicesOption = None,
    jobs: JobsOption = 1,
    timeout: TimeoutOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Run the command of each system for every row of the run sheet that has no deck yet.

    The command gets the project's .env in its environment. Complete rows are skipped.

    Exit codes: 0 pass, 2 usage error, 4 rows failed, 5 nothing selected.

    Example: podium xslides decks run TREE --run pilot --system ours --command
    'make-deck --from {source} --prompt {prompt} --to {output}'
    """
    rows = RowFilter(
        names(system), names(condition), names(audience), names(case), num_shards, shard_index
    )
    chosen = adapters_of(system, command, adapters, timeout)
    options = RunnerOptions(
        workshop(opened_tree(tree), run_name, force), rows, jobs, device_of(devices, shard_index)
    )
    with console.progress() as progress:
        report = run_decks(opened_tree(tree), run_name, chosen, options, progress)
    finish_stage(report, as_json)


@decks_app.command("import")
@handled
def decks_import(
    tree: TreeArgument,
    decks: Annotated[Path, typer.Option("--decks", help="Folder of decks.")],
    run_name: RunOption = "run",
    layout: Annotated[
        Layout, typer.Option("--layout", help="How the folder is laid out.")
    ] = Layout.AUTO,
    system: Annotated[
        str | None, typer.Option("--system", help="System of all decks in the folder.")
    ] = None,
    mapping: Annotated[
        Path | None,
        typer.Option("--mapping", help="CSV: path,system_id,condition,audience,case_label"),
    ] = None,
    audience: Annotated[
        str | None,
        typer.Option("--audience", help="The decks are conditioned on this audience."),
    ] = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Bring decks that were made elsewhere into a run; what matches no case is listed (exit 4).

    Example: podium xslides decks import TREE --run pilot --decks exported/ --layout notebooklm
    """
    knobs = Settings(code_version=settings.code_version(), force=force)
    place = (AGNOSTIC, AGNOSTIC) if audience is None else (CONDITIONED, audience)
    with console.progress() as progress:
        report = import_decks(
            opened_tree(tree),
            decks,
            run_name,
            system,
            knobs,
            progress,
            ImportOptions(layout, mapping, place),
        )
    finish_stage(report, as_json)


@decks_app.command("prepare-slidetailor")
@handled
def decks_prepare_slidetailor(
    tree: TreeArgument,
    out: Annotated[Path, typer.Option("--out", help="Folder to make or extend.")],
    templates: Annotated[Path, typer.Option("--templates", help="Folder of PPTX templates.")],
    sample_pairs: Annotated[
        Path | None,
        typer.Option("--sample-pairs", help="Folder with paper/NAME.pdf and ppt/NAME.pdf."),
    ] = None,
    run_name: RunOption = "run",
    system: Annotated[str, typer.Option("--system", help="System id of the rows.")] = SLIDETAILOR,
    condition: ConditionsOption = None,
    select: SelectOption = None,
    audiences: AudiencesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Prepare SlideTailor's dataset, configurations and preferences; PDF sources only.

    Example: podium xslides decks prepare-slidetailor TREE --run pilot --out st/ --templates t/
    """
    opened = opened_tree(tree)
    conditions = checked_conditions(condition)
    request = SlideTailorRequest(
        out, templates, sample_pairs, system, conditions, tuple(select or ())
    )
    profiles = profiles_of(opened, audiences)
    with console.progress() as progress:
        report = prepare_slidetailor(opened, run_name, request, profiles, progress)
    finish_stage(report, as_json)


@decks_app.command("run-slidetailor")
@handled
def decks_run_slidetailor(
    tree: TreeArgument,
    dataset: Annotated[
        Path, typer.Option("--dataset", help="Folder that prepare-slidetailor made.")
    ],
    command: Annotated[
        str,
        typer.Option("--command", help="Command with {config}, {dataset_dir}, {work_dir}, ..."),
    ],
    run_name: RunOption = "run",
    folder: Annotated[
        Path | None, typer.Option("--cwd", help="Where the command starts, e.g. its checkout.")
    ] = None,
    condition: ConditionsOption = None,
    audience: AudienceFilter = None,
    case: CaseFilter = None,
    num_shards: ShardsOption = 1,
    shard_index: ShardOption = 0,
    devices: DevicesOption = None,
    jobs: JobsOption = 1,
    timeout: TimeoutOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Run SlideTailor for every prepared row without a deck, each in a work folder of its own.

    The deck is the one `final.pptx` below {work_dir}. Exit codes: as `run`.

    Example: podium xslides decks run-slidetailor TREE --run pilot --dataset st/ --cwd SlideTailor
    --command 'python run_pptgen_refine_config.py --config_file {config}
    --dataset_dir {dataset_dir} --output_dir {work_dir}/runs'
    """
    opened = opened_tree(tree)
    tasks = read_tasks(opened, run_name, dataset)
    rows = RowFilter(
        frozenset(), names(condition), names(audience), names(case), num_shards, shard_index
    )
    adapter = parse_command(
        command,
        deck=FINISHED_DECK,
        folder=None if folder is None else folder.resolve(),
        timeout=DEFAULT_TIMEOUT_SECONDS if timeout is None else timeout,
    )
    options = RunnerOptions(
        workshop(opened, run_name, force), rows, jobs, device_of(devices, shard_index)
    )
    adapters = {task.row.key.system_id: adapter for task in tasks}
    with console.progress() as progress:
        report = run_tasks(opened, run_name, tasks, adapters, options, progress)
    finish_stage(report, as_json)
