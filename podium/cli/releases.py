"""podium publish, releases, vacuum: what stays, and what goes."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from podium import console, releasing, settings
from podium.cli.later import later
from podium.cli.shared import JsonOption, WarehouseOption, finish, handled
from warehouse import releases as store
from warehouse import states
from warehouse import vacuum as cleaner
from warehouse.errors import UsageError
from warehouse.findings import Outcome
from warehouse.locks import build_lock
from warehouse.paths import WarehousePaths
from warehouse.releases import Publication, Release

publish_app = typer.Typer(invoke_without_command=True)
later(
    publish_app,
    "searchgen",
    "publish_searchgen:publish",
    "Publish a release of searchgen: manifest, prompt scores, boards, all policies.",
)


@publish_app.callback()
@handled
def publish(
    context: typer.Context,
    keep: Annotated[
        int, typer.Option("--keep", min=1, help="Releases that stay, from the newest.")
    ] = store.DEFAULT_KEEP,
    allow_incomplete: Annotated[
        bool, typer.Option("--allow-incomplete", help="Publish on exit 4; the release says so.")
    ] = False,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Make a release of `current` when its gates are green, or publish one benchmark's files.

    Else the exit code is that of the verdict. Publishing the same state again does nothing.

    Example: podium publish --keep 20
    """
    if context.invoked_subcommand is not None:
        _refuse_options(context)
        return
    paths = settings.warehouse_paths(warehouse)
    outcome = releasing.publish(paths, console.say, keep=keep, allow_incomplete=allow_incomplete)
    done = outcome.publication
    if as_json:
        release = None if done is None else {**done.release.record, "is_new": done.is_new}
        retired = [] if done is None else list(done.retired)
        verdict = outcome.verdict.as_record()
        console.print_json({"release": release, "retired": retired, "verdict": verdict})
    elif done is None:
        console.print_verdict(outcome.verdict)
        console.say("not published: a release needs a verdict with exit code 0")
        if store.is_publishable(outcome.verdict.as_record(), allow_incomplete=True):
            console.say("  fix:      mend the findings, or podium publish --allow-incomplete")
    else:
        _tell(paths, done)
    finish(outcome.exit_code)


@handled
def list_releases(
    verify: Annotated[
        bool, typer.Option("--verify", help="Hash every file again; exit 1 when one differs.")
    ] = False,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """List the releases: when, verdict, rows, what `latest` names.

    Example: podium releases --verify
    """
    paths = settings.warehouse_paths(warehouse)
    found = store.read_all(paths)
    rows = [_row(paths, one) for one in found]
    damaged = {one.name: store.damaged_files(one) for one in found} if verify else {}
    if as_json:
        console.print_json([{**row, "damaged": damaged.get(row["release"])} for row in rows])
    else:
        _print_list(paths, rows)
    for name, files in damaged.items():
        if files:
            console.say(f"damaged   {name}: {', '.join(files)}")
    finish(Outcome.FAILED.exit_code if any(damaged.values()) else 0)


@handled
def vacuum(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell only, remove nothing.")] = False,
    grace_minutes: Annotated[
        float, typer.Option("--grace-minutes", min=0, help="Age below which landed files stay.")
    ] = cleaner.DEFAULT_GRACE_MINUTES,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Remove landed files, leftovers and states that nothing names.

    Those that `current` or a release name stay, and so do the last three states.

    Example: podium vacuum --dry-run
    """
    paths = settings.warehouse_paths(warehouse)
    with build_lock(paths):
        removals = cleaner.vacuum(
            paths, now=time.time(), grace_seconds=60 * grace_minutes, is_dry_run=dry_run
        )
    total = sum(one.bytes for one in removals)
    if as_json:
        console.print_json(
            {"is_dry_run": dry_run, "bytes": total, "removals": [vars(one) for one in removals]}
        )
        return
    if removals:
        rows = [(one.kind, one.path, one.bytes) for one in removals]
        console.print_rows(("kind", "path", "bytes"), rows)
    verb = "would free" if dry_run else "freed"
    console.say(f"vacuum: {len(removals)} files or folders, {verb} {total:,} bytes")


def _refuse_options(context: typer.Context) -> None:
    """Refuse options before a subcommand, which would be read by nobody.

    Raises:
        UsageError: when there are any.
    """
    given = [
        name
        for name in context.params
        if (source := context.get_parameter_source(name)) and source.name == "COMMANDLINE"
    ]
    if given:
        noun = context.invoked_subcommand
        raise UsageError(
            f"--{given[0].removeprefix('as_').replace('_', '-')} stands before `{noun}`",
            fix=f"give options after it: podium publish {noun} ...",
        )


def _tell(paths: WarehousePaths, done: Publication) -> None:
    name = done.release.name
    if done.is_new:
        console.say(f"published {name}")
    elif done.is_moved:
        console.say(f"{name} was published before; `latest` names it again")
    else:
        console.say(f"publish: nothing to do, {name} is the latest release")
    if done.release.record["is_incomplete"]:
        console.say("incomplete: the release holds the findings that it was published with")
    for one in done.retired:
        console.say(f"retired   {one}")
    console.say(f"folder    {paths.latest}")
    console.say("next      podium releases")


def _print_list(paths: WarehousePaths, rows: list[dict[str, Any]]) -> None:
    shown = ("release", "published_at", "verdict", "mart_count", "row_count", "summary_count")
    console.print_rows(
        (*shown, "named"), [(*(row[name] for name in shown), _named(row)) for row in rows]
    )
    current = states.current(paths)
    if current is not None and current.folder.name not in {row["release"] for row in rows}:
        console.say(f"current   {current.folder.name} is no release; podium publish makes one")


def _row(paths: WarehousePaths, release: Release) -> dict[str, Any]:
    record = release.record
    marts = record["marts"]
    return {
        "release": release.name,
        "release_id": record["release_id"],
        "published_at": record["published_at"],
        "verdict": record["verdict"]["outcome"],
        "is_incomplete": record["is_incomplete"],
        "landing_state_id": record["landing_state_id"],
        "code_version": record["code_version"],
        "mart_count": len(marts),
        "row_count": sum(content["rows"] for content in marts.values()),
        "summary_count": marts.get("rpt_metric_summaries", {}).get("rows"),
        "marts": {name: content["rows"] for name, content in marts.items()},
        "is_latest": paths.latest.resolve().name == release.name,
        "is_current": paths.current.resolve().name == release.name,
    }


def _named(row: dict[str, Any]) -> str:
    return ", ".join(name for name in ("latest", "current") if row[f"is_{name}"])
