"""The files of batches: the lines that go to a provider, and what their results need later.

Lines are written one by one, since they hold pictures: no file is ever in memory. What is known
of a request and is not in the line stands beside it, so that another process can take results.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final

from ingest.endpoint.batch_store import (
    INPUT_FILE,
    REQUESTS_FILE,
    BatchRecord,
    BatchStore,
    State,
)
from ingest.endpoint.calls import CallContext, CallSubject
from ingest.endpoint.modes import Dialect
from ingest.endpoint.request import Message, Prompt, Request, Sampling
from ingest.endpoint.settings import OutputMode, Role, RoleSettings
from ingest.endpoint.wire import chat_body
from warehouse import jsonl, storage

URL: Final = "/v1/chat/completions"
MOST_LINES = 50_000
CheckOf = Callable[[str, Collection[str]], Callable[[Any], bool] | None]
MOST_BYTES = 100 * 1000 * 1000


@dataclass(frozen=True)
class FileLimits:
    """What one input file may hold; a single larger line has a file of its own."""

    lines: int = MOST_LINES
    bytes: int = MOST_BYTES


@dataclass(frozen=True)
class Form:
    """How a request is sent: what the server understands, and its output limit in tokens."""

    dialect: Dialect
    limit: int


@dataclass(frozen=True)
class Sent:
    """One request of a batch, as far as its result needs it.

    Attributes:
        request: without its messages, which no result needs.
        output_mode: the setting that its key was made with.
        form: how it was sent.
    """

    request: Request
    output_mode: OutputMode
    form: Form


class BatchFiles:
    """Writes new batches: one address, key and model each, in the order of the requests.

    Args:
        store: where they lie; the caller holds its lock.
        context: what their calls will serve.
        now: gives the time as ISO 8601 with milliseconds.
        limits: how much one file may hold.
    """

    def __init__(
        self,
        store: BatchStore,
        context: CallContext,
        now: Callable[[], str],
        limits: FileLimits | None = None,
    ) -> None:
        self._store = store
        self._context = context
        self._now = now
        self._limits = limits or FileLimits()
        self._growing: dict[tuple[str, str, str], _Growing] = {}
        self._written: list[BatchRecord] = []

    def add(self, request: Request, key: str, settings: RoleSettings, form: Form) -> None:
        """Append one request.

        Args:
            request: what is asked.
            key: its key, the line's `custom_id`.
            settings: endpoint of its role.
            form: how it is sent.
        """
        dialect = form.dialect
        body = chat_body(request, settings.model, dialect.mode, form.limit, dialect.limit_name)
        line = _line({"custom_id": key, "method": "POST", "url": URL, "body": body})
        secret = "" if settings.api_key is None else settings.api_key.reveal()
        group = (settings.base_url, secret, settings.model)
        growing = self._growing.get(group)
        if growing is not None and not growing.takes(len(line), self._limits):
            self._seal(self._growing.pop(group))
            growing = None
        if growing is None:
            growing = _Growing(*self._store.begin(), settings)
            self._growing[group] = growing
        growing.append(line, _sent_line(request, key, settings, form), request.schema_text)

    def close(self) -> list[BatchRecord]:
        """Finish all files and return their batches, in the order in which they began."""
        for growing in self._growing.values():
            self._seal(growing)
        self._growing.clear()
        return self._written

    def discard(self) -> None:
        """Remove what was written; nothing of it was sent."""
        for growing in self._growing.values():
            growing.close()
            self._store.drop(growing.local_id)
        for record in self._written:
            self._store.drop(record.local_id)

    def _seal(self, growing: _Growing) -> None:
        growing.close()
        settings = growing.settings
        record = BatchRecord(
            growing.local_id,
            State.WRITTEN,
            settings.base_url,
            settings.model,
            settings.role.value,
            growing.lines,
            self._now(),
            self._context,
            growing.schemas,
        )
        self._written.append(self._store.save(record))


@dataclass
class _Growing:
    """A batch whose files are still open."""

    local_id: str
    folder: Path
    settings: RoleSettings
    lines: int = 0
    size: int = 0
    schemas: dict[str, str] = field(default_factory=dict)
    files: tuple[BinaryIO, ...] = ()

    def __post_init__(self) -> None:
        self.files = tuple((self.folder / name).open("wb") for name in (INPUT_FILE, REQUESTS_FILE))

    def takes(self, size: int, limits: FileLimits) -> bool:
        return self.lines < limits.lines and self.size + size <= limits.bytes

    def append(self, line: bytes, sent: bytes, schema: str) -> None:
        for file, content in zip(self.files, (line, sent), strict=True):
            file.write(content)
        self.lines += 1
        self.size += len(line)
        self.schemas.setdefault(_sha256(schema), schema)

    def close(self) -> None:
        for file in self.files:
            file.flush()
            os.fsync(file.fileno())
            file.close()
        storage.sync_folder(self.folder)


def read_sent(folder: Path, record: BatchRecord, check_of: CheckOf) -> dict[str, Sent]:
    """Return the requests of a batch by key, in their order.

    Args:
        folder: where it lies.
        record: what is known of it.
        check_of: gives `says_something` anew, of the schema's name and the ids that were asked.

    Raises:
        OSError: when they are not there.
        KeyError, TypeError, ValueError: when they are not as they were written.
    """
    content = jsonl.read_jsonl(folder / REQUESTS_FILE)
    if content.rejects or len(content.rows) != record.request_count:
        raise ValueError(f"{len(content.rows)} requests, expected {record.request_count}")
    return {str(row.value["key"]): _sent(row.value, record, check_of) for row in content.rows}


def _sent_line(request: Request, key: str, settings: RoleSettings, form: Form) -> bytes:
    return _line(
        {
            "key": key,
            "role": request.role.value,
            "prompt": asdict(request.prompt),
            "sample_index": request.sample_index,
            "schema_sha256": _sha256(request.schema_text),
            "schema_name": request.schema_name,
            "schema_version": request.schema_version,
            "sampling": asdict(request.sampling),
            "subject": asdict(request.subject or CallSubject()),
            "ids": _ids_of(request),
            "output_mode": settings.output_mode.value,
            "mode": form.dialect.mode.value,
            "limit_name": form.dialect.limit_name,
            "limit": form.limit,
        }
    )


def _ids_of(request: Request) -> list[str] | None:
    ids = getattr(request.says_something, "ids", None)
    return None if ids is None else sorted(ids)


def _sent(value: dict[str, Any], record: BatchRecord, check_of: CheckOf) -> Sent:
    ids = value["ids"]
    request = Request(
        Role(value["role"]),
        # What was asked is part of the key and of no result.
        (Message("user", ()),),
        jsonl.parse(record.schemas[value["schema_sha256"]]),
        Prompt(**value["prompt"]),
        Sampling(**value["sampling"]),
        value["sample_index"],
        value["schema_version"],
        value["schema_name"],
        CallSubject(**value["subject"]),
        None if ids is None else check_of(value["schema_name"], ids),
    )
    form = Form(Dialect(OutputMode(value["mode"]), value["limit_name"]), int(value["limit"]))
    return Sent(request, OutputMode(value["output_mode"]), form)


def _line(value: dict[str, Any]) -> bytes:
    return jsonl.dumps(value).encode("utf-8") + b"\n"


def _sha256(text: str) -> str:
    return storage.sha256_bytes(text.encode("utf-8"))
