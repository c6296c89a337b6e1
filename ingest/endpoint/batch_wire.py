"""The batch API as it stands on the wire: what a provider tells of a batch, lines of its files."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

from ingest.endpoint.client import MAX_BODY_BYTES
from warehouse import jsonl

# Of one line of a result file: as much as the body of a single response.
MAX_LINE_BYTES = MAX_BODY_BYTES
OVER = ("completed", "failed", "expired", "cancelled")
_ID = re.compile(r"[!-~]{1,500}")


@dataclass(frozen=True)
class Seen:
    """A batch as the provider tells of it.

    Attributes:
        batch_id: the provider's id.
        status: validating, in_progress, finalizing, completed, expired, failed, ...
        output_file_id: file of results, None without one.
        error_file_id: file of requests that failed, None without one.
        problems: what the provider says of a batch that failed.
    """

    batch_id: str
    status: str
    output_file_id: str | None = None
    error_file_id: str | None = None
    problems: str = ""

    @property
    def is_over(self) -> bool:
        """Return whether nothing more will come of it."""
        return self.status in OVER


def seen_of(body: dict[str, Any]) -> Seen:
    """Read what a provider tells of a batch.

    Raises:
        StrictJsonError: when it has no usable id.
    """
    status = body.get("status")
    errors = body.get("errors")
    told = errors.get("data") if isinstance(errors, dict) else None
    messages = [one.get("message") for one in told or () if isinstance(one, dict)]
    return Seen(
        id_of(body, "id"),
        _shown(status) if isinstance(status, str) else "unknown",
        id_of(body, "output_file_id") if body.get("output_file_id") else None,
        id_of(body, "error_file_id") if body.get("error_file_id") else None,
        _shown("; ".join(one for one in messages[:3] if isinstance(one, str))),
    )


def id_of(body: dict[str, Any], name: str) -> str:
    """Return a field that holds an id: 1 to 500 printable ASCII characters.

    Raises:
        StrictJsonError: when it holds none.
    """
    value = body.get(name)
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise jsonl.StrictJsonError("invalid_json", f"`{name}` is no id")
    return value


def _shown(text: str) -> str:
    return "".join(one if one.isprintable() else " " for one in text)[:500]


async def lines_of(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes | None]:
    """Cut chunks into lines without their ends, None for one that is too long."""
    rest = bytearray()
    is_skipped = False
    async for chunk in chunks:
        for piece, is_end in _pieces(chunk):
            if not is_skipped:
                rest += piece
            if len(rest) > MAX_LINE_BYTES:
                rest.clear()
                is_skipped = True
            if is_end:
                yield None if is_skipped else bytes(rest)
                rest.clear()
                is_skipped = False
    if rest or is_skipped:
        yield None if is_skipped else bytes(rest)


def _pieces(chunk: bytes) -> Iterator[tuple[bytes, bool]]:
    *whole, last = chunk.split(b"\n")
    for piece in whole:
        yield piece, True
    yield last, False
