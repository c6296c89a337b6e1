"""Taking entries out of a cache, and making many segments one, without losing the rest.

The entries that stay are written to one new segment, which appears whole; only then do the
old segments go. A kill in between leaves both, and the same key twice is read once. Segments
that a living process writes to are left alone.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from ingest.endpoint import segments
from ingest.endpoint.cache import Damage, ReplyCache, line_of
from warehouse import storage
from warehouse.errors import InputError, LockedError

DAMAGED_FOLDER = "damaged"


@dataclass(frozen=True)
class Selection:
    """Which entries are meant; all stated conditions must hold.

    Attributes:
        older_than: age above which an entry counts; None for any age. An entry from the
            future, as a wrong clock writes it, is never old.
        model: model asked or served.
        role: role that asked.
    """

    older_than: timedelta | None = None
    model: str | None = None
    role: str | None = None

    def takes(self, entry: dict[str, Any], now: datetime) -> bool:
        """Return whether an entry is meant at a time."""
        if self.model is not None and self.model not in (
            entry["model_asked"],
            entry["model_served"],
        ):
            return False
        if self.role is not None and entry["role"] != self.role:
            return False
        if self.older_than is None:
            return True
        return now - datetime.fromisoformat(entry["created_at"]) > self.older_than


@dataclass(frozen=True)
class Pruning:
    """What was, or would be, done.

    Attributes:
        removed: keys that go.
        kept_count: entries that stay, those in segments in use included.
        segment_count: segments that were made one.
        in_use: segments that a living process writes to; nothing in them was touched.
        set_aside: damaged lines that were moved to the folder `damaged`.
    """

    removed: tuple[str, ...]
    kept_count: int
    segment_count: int
    in_use: tuple[str, ...]
    set_aside: int


def prune(
    cache: ReplyCache, selection: Selection | None, now: datetime, *, is_dry_run: bool
) -> Pruning:
    """Remove the selected entries and join the segments that nobody writes to.

    Args:
        cache: an opened cache that has written nothing itself.
        selection: which entries go; None removes none and only joins segments.
        now: time against which ages are measured, with its zone.
        is_dry_run: tell only, change nothing.

    Raises:
        InputError: when an entry cannot be read, or the new segment does not hold what it
            should; nothing is removed then.
        LockedError: when another process prunes the same cache.
    """
    if is_dry_run or not cache.folder.is_dir():
        return _prune(cache, selection, now, is_dry_run=True)
    lock = FileLock(cache.folder / ".prune.lock", thread_local=False)
    try:
        with lock.acquire(timeout=0):
            return _prune(cache, selection, now, is_dry_run=False)
    except Timeout:
        raise LockedError(
            f"cache `{cache.folder}` is being pruned by another process", fix="wait for it"
        ) from None


def _prune(
    cache: ReplyCache, selection: Selection | None, now: datetime, *, is_dry_run: bool
) -> Pruning:
    cache.refresh()
    old = segments.segments_of(cache.folder)
    used = {path for path in old if segments.is_in_use(path)}
    free = [path for path in old if path not in used]
    places = cache.places()
    removed, kept = [], []
    for key, place in sorted(places.items(), key=lambda one: (one[1].segment, one[1].offset)):
        if place.segment in used:
            continue
        entry = cache.entry(key)
        if entry is None:
            raise InputError(f"entry `{key}` cannot be read", fix="podium cache verify")
        if selection is not None and selection.takes(entry, now):
            removed.append(key)
        else:
            kept.append((key, entry))
    damages = [one for one in cache.damages if cache.folder / one.segment in free]
    if not is_dry_run and (removed or damages or len(free) > 1):
        _set_aside(cache.folder, damages)
        _rewrite(cache.folder, free, kept)
    return Pruning(
        removed=tuple(removed),
        kept_count=len(places) - len(removed),
        segment_count=len(free),
        in_use=tuple(sorted(path.name for path in used)),
        set_aside=len(damages),
    )


def _rewrite(folder: Path, old: list[Path], kept: list[tuple[str, dict[str, Any]]]) -> None:
    lines = [line_of(key, entry) for key, entry in kept]
    # The new segment takes the first one's place in the order, under a name of its own, so
    # that no reader takes an offset in an old segment for one in the new.
    stamp = old[0].stem.partition("-")[0]
    joined = folder / f"{stamp}-0-{secrets.token_hex(4)}{segments.SUFFIX}"
    if lines:
        storage.write_bytes(joined, b"".join(line + b"\n" for line in lines))
        if joined.read_bytes() != b"".join(line + b"\n" for line in lines):
            joined.unlink()
            raise InputError(f"`{joined}` was not written whole", fix="podium cache verify")
    for path in old:
        segments.remove(path)
    storage.sync_folder(folder)


def _set_aside(folder: Path, damages: Iterable[Damage]) -> None:
    """Keep the bytes of damaged lines outside the cache, so that nothing is lost unseen."""
    for one in damages:
        name = f"{Path(one.segment).stem}-{one.line}.txt"
        storage.write_bytes(folder / DAMAGED_FOLDER / name, one.raw)
