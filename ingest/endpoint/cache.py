"""Answered replies, kept for good: what was asked once is never asked again.

A folder of segments (JSON Lines), one a process. Each line carries the key of its request and
a SHA-256 over key and entry, so that a torn or altered line is known without trust in its
neighbours; it is reported and the rest is read. The index is made on opening. Only answered
replies come in: errors, refusals, truncations and unusable replies would be replayed as if
they were answers.
"""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, BinaryIO

from ingest.endpoint.parsing import ReplyError
from ingest.endpoint.reading import read_reply
from ingest.endpoint.reply import Reply, Status, Usage
from ingest.endpoint.request import Request, Target
from ingest.endpoint.segments import SegmentWriter, segments_of
from ingest.endpoint.settings import OutputMode
from warehouse import jsonl
from warehouse.paths import WarehousePaths

REFRESH_SECONDS = 1.0
_LINE = re.compile(
    rb'\{"key":"([0-9a-f]{64})","sha256":"([0-9a-f]{64})","entry":(\{[^\n]*\})\}', re.DOTALL
)


@dataclass(frozen=True)
class Damage:
    """A line that cannot be used: segment, 1-based line, `torn_line` or `damaged_line`, bytes."""

    segment: str
    line: int
    reason: str
    raw: bytes = field(repr=False)


@dataclass(frozen=True)
class Place:
    """Where an entry stands: segment, byte offset and length of its line without the end."""

    segment: Path
    offset: int
    length: int


class ReplyCache:
    """The replies of one folder; safe for several threads and several processes.

    Args:
        folder: made with the first reply.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._guard = threading.RLock()
        self._writer = SegmentWriter(folder)
        self._read_to: dict[Path, tuple[int, int]] = {}
        self._places: dict[str, Place] = {}
        self.damages: list[Damage] = []
        self.duplicate_count = 0
        self._refreshed_at = 0.0
        self.refresh()

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def refresh(self) -> None:
        """Read what other processes have appended since; the first of two equal keys stays."""
        with self._guard:
            self._read_new()

    def get(self, request: Request, key: str) -> Reply | None:
        """Return the kept reply of a request; None when there is none that can be used today.

        The text is read and held to the request again, so that a value is never older than
        the rules that read it.
        """
        if key not in self and time.monotonic() - self._refreshed_at > REFRESH_SECONDS:
            # Another process may have asked meanwhile.
            self.refresh()
        entry = self.entry(key)
        if entry is None:
            return None
        try:
            parsed = read_reply(entry["text"], request)
        except ReplyError:
            return None
        return Reply(
            status=Status.ANSWERED,
            request_key=key,
            model_asked=entry["model_asked"],
            model_served=entry["model_served"],
            text=entry["text"],
            value=parsed.value,
            parse_level=parsed.level,
            output_mode=OutputMode(entry["output_mode"]),
            usage=Usage(
                entry["input_token_count"],
                entry["cached_input_token_count"],
                entry["output_token_count"],
            ),
            latency_ms=entry["latency_ms"],
            cost_usd=Decimal(0),
            is_cached=True,
        )

    def entry(self, key: str) -> dict[str, Any] | None:
        """Return the stored fields of a key; None when it is not there."""
        with self._guard:
            place = self._places.get(key)
            line = None if place is None else _line_at(place)
            if place is not None and line is None:
                # Another process has moved it to a new segment.
                self._forget_missing()
                self._read_new()
                place = self._places.get(key)
                line = None if place is None else _line_at(place)
        read = None if line is None else _checked(line)
        return jsonl.parse(read[1]) if read is not None and read[0] == key else None

    def put(self, request: Request, target: Target, reply: Reply) -> bool:
        """Keep an answered reply durably; return whether it is new.

        Replies that are not answered, or came from the cache, are not kept.

        Raises:
            OSError: when the disk does not take it.
        """
        if reply.status is not Status.ANSWERED or reply.is_cached:
            return False
        with self._guard:
            if reply.request_key in self._places:
                return False
            line = line_of(reply.request_key, _entry(request, target, reply))
            offset = self._writer.append(line, durable=True)
            path = self._writer.path
            self._places[reply.request_key] = Place(path, offset, len(line))
            lines = self._read_to.get(path, (0, 0))[1] + 1
            self._read_to[path] = (offset + len(line) + 1, lines)
        return True

    def entries(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield keys and stored fields, in the order in which they were kept."""
        places = sorted(self._places.items(), key=lambda one: (one[1].segment, one[1].offset))
        for key, _ in places:
            entry = self.entry(key)
            if entry is not None:
                yield key, entry

    def places(self) -> dict[str, Place]:
        """Return where each entry stands."""
        return dict(self._places)

    def close(self) -> None:
        """Close the segment of this process."""
        self._writer.close()

    def _read_new(self) -> None:
        self._refreshed_at = time.monotonic()
        for segment in segments_of(self.folder):
            offset, lines = self._read_to.get(segment, (0, 0))
            try:
                if segment.stat().st_size > offset:
                    with segment.open("rb") as file:
                        file.seek(offset)
                        self._read_lines(segment, file, offset, lines)
            except FileNotFoundError:
                continue

    def _read_lines(self, segment: Path, file: BinaryIO, offset: int, number: int) -> None:
        """Index the lines of a segment from an offset on; `number` lines stand before it."""
        name = segment.name
        self.damages = [one for one in self.damages if one.segment != name or one.line <= number]
        for raw in file:
            line = raw.removesuffix(b"\n")
            if len(line) == len(raw):
                # A line without an end may still be growing: it is looked at again next time.
                self.damages.append(Damage(name, number + 1, "torn_line", line))
                break
            number += 1
            read = _checked(line)
            if read is None:
                self.damages.append(Damage(name, number, "damaged_line", line))
            elif read[0] in self._places:
                self.duplicate_count += 1
            else:
                self._places[read[0]] = Place(segment, offset, len(line))
            offset += len(raw)
        self._read_to[segment] = (offset, number)

    def _forget_missing(self) -> None:
        gone = {path for path in self._read_to if not path.exists()}
        self._read_to = {path: to for path, to in self._read_to.items() if path not in gone}
        self._places = {
            key: place for key, place in self._places.items() if place.segment not in gone
        }


def cache_folder(paths: WarehousePaths) -> Path:
    """Return where a warehouse keeps replies.

    It is the warehouse root and not an artifact tree: a tree may be read-only, is copied and
    published, and several of them share replies; landing, vacuum and clean-up leave it alone.
    """
    return paths.root / "judge_cache"


def line_of(key: str, entry: dict[str, Any]) -> bytes:
    """Return the line of an entry, without its end."""
    body = jsonl.dumps(entry).encode("utf-8")
    return b'{"key":"%s","sha256":"%s","entry":%s}' % (
        key.encode("ascii"),
        _digest(key.encode("ascii"), body).encode("ascii"),
        body,
    )


def _entry(request: Request, target: Target, reply: Reply) -> dict[str, Any]:
    return {
        "role": request.role.value,
        "base_url": target.base_url,
        "model_asked": reply.model_asked,
        "model_served": reply.model_served,
        "prompt_id": request.prompt.prompt_id,
        "prompt_version": request.prompt.version,
        "prompt_sha256": request.prompt.sha256,
        "sample_index": request.sample_index,
        "schema_version": request.schema_version,
        "text": reply.text,
        "parse_level": None if reply.parse_level is None else reply.parse_level.value,
        "output_mode": None if reply.output_mode is None else reply.output_mode.value,
        "input_token_count": reply.usage.input_tokens,
        "cached_input_token_count": reply.usage.cached_input_tokens,
        "output_token_count": reply.usage.output_tokens,
        "latency_ms": reply.latency_ms,
        "cost_usd": None if reply.cost_usd is None else str(reply.cost_usd),
        "price_date": reply.price_date,
        "created_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _line_at(place: Place) -> bytes | None:
    try:
        with place.segment.open("rb") as file:
            file.seek(place.offset)
            return file.read(place.length)
    except FileNotFoundError:
        return None


def _checked(line: bytes) -> tuple[str, bytes] | None:
    """Return key and entry of a line that is what was written; else None."""
    match = _LINE.fullmatch(line)
    if match is None or _digest(match[1], match[3]) != match[2].decode("ascii"):
        return None
    return match[1].decode("ascii"), match[3]


def _digest(key: bytes, entry: bytes) -> str:
    return hashlib.sha256(key + b"\n" + entry).hexdigest()
