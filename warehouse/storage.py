"""Files that appear whole or not at all.

A reader never sees half a file: bytes go to a temporary name in the same folder, are
flushed to disk, and are renamed over the final name in one step.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

TEMPORARY_PREFIX = ".podium-tmp-"


@contextlib.contextmanager
def temporary_sibling(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`; rename it to `path` on success.

    The folder is made when absent. On any error the temporary file is removed and
    `path` stays as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=TEMPORARY_PREFIX, dir=path.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        sync_file(temporary)
        temporary.replace(path)
        sync_folder(path.parent)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_bytes(path: Path, content: bytes) -> None:
    """Write `content` to `path` atomically and durably."""
    with temporary_sibling(path) as temporary:
        temporary.write_bytes(content)


def write_text(path: Path, content: str) -> None:
    """Write `content` to `path` as UTF-8 with line feeds, atomically and durably."""
    write_bytes(path, content.encode("utf-8"))


def replace_link(link: Path, folder: Path) -> None:
    """Let a link name another folder below its own parent, in one rename."""
    scratch = link.parent / f"{TEMPORARY_PREFIX}{link.name}"
    scratch.unlink(missing_ok=True)
    scratch.symlink_to(folder.relative_to(link.parent), target_is_directory=True)
    scratch.replace(link)
    sync_folder(link.parent)


def sync_file(path: Path) -> None:
    """Flush the content of a file to disk."""
    with path.open("rb") as handle:
        os.fsync(handle.fileno())


def sync_folder(path: Path) -> None:
    """Flush a folder's entries to disk, where the platform lets one open a folder."""
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def sha256_file(path: Path) -> str:
    """Return the SHA-256 of a file as 64 lower-case hexadecimal digits."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def sha256_bytes(content: bytes) -> str:
    """Return the SHA-256 of bytes as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
