"""What the commands of podium xslides decks share: options, and what they say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from ingest.judge.exchange import AudienceProfile
from ingest.xslides.audiences import read_audiences
from ingest.xslides.decks.commands import Adapter, parse_command, read_adapters
from ingest.xslides.decks.rows import Workshop
from ingest.xslides.tree import CONDITIONS, ArtifactTree, check_name
from podium import settings
from warehouse.errors import UsageError

SystemsOption = Annotated[
    list[str] | None, typer.Option("--system", help="System id; repeatable.", metavar="ID")
]
ConditionsOption = Annotated[
    list[str] | None, typer.Option("--condition", help="agnostic or conditioned; both by default.")
]
AudienceFilter = Annotated[
    list[str] | None, typer.Option("--audience", help="Rows of this audience; repeatable.")
]
CaseFilter = Annotated[
    list[str] | None, typer.Option("--case", help="Rows of this case label; repeatable.")
]
CommandOption = Annotated[
    str | None,
    typer.Option("--command", help="Command with {source}, {prompt}, {output}, ...; no shell."),
]
AdaptersOption = Annotated[
    Path | None, typer.Option("--adapters", help="TOML file with a command for each system.")
]
TimeoutOption = Annotated[
    float | None, typer.Option("--timeout", help="Seconds for one deck; 3600 by default.")
]
JobsOption = Annotated[int, typer.Option("--jobs", help="Commands at a time.")]
ShardsOption = Annotated[int, typer.Option("--num-shards", help="Parts that cases split into.")]
ShardOption = Annotated[int, typer.Option("--shard-index", help="Which part, from 0.")]
DevicesOption = Annotated[
    str | None,
    typer.Option("--devices", help="Values of {device}, by shard: cuda:0,cuda:1", metavar="LIST"),
]


def checked_conditions(stated: list[str] | None) -> tuple[str, ...]:
    """Return the conditions of an option, both when it was not given."""
    unknown = sorted(set(stated or ()).difference(CONDITIONS))
    if unknown:
        raise UsageError(f"`{unknown[0]}` is no condition", expected=", ".join(CONDITIONS))
    return tuple(name for name in CONDITIONS if not stated or name in stated)


def profiles_of(tree: ArtifactTree, stated: Path | None) -> tuple[AudienceProfile, ...]:
    """Return the audiences of a tree: the file that was given, its own, or the registry."""
    own = tree.audiences_csv if tree.audiences_csv.is_file() else None
    return read_audiences(stated or own)


def adapters_of(
    systems: list[str] | None, command: str | None, file: Path | None, timeout: float | None
) -> dict[str, Adapter]:
    """Return the command of each system out of `--command` or `--adapters`."""
    if (command is None) == (file is None):
        raise UsageError(
            "it is not clear which command makes the decks", expected="--command or --adapters"
        )
    if command is not None:
        if not systems or len(systems) != 1:
            raise UsageError("--command is for one system", fix="give --system ID once")
        chosen = {check_name("system id", systems[0]): parse_command(command)}
    else:
        assert file is not None
        known = read_adapters(file)
        missing = sorted(set(systems or ()) - set(known))
        if missing:
            raise UsageError(
                f"`{file}` has no system `{missing[0]}`", expected=", ".join(sorted(known))
            )
        chosen = {name: known[name] for name in systems or known}
    if timeout is None:
        return chosen
    return {name: replace(adapter, timeout=timeout) for name, adapter in chosen.items()}


def workshop(tree: ArtifactTree, run_name: str, force: bool) -> Workshop:
    """Return what all rows of a batch share; variables of the shell win over `.env`."""
    layers = settings.read_layers()
    return Workshop(tree, run_name, {**layers.dotenv, **layers.environment}, force=force)


def device_of(devices: str | None, shard_index: int) -> str | None:
    """Return the device of a shard: the devices in turn."""
    listed = [one.strip() for one in (devices or "").split(",") if one.strip()]
    return listed[shard_index % len(listed)] if listed else None
