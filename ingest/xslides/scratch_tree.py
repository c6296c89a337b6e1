"""A copy of an artifact tree to try stages on, which leaves the tree itself as it is."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from ingest.xslides.tree import ArtifactTree

# Larger files are linked: stages put a new file in the place of an old one and never write
# into it, and decks and sources are not written at all.
LARGEST_COPY_BYTES = 64 * 1024


@contextmanager
def scratch_tree(root: Path, run: str | None, beside: Path) -> Iterator[ArtifactTree]:
    """Yield a copy of a tree, taken away at the end.

    Args:
        root: the tree; a folder that is not there gives an empty tree.
        run: the only run that is copied; None copies none.
        beside: folder that the copy is made in, best on the disk of the tree.
    """
    beside.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".estimate-", dir=beside) as scratch:
        copy = Path(scratch) / "tree"
        copy.mkdir()
        for name in ("sources", "probes"):
            _copy(root / name, copy / name)
        if run is not None:
            _copy(root / "runs" / run, copy / "runs" / run)
        if (root / "audiences.csv").is_file():
            _copy_file(root / "audiences.csv", copy / "audiences.csv")
        yield ArtifactTree(copy)


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, symlinks=True, copy_function=_copy_file)


def _copy_file(source: str | Path, target: str | Path) -> str | Path:
    if Path(source).stat().st_size > LARGEST_COPY_BYTES:
        try:
            os.link(source, target)
        except OSError:
            pass
        else:
            return target
    return shutil.copyfile(source, target)
