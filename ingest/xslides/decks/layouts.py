"""Layouts that decks are imported from, and how one is told from another."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from ingest.xslides.decks import experiments as deck_experiments
from ingest.xslides.decks import workspaces as deck_workspaces
from ingest.xslides.decks.candidates import Candidate
from ingest.xslides.user_files import UserFiles
from warehouse.errors import UsageError


class Layout(StrEnum):
    """How a folder of decks is laid out.

    `auto` recognises the tools' own folders and else takes `tree`:
    `<system>[/<condition>[/<audience>]]/<case>.*`. `notebooklm` is the same without the system:
    its exports carry nothing that tells them.
    """

    AUTO = "auto"
    TREE = "tree"
    NOTEBOOKLM = "notebooklm"
    DEEPPRESENTER = "deeppresenter"
    PPTAGENT = "pptagent"
    SLIDETAILOR = "slidetailor"


def resolve_layout(layout: Layout, root: Path, listed: UserFiles) -> Layout:
    """Return the layout that a folder has when `auto` is asked for, else the one asked for.

    Raises:
        UsageError: when the folders of several tools lie there.
    """
    if layout is not Layout.AUTO:
        return layout
    signs = {
        Layout.DEEPPRESENTER: bool(deck_workspaces.session_folders(listed)),
        Layout.SLIDETAILOR: bool(deck_experiments.run_folders(root)),
        Layout.PPTAGENT: bool(deck_experiments.find_experiments(root, listed.files)),
    }
    found = [one for one, is_there in signs.items() if is_there]
    if len(found) > 1:
        raise UsageError(
            f"`{root}` holds the folders of several tools: {', '.join(found)}",
            fix="name one with --layout, or import the folders one by one",
        )
    return found[0] if found else Layout.TREE


def find_candidates(
    layout: Layout, root: Path, listed: UserFiles
) -> tuple[list[Candidate], list[str]]:
    """Return what may be decks, and notes about files that are left out on purpose."""
    if layout is Layout.DEEPPRESENTER:
        return deck_workspaces.find_sessions(root, listed)
    if layout is Layout.SLIDETAILOR:
        return deck_experiments.find_runs(root, listed)
    if layout is Layout.PPTAGENT:
        return deck_experiments.find_experiments(root, listed.files), []
    system = layout.value if layout is Layout.NOTEBOOKLM else None
    return [_by_folders(layout, root, path, system) for path in listed.files], []


def with_mapped_files(
    candidates: Sequence[Candidate], mapped: Sequence[str], root: Path, listed: UserFiles
) -> list[Candidate]:
    """Return the candidates and the files that a mapping names beside them."""
    known = {one.path for one in candidates} | {root / one.unit for one in candidates}
    wanted = {root / name for name in mapped} - known
    more = [path for path in listed.files if path in wanted]
    names = [path.relative_to(root).as_posix() for path in more]
    return [
        *candidates,
        *(Candidate(path, name, "mapping") for path, name in zip(more, names, strict=True)),
    ]


def _by_folders(layout: Layout, root: Path, path: Path, system: str | None) -> Candidate:
    relative = path.relative_to(root)
    return Candidate(
        path,
        relative.as_posix(),
        layout.value,
        folders=relative.parts[:-1],
        names=(path.stem,),
        system=system,
    )
