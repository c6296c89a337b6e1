"""podium cache: replies of judges behind an endpoint, kept so that nothing is asked twice."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

import typer

from ingest.endpoint.cache import ReplyCache, cache_folder
from ingest.endpoint.prune import Selection
from ingest.endpoint.prune import prune as remove_entries
from podium import console, settings
from podium.cli.shared import JsonOption, WarehouseOption, finish, handled
from warehouse import jsonl, storage
from warehouse.findings import Outcome

app = typer.Typer(help="Look at the replies that judges gave.", no_args_is_help=True)

ModelOption = Annotated[
    str | None, typer.Option("--model", help="Model asked or served.", metavar="NAME")
]
RoleOption = Annotated[
    str | None, typer.Option("--role", help="Role that asked, e.g. claim_judge.", metavar="NAME")
]
OlderOption = Annotated[
    float | None, typer.Option("--older-than", min=0, help="Age in days.", metavar="DAYS")
]
_SHOWN = ("role", "model_asked", "model_served", "prompt_id", "sample_index", "created_at")


@app.callback()
def cache() -> None:
    """Look at the replies that judges gave."""


@app.command("list")
@handled
def list_entries(
    model: ModelOption = None,
    role: RoleOption = None,
    older_than: OlderOption = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Most entries to print.")] = 50,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """List kept replies, oldest first. Exit code 5 when there are none.

    Example: podium cache list --role claim_judge --older-than 30
    """
    found = _selected(_opened(warehouse), Selection(_days(older_than), model, role))
    shown = found[:limit]
    if as_json:
        console.print_json([{"key": key, **_without_text(entry)} for key, entry in shown])
    else:
        rows = [(key[:12], *(entry[name] for name in _SHOWN)) for key, entry in shown]
        if rows:
            console.print_rows(("key", *_SHOWN), rows)
        console.say(f"cache: {len(found)} replies, {len(shown)} shown")
    finish(_found_or_nothing(len(found)))


@app.command("stats")
@handled
def stats(as_json: JsonOption = False, warehouse: WarehouseOption = None) -> None:
    """Sum up kept replies by role and model. Exit code 5 when there are none.

    Example: podium cache stats
    """
    kept = _opened(warehouse)
    groups: dict[tuple[str, str], Counter[str]] = {}
    costs: dict[tuple[str, str], Decimal] = {}
    for _, entry in kept.entries():
        group = (entry["role"], entry["model_asked"])
        sums = groups.setdefault(group, Counter())
        sums["replies"] += 1
        sums["input_tokens"] += entry["input_token_count"] or 0
        sums["output_tokens"] += entry["output_token_count"] or 0
        sums["without_cost"] += entry["cost_usd"] is None
        costs[group] = costs.get(group, Decimal(0)) + Decimal(entry["cost_usd"] or 0)
    columns = ("replies", "input_tokens", "output_tokens", "without_cost")
    records = [
        {"role": role, "model": model, **{name: sums[name] for name in columns}}
        | {"cost_usd": float(costs[role, model])}
        for (role, model), sums in sorted(groups.items())
    ]
    if as_json:
        console.print_json({"folder": str(kept.folder), "replies": len(kept), "groups": records})
    else:
        if records:
            console.print_rows(tuple(records[0]), [tuple(one.values()) for one in records])
        console.say(f"cache: {len(kept)} replies in {kept.folder}")
    finish(_found_or_nothing(len(kept)))


@app.command("verify")
@handled
def verify(as_json: JsonOption = False, warehouse: WarehouseOption = None) -> None:
    """Hash every reply again and name the lines that cannot be used.

    Exit code 1 when a line was altered, 4 when one was torn by a kill (its request is asked
    again), 5 when there is no reply.

    Example: podium cache verify
    """
    kept = _opened(warehouse)
    usable = sum(1 for _ in kept.entries())
    damages = [
        {"segment": one.segment, "line": one.line, "reason": one.reason} for one in kept.damages
    ]
    if as_json:
        console.print_json(
            {"replies": usable, "duplicates": kept.duplicate_count, "damages": damages}
        )
    else:
        for one in damages:
            console.say(f"{one['reason']}   {kept.folder / str(one['segment'])}:{one['line']}")
        if damages:
            console.say("  fix:      podium cache prune sets these lines aside and keeps the rest")
        console.say(f"cache: {usable} replies are whole, {len(damages)} lines are not")
    reasons = {one["reason"] for one in damages}
    if "damaged_line" in reasons:
        finish(Outcome.FAILED.exit_code)
    finish(Outcome.INCOMPLETE.exit_code if reasons else _found_or_nothing(usable))


@app.command("prune")
@handled
def prune(
    model: ModelOption = None,
    role: RoleOption = None,
    older_than: OlderOption = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Remove every reply; else a filter is needed.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell only, remove nothing.")] = False,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Remove the replies that all filters take, and join the files of the rest.

    Without a filter nothing is removed: files are joined, torn lines set aside. Files that a
    running command writes to are left alone. Exit code 5 when no reply has this model or role.

    Example: podium cache prune --model old-judge --older-than 90 --dry-run
    """
    kept = _opened(warehouse)
    selection = Selection(_days(older_than), model, role)
    is_selective = everything or selection != Selection()
    if model is not None or role is not None:
        named = _selected(kept, Selection(None, model, role))
        if not named:
            console.say("cache: no reply has this model or role; podium cache stats lists them")
            finish(Outcome.NOTHING_SELECTED.exit_code)
    chosen = selection if is_selective else None
    done = remove_entries(kept, chosen, datetime.now(UTC), is_dry_run=dry_run)
    if as_json:
        console.print_json({"is_dry_run": dry_run, **vars(done), "folder": str(kept.folder)})
        return
    for name in done.in_use:
        console.say(f"in use    {name}")
    verb = "would remove" if dry_run else "removed"
    console.say(
        f"cache: {verb} {len(done.removed)} replies, {done.kept_count} stay, "
        f"{done.set_aside} damaged lines set aside"
    )


@app.command("export")
@handled
def export(
    file: Annotated[Path, typer.Argument(help="JSON Lines file to write.", metavar="FILE")],
    model: ModelOption = None,
    role: RoleOption = None,
    older_than: OlderOption = None,
    as_json: JsonOption = False,
    warehouse: WarehouseOption = None,
) -> None:
    """Write kept replies, texts included, one a line. Exit code 5 when there are none.

    Example: podium cache export replies.jsonl --role answerability_judge
    """
    kept = _opened(warehouse)
    found = _selected(kept, Selection(_days(older_than), model, role))
    if found:
        jsonl.write_jsonl(file, ({"key": key, **entry} for key, entry in found))
    if as_json:
        sha256 = storage.sha256_file(file) if found else None
        console.print_json({"file": str(file), "replies": len(found), "sha256": sha256})
    else:
        console.say(f"cache: {len(found)} replies written to {file}" if found else "cache: none")
    finish(_found_or_nothing(len(found)))


def _opened(warehouse: Path | None) -> ReplyCache:
    return ReplyCache(cache_folder(settings.warehouse_paths(warehouse)))


def _selected(kept: ReplyCache, selection: Selection) -> list[tuple[str, dict[str, Any]]]:
    now = datetime.now(UTC)
    return [(key, entry) for key, entry in kept.entries() if selection.takes(entry, now)]


def _days(days: float | None) -> timedelta | None:
    return None if days is None else timedelta(days=days)


def _without_text(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name != "text"}


def _found_or_nothing(count: int) -> int:
    return 0 if count else Outcome.NOTHING_SELECTED.exit_code
