"""Files out of folders that a user points at: bounded, sorted, never outside the folder."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from warehouse.errors import InputError

MAX_FILES = 200_000
MAX_DEPTH = 8


@dataclass(frozen=True)
class UserFiles:
    """What a folder holds.

    Attributes:
        files: paths of usable files, sorted by their parts.
        ignored: relative names of hidden files, lock files and temporary files.
        escaping: relative names of links that lead out of the folder.
    """

    files: tuple[Path, ...]
    ignored: tuple[str, ...]
    escaping: tuple[str, ...]


def list_files(folder: Path) -> UserFiles:
    """List the files below `folder`, at most `MAX_DEPTH` levels deep.

    Linked folders are not entered; a linked file counts when it ends inside the folder.

    Raises:
        InputError: when the folder is not there or holds more than `MAX_FILES` files.
    """
    if not folder.is_dir():
        raise InputError(f"`{folder}` is not a folder")
    root = folder.resolve()
    files: list[Path] = []
    ignored: list[str] = []
    escaping: list[str] = []
    for parent, names, file_names in os.walk(folder, followlinks=False):
        here = Path(parent)
        depth = len(here.relative_to(folder).parts)
        linked = [name for name in names if (here / name).is_symlink()]
        escaping.extend((here / name).relative_to(folder).as_posix() for name in linked)
        names[:] = sorted(n for n in names if n not in linked and not is_hidden(n))
        if depth >= MAX_DEPTH:
            names.clear()
        for name in sorted(file_names):
            path = here / name
            relative = path.relative_to(folder).as_posix()
            if is_hidden(name):
                ignored.append(relative)
            elif path.is_symlink() and not path.resolve().is_relative_to(root):
                escaping.append(relative)
            elif path.is_file():
                files.append(path)
        if len(files) > MAX_FILES:
            raise InputError(f"`{folder}` holds more than {MAX_FILES} files")
    ordered = tuple(sorted(files, key=lambda path: path.relative_to(folder).parts))
    return UserFiles(ordered, tuple(sorted(ignored)), tuple(sorted(escaping)))


def is_hidden(name: str) -> bool:
    """Return whether a name is that of a hidden, lock or system file."""
    return name.startswith((".", "~$")) or name in ("Thumbs.db", "desktop.ini", "__MACOSX")
