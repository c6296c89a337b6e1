"""The record of every call: each attempt, and each reply that the cache gave, one line.

Segments as in the cache: a kill costs at most the line that was being written. Records hold
no text of a request or a reply and no key; what a reply said is in the cache and in the
artifacts of its stage.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ingest.endpoint.attempt import Attempt
from ingest.endpoint.reply import Reply, Status
from ingest.endpoint.request import Request, Target
from ingest.endpoint.segments import SegmentWriter, segments_of
from ingest.endpoint.subject import SUBJECT_NAMES
from ingest.endpoint.subject import CallSubject as CallSubject
from warehouse import jsonl
from warehouse.contracts.core import JUDGE_CALLS
from warehouse.paths import WarehousePaths

Clock = Callable[[], datetime]
_MADE_HERE = {"call_id", "cost_usd", "source_file", "source_line", *SUBJECT_NAMES}


def utc_now() -> datetime:
    """Return the time with its zone."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class CallContext:
    """What the calls of a session serve; `dataset_id` and `run_id` None: no single one."""

    benchmark: str
    dataset_id: str | None = None
    run_id: str | None = None


@dataclass(frozen=True)
class Call:
    """What is told of one attempt, or of one reply from the cache (`attempt` 0)."""

    request_key: str
    attempt: int
    status: Status
    started_at: str
    is_cached: bool = False
    model_served: str | None = None
    output_mode: str | None = None
    parse_level: str | None = None
    http_status: int | None = None
    finish_reason: str | None = None
    input_token_count: int | None = None
    cached_input_token_count: int | None = None
    output_token_count: int | None = None
    latency_ms: int | None = None
    cost_usd: Decimal | None = None
    price_date: str | None = None
    message: str | None = None


def call_of_attempt(
    attempt: Attempt, reply: Reply, started_at: str, cost_usd: Decimal | None
) -> Call:
    """Return the record of one attempt; `reply` is what it would be as the last one."""
    return Call(
        request_key=reply.request_key,
        attempt=reply.attempt_count,
        status=reply.status,
        started_at=started_at,
        model_served=attempt.model_served,
        output_mode=None if reply.output_mode is None else reply.output_mode.value,
        parse_level=None if reply.parse_level is None else reply.parse_level.value,
        http_status=attempt.http_status,
        finish_reason=attempt.finish_reason,
        input_token_count=attempt.usage.input_tokens,
        cached_input_token_count=attempt.usage.cached_input_tokens,
        output_token_count=attempt.usage.output_tokens,
        latency_ms=attempt.latency_ms,
        cost_usd=cost_usd,
        price_date=None if cost_usd is None else reply.price_date,
        message=reply.message or None,
    )


def call_of_cached(reply: Reply, started_at: str) -> Call:
    """Return the record of a reply that the cache gave: attempt 0, no tokens, no cost."""
    return Call(
        request_key=reply.request_key,
        attempt=0,
        status=reply.status,
        started_at=started_at,
        is_cached=True,
        model_served=reply.model_served,
        output_mode=None if reply.output_mode is None else reply.output_mode.value,
        parse_level=None if reply.parse_level is None else reply.parse_level.value,
        cost_usd=Decimal(0),
    )


class CallLog:
    """Appends the calls of one session. Safe for several threads and processes.

    Args:
        folder: made with the first call.
        context: what the calls serve.
    """

    def __init__(self, folder: Path, context: CallContext) -> None:
        self._writer = SegmentWriter(folder)
        self._context = context

    @property
    def path(self) -> Path:
        """Return the segment that is written to; it is there after the first call."""
        return self._writer.path

    def add(self, request: Request, target: Target, call: Call) -> None:
        """Append one call; one that was sent is on disk when this returns.

        Raises:
            OSError: when the disk does not take it.
        """
        record = {
            "benchmark": self._context.benchmark,
            "dataset_id": self._context.dataset_id,
            "run_id": self._context.run_id,
            "role": request.role.value,
            "base_url": target.base_url,
            "model_asked": target.model,
            "prompt_id": request.prompt.prompt_id,
            "prompt_version": request.prompt.version,
            "prompt_sha256": request.prompt.sha256,
            "sample_index": request.sample_index,
            "schema_version": request.schema_version,
            **vars(request.subject or CallSubject()),
            **vars(call),
            "status": call.status.value,
            "cost_usd": None if call.cost_usd is None else str(call.cost_usd),
        }
        line = jsonl.dumps(record).encode("utf-8", errors="backslashreplace")
        self._writer.append(line, durable=not call.is_cached)

    def close(self) -> None:
        """Flush and close the segment."""
        self._writer.close()


@dataclass(frozen=True)
class CallReject:
    """A line that is no call: file below the root, and what `jsonl` says of it."""

    source_file: str
    reject: jsonl.JsonReject


@dataclass(frozen=True)
class CallRows:
    """Rows of `core/judge_calls`, and the lines that are none."""

    rows: list[dict[str, Any]]
    rejects: list[CallReject]


def calls_folder(paths: WarehousePaths, context: CallContext) -> Path:
    """Return where a warehouse keeps the records of calls: one folder a dataset, to land as one."""
    name = context.dataset_id
    # The prefix keeps a dataset called `..` inside.
    whose = "shared" if name is None else f"dataset-{quote(name, safe='')}"
    return paths.root / "judge_calls" / context.benchmark / whose


def sent_at(folder: Path, started_at: str) -> set[str]:
    """Return the keys of the requests that were recorded as sent for the first time at a time."""
    return {
        str(row.value.get("request_key"))
        for segment in segments_of(folder)
        for row in jsonl.read_jsonl(segment).rows
        if row.value.get("started_at") == started_at and row.value.get("attempt") == 1
    }


def call_rows(folder: Path, root: Path) -> CallRows:
    """Return all calls of a folder as rows for landing; torn and odd lines are rejects.

    Args:
        folder: segments of calls.
        root: data root that `source_file` is relative to; the folder lies below it.
    """
    rows: list[dict[str, Any]] = []
    rejects: list[CallReject] = []
    seen: Counter[tuple[str, str]] = Counter()
    for segment in segments_of(folder):
        name = segment.relative_to(root).as_posix()
        content = jsonl.read_jsonl(segment)
        rejects.extend(CallReject(name, one) for one in content.rejects)
        for row in content.rows:
            try:
                landed = _row(row.value, seen)
            except (KeyError, TypeError, ValueError, ArithmeticError) as error:
                odd = jsonl.JsonReject(row.line, "invalid_call", repr(error), str(row.value)[:2000])
                rejects.append(CallReject(name, odd))
                continue
            rows.append({**landed, "source_file": name, "source_line": row.line})
    return CallRows(rows, sorted(rejects, key=lambda one: (one.source_file, one.reject.line)))


def _row(value: dict[str, Any], seen: Counter[tuple[str, str]]) -> dict[str, Any]:
    """Return one row; its id counts the calls of one request in one run, oldest first."""
    cost = value["cost_usd"]
    row = {
        **{name: value[name] for name in JUDGE_CALLS.names if name not in _MADE_HERE},
        # Records of before subjects were told do not have them.
        **{name: value.get(name) for name in SUBJECT_NAMES},
        "status": Status(value["status"]).value,
        "cost_usd": None if cost is None else float(Decimal(cost)),
    }
    whose = f"{value['benchmark']}/{value['dataset_id']}/{value['run_id']}"
    key = (whose, str(value["request_key"]))
    seen[key] += 1
    text = f"{whose}/{key[1]}/{seen[key]}"
    return {"call_id": hashlib.sha256(text.encode("utf-8")).hexdigest()[:32], **row}
