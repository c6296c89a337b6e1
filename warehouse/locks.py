"""One builder at a time: a lock in the warehouse root that a dead process cannot hold.

The operating system drops the lock with the process, so kill -9 leaves nothing to clean
up. The holder is written beside the lock for the message alone.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator

from filelock import FileLock, Timeout

from warehouse import storage
from warehouse.errors import LockedError
from warehouse.paths import WarehousePaths


@contextlib.contextmanager
def build_lock(paths: WarehousePaths, *, timeout: float = 0) -> Iterator[None]:
    """Hold the build lock of a warehouse.

    Args:
        paths: the warehouse.
        timeout: seconds to wait for another holder; 0 asks once.

    Raises:
        LockedError: when another process holds it, with its process id and command.
    """
    paths.root.mkdir(parents=True, exist_ok=True)
    holder_file = paths.lock_file.with_suffix(".holder")
    lock = FileLock(paths.lock_file)
    try:
        lock.acquire(timeout=timeout)
    except Timeout:
        holder = holder_file.read_text(encoding="utf-8") if holder_file.exists() else "unknown"
        raise LockedError(
            f"warehouse `{paths.root}` is being built by another process",
            got=holder.strip(),
            fix="wait for it, or build into another root with --warehouse",
        ) from None
    try:
        storage.write_text(holder_file, f"pid {os.getpid()}: {' '.join(sys.argv)}\n")
        yield
    finally:
        holder_file.unlink(missing_ok=True)
        lock.release()
