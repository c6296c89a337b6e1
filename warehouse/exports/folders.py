"""Published folders: made whole beside the target, then put in its place in one step."""

from __future__ import annotations

import ctypes
import os
import shutil
import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path

from warehouse import storage
from warehouse.errors import InputError

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


def replace(folder: Path, content: Mapping[str, bytes], *, owned: Collection[str]) -> bool:
    """Make a folder hold exactly these files; a reader finds all old or all new ones.

    Args:
        folder: made when absent, with its parents.
        content: bytes by plain file name.
        owned: names that an earlier call may have left there.

    Returns:
        Whether anything had to change.

    Raises:
        InputError: when the folder holds anything else, or is none.
    """
    folder = folder.absolute()
    check_owned(folder, owned)
    if _holds(folder, content):
        return False
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=storage.TEMPORARY_PREFIX, dir=folder.parent))
    try:
        fresh = scratch / "fresh"
        fresh.mkdir()
        for name, one in content.items():
            (fresh / name).write_bytes(one)
            storage.sync_file(fresh / name)
        storage.sync_folder(fresh)
        _swap(fresh, folder, scratch / "old")
        storage.sync_folder(folder.parent)
    finally:
        shutil.rmtree(scratch)
    return True


def check_owned(folder: Path, owned: Collection[str]) -> None:
    """Refuse a target that holds what this project did not write there.

    Raises:
        InputError: when it is a link, no folder, or holds other files or folders.
    """
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise InputError(f"`{folder}` is no folder", expected="a folder, or nothing there yet")
    if not folder.exists():
        return
    foreign = sorted(
        one.name
        for one in os.scandir(folder)
        if one.name not in owned or not one.is_file(follow_symlinks=False)
    )
    if foreign:
        raise InputError(
            f"`{folder}` holds other files",
            expected=f"an empty folder, or one that holds only {', '.join(owned)}",
            got=", ".join(map(repr, foreign[:5])),
            fix="choose another folder, or clear this one",
        )


def _holds(folder: Path, content: Mapping[str, bytes]) -> bool:
    if not folder.is_dir() or {one.name for one in os.scandir(folder)} != set(content):
        return False
    return all((folder / name).read_bytes() == one for name, one in content.items())


def _swap(fresh: Path, folder: Path, old: Path) -> None:
    """Put `fresh` in the place of `folder`: one exchange, or two renames where none exists."""
    if not folder.exists():
        fresh.rename(folder)
        return
    if _exchange(fresh, folder):
        return
    folder.rename(old)
    try:
        fresh.rename(folder)
    except OSError:
        old.rename(folder)
        raise


def _exchange(first: Path, second: Path) -> bool:
    """Exchange two folders in one step; return False where the system cannot."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    names = os.fsencode(first), os.fsencode(second)
    return bool(rename(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE) == 0)
