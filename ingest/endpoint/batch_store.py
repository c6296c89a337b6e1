"""What is known of batches, on disk before and after every step that a provider sees.

One folder a batch, `judge_batches/<local id>/`, with `batch.json` and, until its replies are
taken, what was sent. A kill leaves a state from which the next command goes on: what may have
been paid for is looked for at the provider and never made anew. No key is in any file.
"""

from __future__ import annotations

import contextlib
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from ingest.endpoint.calls import CallContext
from warehouse import jsonl
from warehouse.errors import InputError, LockedError
from warehouse.paths import WarehousePaths

RECORD_FILE = "batch.json"
INPUT_FILE = "input.jsonl"
REQUESTS_FILE = "requests.jsonl"
_LOCAL_ID = re.compile(r"[0-9a-f]{32}")


class State(StrEnum):
    """How far a batch is.

    written: its files are whole; nothing was sent.
    uploaded: the provider has the input; whether it has a batch is not known here.
    created: the provider works on it; it is paid for.
    taken: its replies are in the cache.
    lost: the provider refused it or has no results of it any more.
    """

    WRITTEN = "written"
    UPLOADED = "uploaded"
    CREATED = "created"
    TAKEN = "taken"
    LOST = "lost"

    @property
    def is_open(self) -> bool:
        """Return whether the provider may hold replies that were not taken."""
        return self in (State.UPLOADED, State.CREATED)


@dataclass(frozen=True)
class BatchRecord:
    """One batch.

    Attributes:
        local_id: 32 hexadecimal digits; the provider keeps it as metadata `podium_batch`.
        state: how far it is.
        base_url: address that it goes to.
        model: model that all its requests name.
        role: a role of that address and model, whose key is used.
        request_count: lines of its input.
        created_at: ISO 8601 with milliseconds; start of all its calls, unique to the batch.
        context: what its calls serve.
        schemas: texts of the reply schemas by their SHA-256.
        input_file_id: the provider's id of the input; None before the upload.
        batch_id: the provider's id of the batch; None before it is known.
        counts: lines by what came of them; empty before the replies are taken.
    """

    local_id: str
    state: State
    base_url: str
    model: str
    role: str
    request_count: int
    created_at: str
    context: CallContext
    schemas: Mapping[str, str] = field(default_factory=dict)
    input_file_id: str | None = None
    batch_id: str | None = None
    counts: Mapping[str, int] = field(default_factory=dict)

    def as_record(self) -> dict[str, Any]:
        """Return the record as JSON-serialisable fields."""
        return {**asdict(self), "state": self.state.value}

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> BatchRecord:
        """Return the record of what `as_record` gave.

        Raises:
            KeyError, TypeError, ValueError: when it is none.
        """
        read = {**value, "state": State(value["state"]), "context": CallContext(**value["context"])}
        for name in ("local_id", "base_url", "model", "role", "created_at"):
            if not isinstance(read[name], str):
                raise TypeError(f"`{name}` is no text")
        return cls(**read)


class BatchStore:
    """The batches of a warehouse. Of one process at a time; see `locked`.

    Args:
        folder: made with the first batch.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def folder_of(self, local_id: str) -> Path:
        """Return the folder of one batch."""
        return self.folder / local_id

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes out; the system drops the lock with the process.

        Raises:
            LockedError: when another process is in.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self.folder / ".lock")
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise LockedError(
                f"the batches in `{self.folder}` are worked on by another process",
                expected="one command with --batch at a time in a warehouse",
                fix="wait for it, or stop it: its batches stay, and the next command goes on",
            ) from None
        try:
            yield
        finally:
            lock.release()

    def begin(self) -> tuple[str, Path]:
        """Return a new id and its folder, which is there."""
        local_id = secrets.token_hex(16)
        folder = self.folder_of(local_id)
        folder.mkdir(parents=True)
        return local_id, folder

    def save(self, record: BatchRecord) -> BatchRecord:
        """Write a record atomically and durably, and return it."""
        jsonl.write_json(self.folder_of(record.local_id) / RECORD_FILE, record.as_record())
        return record

    def close(self, record: BatchRecord, state: State, counts: Mapping[str, int]) -> BatchRecord:
        """Write the last state of a batch and drop what was sent, which holds whole documents."""
        closed = self.save(replace(record, state=state, counts=counts, schemas={}))
        for name in (INPUT_FILE, REQUESTS_FILE):
            (self.folder_of(record.local_id) / name).unlink(missing_ok=True)
        return closed

    def drop(self, local_id: str) -> None:
        """Remove a batch that no provider was told to work on."""
        shutil.rmtree(self.folder_of(local_id), ignore_errors=True)

    def records(self) -> list[BatchRecord]:
        """Return all batches, oldest first.

        Raises:
            InputError: when one cannot be read; what it holds may have been paid for.
        """
        found = [_read(folder / RECORD_FILE) for folder in self._folders() if _is_written(folder)]
        return sorted(found, key=lambda one: (one.created_at, one.local_id))

    def open_records(self) -> list[BatchRecord]:
        """Return the batches whose replies the provider may hold, oldest first."""
        return [one for one in self.records() if one.state.is_open]

    def sweep(self) -> None:
        """Remove what a kill left of batches before anything was sent."""
        for folder in self._folders():
            if not _is_written(folder) or _read(folder / RECORD_FILE).state is State.WRITTEN:
                self.drop(folder.name)

    def _folders(self) -> list[Path]:
        if not self.folder.is_dir():
            return []
        found = (one for one in self.folder.iterdir() if _LOCAL_ID.fullmatch(one.name))
        return sorted(one for one in found if one.is_dir() and not one.is_symlink())


def batches_folder(paths: WarehousePaths) -> Path:
    """Return where a warehouse keeps its batches: beside the replies that come of them."""
    return paths.root / "judge_batches"


def _is_written(folder: Path) -> bool:
    return (folder / RECORD_FILE).is_file()


def _read(path: Path) -> BatchRecord:
    try:
        record = BatchRecord.of(jsonl.read_json(path))
        if record.local_id != path.parent.name:
            raise ValueError("it names another batch")
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"`{path}` cannot be read",
            expected="the record of a batch, as Podium wrote it",
            got=repr(error)[:200],
            fix="its requests may have been paid for: look at the provider, then remove the folder",
        ) from None
    return record
