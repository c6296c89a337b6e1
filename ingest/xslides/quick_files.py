"""Files that appear whole or not at all, without waiting for the disk.

For files that can be made again and whose hash is checked before they are trusted: what a
power cut loses is simply redone, and flushing each would take longer than judging offline.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from warehouse import jsonl, storage


def put(path: Path, content: bytes) -> None:
    """Write bytes to `path` in one step; the folder is made when absent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(storage.TEMPORARY_PREFIX + path.name)
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def put_json(path: Path, value: Any) -> None:
    """Write one JSON document to `path` in one step."""
    put(path, (jsonl.dumps(value, indent=2) + "\n").encode("utf-8"))


def copy(source: Path, target: Path) -> None:
    """Copy the bytes of a file to `target` in one step; the folder is made when absent."""
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(storage.TEMPORARY_PREFIX + target.name)
    try:
        shutil.copyfile(source, temporary)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
