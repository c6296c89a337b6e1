"""Vacuum: removes what no manifest, link or release names any more.

Landers may be at work: a file is landed before the manifest that names it, so a landed file
goes only after a grace period. Builders and publishers are kept out by the build lock, so what
they left half-done goes at once.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from warehouse import manifests, releases, storage
from warehouse.contracts import ALL
from warehouse.errors import InputError
from warehouse.paths import WarehousePaths

KEPT_STATES = 3
DEFAULT_GRACE_MINUTES = 60.0


@dataclass(frozen=True)
class Removal:
    """One file or folder that goes.

    Attributes:
        kind: landed_file, temporary or state.
        path: relative to the warehouse root.
        bytes: what its removal frees; a file that a release names too frees nothing.
    """

    kind: str
    path: str
    bytes: int


def vacuum(
    paths: WarehousePaths,
    *,
    now: float,
    grace_seconds: float = 60 * DEFAULT_GRACE_MINUTES,
    kept_states: int = KEPT_STATES,
    is_dry_run: bool = False,
) -> tuple[Removal, ...]:
    """Remove what nothing names. The caller holds the build lock.

    Args:
        paths: the warehouse.
        now: seconds since the epoch.
        grace_seconds: age below which a file of a lander stays, 0 or more.
        kept_states: states that stay although nothing names them, from the newest.
        is_dry_run: tell only.

    Returns:
        What went, or would go, sorted by kind and path.

    Raises:
        InputError: when the root is no warehouse or a manifest cannot be read; then nothing
            is removed.
    """
    if not (paths.landing.is_dir() or paths.published.is_dir()):
        raise InputError(f"`{paths.root}` holds no warehouse", fix="give --warehouse DIR")
    limit = now - grace_seconds
    doomed = sorted(
        [
            *(("landed_file", one) for one in _landed(paths, limit)),
            *(("temporary", one) for one in _temporary(paths, limit)),
            *(("state", one) for one in _states(paths, kept_states)),
        ]
    )
    removals = []
    for kind, path in doomed:
        removals.append(Removal(kind, path.relative_to(paths.root).as_posix(), _freed(path)))
        if not is_dry_run:
            _remove(path, paths)
    return tuple(removals)


def _landed(paths: WarehousePaths, limit: float) -> Iterator[Path]:
    """Yield landed files that no manifest names and that are older than the limit."""
    named = {one.file for manifest in manifests.read_all(paths) for one in manifest.files}
    for table in ALL:
        for path in (paths.landing / table).glob("*.parquet"):
            is_temporary = path.name.startswith(storage.TEMPORARY_PREFIX)
            is_named = path.relative_to(paths.landing).as_posix() in named
            if not is_temporary and not is_named and _is_older(path, limit):
                yield path


def _temporary(paths: WarehousePaths, limit: float) -> Iterator[Path]:
    """Yield what killed jobs left under a temporary name."""
    pattern = f"{storage.TEMPORARY_PREFIX}*"
    for folder in (paths.landing, paths.trees):
        yield from (one for one in folder.rglob(pattern) if _is_older(one, limit))
    # Gates run without the lock, on files of their own.
    yield from (one for one in paths.build.glob("gate-*.duckdb*") if _is_older(one, limit))
    for folder in (paths.published, paths.states, paths.releases):
        yield from folder.glob(pattern)


def _states(paths: WarehousePaths, kept: int) -> Iterator[Path]:
    """Yield states that neither `current` nor a release names, but for the newest."""
    found = sorted(
        (one for one in paths.states.glob("release_*") if one.is_dir()),
        key=lambda one: (releases.promoted_at(one), one.name),
    )
    named = {paths.current.resolve().name, *(one.name for one in releases.read_all(paths))}
    newest = found[len(found) - kept :] if kept else []
    yield from (one for one in found if one.name not in named and one not in newest)


def _is_older(path: Path, limit: float) -> bool:
    try:
        return path.lstat().st_mtime <= limit
    except FileNotFoundError:
        # Its owner has just finished with it.
        return False


def _freed(path: Path) -> int:
    files = [path] if path.is_symlink() or not path.is_dir() else path.rglob("*")
    stats = [one.lstat() for one in files if one.is_symlink() or one.is_file()]
    return sum(one.st_size for one in stats if one.st_nlink == 1)


def _remove(path: Path, paths: WarehousePaths) -> None:
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
        return
    doomed = path
    if path.parent == paths.states and not path.name.startswith(storage.TEMPORARY_PREFIX):
        # Renamed first, so that no reader finds half a state under its name.
        doomed = path.rename(paths.states / f"{storage.TEMPORARY_PREFIX}{path.name}")
    shutil.rmtree(doomed)
