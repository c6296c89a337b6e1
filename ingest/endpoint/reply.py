"""What comes back for one request: always a reply, never an exception."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Any

from ingest.endpoint.parsing import ParseLevel
from ingest.endpoint.settings import OutputMode


class Status(StrEnum):
    """How a request, or one attempt at it, ended. The list is closed.

    answered: a value that keeps the schema; the only status that is cached.
    refused: the model or a filter of the server declined.
    truncated: cut at the output limit, also at the larger one.
    invalid_reply: no value, or none that keeps the schema, or no chat completion at all.
    rate_limited: 429 to the last attempt.
    timed_out: no whole answer in time.
    unavailable: 5xx, no connection, or a connection that broke; or not in the cache of a replay.
    rejected: any other status, such as 400, 401, 404 or a redirect; asking again is no use.
    stopped: not asked, because of a budget or an interrupt.
    """

    ANSWERED = "answered"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    INVALID_REPLY = "invalid_reply"
    RATE_LIMITED = "rate_limited"
    TIMED_OUT = "timed_out"
    UNAVAILABLE = "unavailable"
    REJECTED = "rejected"
    STOPPED = "stopped"


@dataclass(frozen=True)
class Usage:
    """Tokens as the server reported them; None where it did not."""

    input_tokens: int | None = None
    cached_input_tokens: int | None = None
    output_tokens: int | None = None

    @property
    def is_known(self) -> bool:
        """Return whether a cost can be computed from it."""
        return self.input_tokens is not None and self.output_tokens is not None


@dataclass(frozen=True)
class Reply:
    """The end of one request.

    Attributes:
        status: how it ended.
        request_key: key of the request; a replay needs it in its cache.
        model_asked: model that the request named.
        model_served: model that the server says answered; of the first asking when cached.
        text: what the model wrote, as far as anything came.
        value: parsed reply that keeps the schema; None unless answered.
        parse_level: how the value was found in the text.
        output_mode: mode that worked.
        usage: tokens of the last attempt.
        latency_ms: wall time of the last attempt in milliseconds, of the first asking when
            cached; None when nothing was sent.
        attempt_count: HTTP requests sent now; 0 when cached.
        cost_usd: cost of all attempts now; None when a price or a token count is unknown.
        price_date: `valid_from` of the price that was used.
        is_cached: whether nothing was asked.
        message: why it did not end well; never holds a key.
    """

    status: Status
    request_key: str
    model_asked: str
    model_served: str | None = None
    text: str | None = None
    value: Any = None
    parse_level: ParseLevel | None = None
    output_mode: OutputMode | None = None
    usage: Usage = field(default_factory=Usage)
    latency_ms: int | None = None
    attempt_count: int = 0
    cost_usd: Decimal | None = None
    price_date: str | None = None
    is_cached: bool = False
    message: str = ""

    @property
    def is_answered(self) -> bool:
        """Return whether `value` may be used."""
        return self.status is Status.ANSWERED
