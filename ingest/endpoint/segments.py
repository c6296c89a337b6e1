"""Append-only files that survive a kill: one a process, whole lines, a damaged tail at most.

A process writes into a segment of its own, which it holds by a lock that the system drops
with the process. A line is handed over in one write and, where it matters, flushed to disk
before anybody acts on it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import threading
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from warehouse import storage

SUFFIX = ".jsonl"


class SegmentWriter:
    """Appends lines to a new segment of a folder; the file is made with the first line.

    Safe to use from several threads.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._guard = threading.Lock()
        self._descriptor: int | None = None
        self._lock: FileLock | None = None
        self._size = 0
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
        self.path = folder / f"{stamp}-{os.getpid()}-{secrets.token_hex(4)}{SUFFIX}"

    def append(self, line: bytes, *, durable: bool) -> int:
        """Append one line, without its end, and return the offset at which it starts.

        Args:
            line: bytes without a line feed.
            durable: whether to return only once the disk has it.

        Raises:
            OSError: when it cannot be written; the segment ends as it did before.
        """
        with self._guard:
            descriptor = self._open()
            start = self._size
            data = line + b"\n"
            try:
                written = 0
                while written < len(data):
                    written += os.write(descriptor, data[written:])
                if durable:
                    os.fsync(descriptor)
            except OSError:
                with contextlib.suppress(OSError):
                    os.ftruncate(descriptor, start)
                raise
            self._size = start + len(data)
            return start

    def close(self) -> None:
        """Flush and close the segment and drop its lock."""
        with self._guard:
            if self._descriptor is not None:
                os.fsync(self._descriptor)
                os.close(self._descriptor)
                self._descriptor = None
            if self._lock is not None:
                self._lock.release()
                _lock_file(self.path).unlink(missing_ok=True)
                self._lock = None

    def _open(self) -> int:
        if self._descriptor is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            if self._lock is None:
                self._lock = FileLock(_lock_file(self.path), thread_local=False)
                self._lock.acquire(timeout=0)
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
            self._descriptor = os.open(self.path, flags, 0o666)
            storage.sync_folder(self._folder)
        return self._descriptor


def segments_of(folder: Path) -> list[Path]:
    """Return the segments of a folder, oldest first."""
    return sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else []


def is_in_use(segment: Path) -> bool:
    """Return whether a living process may still write to a segment."""
    if not _lock_file(segment).exists():
        return False
    lock = FileLock(_lock_file(segment), thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    lock.release()
    return False


def remove(segment: Path) -> None:
    """Remove a segment that nobody writes to, and its lock file."""
    segment.unlink(missing_ok=True)
    _lock_file(segment).unlink(missing_ok=True)


def _lock_file(segment: Path) -> Path:
    return segment.with_suffix(".lock")
