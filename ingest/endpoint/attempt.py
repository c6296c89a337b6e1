"""What one HTTP request to an endpoint came to."""

from __future__ import annotations

from dataclasses import dataclass, field

from ingest.endpoint.reply import Status, Usage
from ingest.endpoint.wire import Completion


@dataclass(frozen=True)
class Attempt:
    """One HTTP request and its end.

    Attributes:
        status: answered means here: a whole completion came; its text is not parsed yet.
        latency_ms: wall time in milliseconds; None for a request of a batch.
        http_status: status code; None without a response.
        text: what the model wrote.
        model_served: model that the server named.
        finish_reason: as the server told it.
        usage: tokens as reported.
        retry_after: seconds that the server asked to wait; None when it did not.
        is_billable: whether the provider may charge for it although it reported no tokens.
        code: error code that the server gave.
        message: what went wrong, without a key.
    """

    status: Status
    latency_ms: int | None
    http_status: int | None = None
    text: str | None = None
    model_served: str | None = None
    finish_reason: str | None = None
    usage: Usage = field(default_factory=Usage)
    retry_after: float | None = None
    is_billable: bool = False
    code: str = ""
    message: str = ""


def attempt_of(completion: Completion, latency_ms: int | None, http_status: int) -> Attempt:
    """Return the attempt behind a completion: answered, refused, truncated or invalid."""
    status, message = _end_of(completion)
    return Attempt(
        status,
        latency_ms,
        http_status,
        text=completion.text,
        model_served=completion.model,
        finish_reason=completion.finish_reason,
        usage=completion.usage,
        is_billable=True,
        message=message,
    )


def _end_of(completion: Completion) -> tuple[Status, str]:
    if completion.refusal:
        return Status.REFUSED, f"the model refused: {completion.refusal[:200]}"
    if completion.finish_reason == "content_filter":
        return Status.REFUSED, "a filter of the server stopped the reply"
    if completion.finish_reason == "length":
        return Status.TRUNCATED, "the reply was cut at the output limit"
    if completion.finish_reason in ("tool_calls", "function_call"):
        return Status.INVALID_REPLY, "the model called a tool instead of answering"
    if completion.text is None:
        return Status.INVALID_REPLY, "empty: the reply holds no text"
    return Status.ANSWERED, ""
