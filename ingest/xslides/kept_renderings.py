"""Pictures of slides that were drawn on a copy of a tree, taken over into the tree.

A picture is part of a request. Drawn again, by the same program on another day, it may be other
bytes, and its replies would not be found.
"""

from __future__ import annotations

from pathlib import Path

from ingest.xslides.quick_files import copy as copy_file
from ingest.xslides.slide_images import RECORD
from ingest.xslides.tree import ArtifactTree


def keep_renderings(copy: ArtifactTree, tree: ArtifactTree, run: str) -> None:
    """Copy the pictures of decks that the tree has none of.

    Args:
        copy: where they were drawn.
        tree: where they go.
        run: run that both have.
    """
    drawn = copy.run_folder(run) / "rendered"
    target = tree.run_folder(run) / "rendered"
    for record in sorted(drawn.glob(f"*/{RECORD}")):
        folder = target / record.parent.name
        if (folder / RECORD).is_file():
            continue
        pictures = sorted(one for one in record.parent.iterdir() if one.name != RECORD)
        # The record last: pictures without it are drawn again.
        for one in (*pictures, record):
            _take_over(one, folder)


def _take_over(file: Path, folder: Path) -> None:
    if file.is_file() and not file.is_symlink():
        copy_file(file, folder / file.name)
