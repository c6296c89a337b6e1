"""Deck files of a run: what they are by their bytes, which one is the deck, where it may go."""

from __future__ import annotations

import os
import shutil
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path, PurePath

from ingest.xslides.decks.run_sheet import RunSheetRow
from ingest.xslides.tree import ArtifactTree, is_plain_file
from warehouse import storage
from warehouse.errors import InputError

# The first one found is the deck; a PDF beside a PPTX is its export.
PREFERENCE = (".pptx", ".ppsx", ".pptm", ".ppsm", ".potx", ".potm", ".pdf")
PPTX = "pptx"
PDF = "pdf"
_HEADER_WINDOW = 1024  # readers look for the header of a PDF this far into a file
_CONTENT_TYPES = "[Content_Types].xml"
_MAX_CONTENT_TYPES_BYTES = 4 * 1024 * 1024


def preferred(files: Iterable[Path]) -> list[Path]:
    """Return files in the order in which they are taken for the deck."""
    return sorted(files, key=lambda path: (rank(path.suffix), path.name))


def rank(suffix: str) -> int:
    """Return the place of a suffix in `PREFERENCE`; unknown ones come last."""
    suffix = suffix.lower()
    return PREFERENCE.index(suffix) if suffix in PREFERENCE else len(PREFERENCE)


def deck_format(path: Path) -> str | None:
    """Return `pptx` or `pdf` by the bytes of a file, or None when it is neither.

    A link and anything that is no regular file is neither. A ZIP archive counts when its content
    types name a presentation. The name is not looked at.
    """
    if path.is_symlink() or not path.is_file():
        return None
    try:
        with path.open("rb") as handle:
            head = handle.read(_HEADER_WINDOW)
    except OSError:
        return None
    if head.startswith(b"PK\x03\x04"):
        return PPTX if _is_presentation(path) else None
    return PDF if b"%PDF-" in head else None


def true_name(path: Path) -> str:
    """Return the name of a deck file with the suffix that its bytes ask for."""
    found = deck_format(path)
    return path.name if found is None else named_as(path.name, found)


def named_as(name: str, form: str) -> str:
    """Return a deck's file name with a suffix that fits `pptx` or `pdf`; a fitting one stays."""
    path = PurePath(name)
    if (path.suffix.lower() == ".pdf") == (form == PDF):
        return name
    stem = path.stem if rank(path.suffix) < len(PREFERENCE) else name
    return f"{stem}.{form}"


def standing_deck(tree: ArtifactTree, run: str, row: RunSheetRow) -> Path | None:
    """Return the file that is the deck of a row now: the one it names, else the preferred one."""
    named = tree.inside(row.deck_path) if row.deck_path else None
    if named is not None and is_plain_file(named):
        return named
    folder = tree.deck_folder(run, row.key)
    files = [path for path in folder.iterdir() if is_plain_file(path)] if folder.is_dir() else []
    return preferred(files)[0] if files else None


def target_of(tree: ArtifactTree, run: str, row: RunSheetRow) -> Path:
    """Return where the deck of a row is to be stored, as its run sheet asks.

    Raises:
        InputError: when that is outside the row's own deck folder, or a link leads out of the
            data root.
    """
    folder = tree.deck_folder(run, row.key)
    target = tree.root / row.deck_path if row.deck_path else folder / f"{row.key.case_label}.pptx"
    if target.parent != folder or target.name in ("", ".", ".."):
        raise InputError(
            f"the deck path `{row.deck_path}` is not in the row's own folder",
            expected=f"a file in {tree.relative(folder)}",
        )
    if tree.inside(tree.relative(target.parent)) is None:
        raise InputError(f"the deck folder `{tree.relative(folder)}` leads out of the data root")
    return target


def stage_copy(found: Path, staged: Path) -> tuple[str, str] | None:
    """Copy a finished deck aside; return format and SHA-256 of the copy, or None if it is none.

    The copy is what is judged and stored, so that nothing can change it in between.
    """
    if deck_format(found) is None:
        return None
    shutil.copyfile(found, staged)
    storage.sync_file(staged)
    form = deck_format(staged)
    return None if form is None else (form, storage.sha256_file(staged))


def place(staged: Path, target: Path) -> None:
    """Move a staged deck to its place in one step."""
    target.parent.mkdir(parents=True, exist_ok=True)
    os.replace(staged, target)  # noqa: PTH105  (replaces a link instead of following it)
    storage.sync_folder(target.parent)


def _is_presentation(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as package, package.open(_CONTENT_TYPES) as part:
            types = part.read(_MAX_CONTENT_TYPES_BYTES)
    except (OSError, KeyError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error, EOFError):
        return False
    except NotImplementedError:
        return False
    return b"presentationml" in types or b"ms-powerpoint" in types


def has_hash(path: Path, sha256: str) -> bool:
    """Return whether a plain file is there and has this SHA-256."""
    return is_plain_file(path) and storage.sha256_file(path) == sha256
