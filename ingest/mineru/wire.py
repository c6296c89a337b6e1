"""HTTP requests to MinerU: bounded in time and size, repeated where repeating can help.

Redirects are not followed and compressed bodies not taken: either would go round a bound. No
message holds an address, since addresses of uploads and results are signed and as good as keys.
"""

from __future__ import annotations

import asyncio
import functools
import random
import ssl
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import httpx2

from ingest.documents.policy import MIB
from ingest.endpoint.retries import retry_after
from ingest.endpoint.settings import redacted
from ingest.mineru.outcome import Outcome, ParseFailureError, shown
from ingest.mineru.settings import MineruSettings

JSON_BYTES = 64 * MIB
LONGEST_BACKOFF_SECONDS = 30.0
_BUSY = frozenset({408, 425, 500, 502, 503, 504})
_REFUSED = frozenset({401, 403})


@dataclass(frozen=True)
class Call:
    """One request.

    Attributes:
        method: GET, POST or PUT.
        url: where.
        what: what it is for, in messages, such as `the upload`.
        seconds: time of one attempt.
        with_key: whether the key goes along: to the configured address alone.
        body: arguments of the client: `json`, `content`, or `data` and `files`.
        most_bytes: bound on the body of the answer.
        max_attempts: attempts at most; None takes the setting.
        check: finds the failure that a body tells under a status of success.
    """

    method: str
    url: str
    what: str
    seconds: float
    with_key: bool = False
    body: Mapping[str, Any] = field(default_factory=dict, repr=False)
    most_bytes: int = JSON_BYTES
    max_attempts: int | None = None
    check: Callable[[bytes], ParseFailureError | None] | None = None


@dataclass(frozen=True)
class Answer:
    """One answer that is neither busy nor a redirect: HTTP status, body, seconds to wait."""

    status: int
    body: bytes = field(repr=False)
    retry_after: float | None = None

    @property
    def is_ok(self) -> bool:
        """Return whether the server took the request."""
        return 200 <= self.status < 300


class Wire:
    """The connections of one PDF, and the clock that bounds all of them together."""

    def __init__(self, client: httpx2.AsyncClient, settings: MineruSettings) -> None:
        self._client = client
        self._settings = settings
        self._deadline = time.monotonic() + settings.total_seconds
        self._draw = random.Random()

    @property
    def seconds_left(self) -> float:
        """Return the time that is left for this PDF."""
        return self._deadline - time.monotonic()

    async def send(self, call: Call) -> Answer:
        """Send a request, again where it met a busy or broken server.

        Returns:
            An answer of status 2xx, or of 4xx that repeating would not change.

        Raises:
            ParseFailureError: rate_limited, timed_out, unavailable, refused, too_large or
                invalid_reply.
        """
        failures = 0
        most = call.max_attempts or self._settings.max_attempts
        while True:
            failure, asked = await self._attempt(call)
            if isinstance(failure, Answer):
                return failure
            failures += 1
            if not failure.outcome.is_about_the_server or failures >= most:
                raise failure
            wait = self._backoff(failures) if asked is None else asked
            if wait >= self.seconds_left:
                raise failure
            await asyncio.sleep(wait)

    def clean(self, text: object) -> str:
        """Return text of the server as it may be shown."""
        return shown(redacted(str(text), self._settings.secrets))

    async def _attempt(self, call: Call) -> tuple[Answer | ParseFailureError, float | None]:
        """Return what one attempt came to, and the seconds that the server asked to wait."""
        seconds = max(0.0, min(call.seconds, self.seconds_left))
        try:
            async with asyncio.timeout(seconds):
                answer = await self._exchange(call)
        except ParseFailureError as failure:
            return failure, None
        except (TimeoutError, httpx2.TimeoutException):
            message = f"{call.what} gave no whole answer within {seconds:.3g} s"
            return ParseFailureError(Outcome.TIMED_OUT, message), None
        except httpx2.TransportError as error:
            message = self.clean(f"{call.what}: no connection, or it broke: {type(error).__name__}")
            return ParseFailureError(Outcome.UNAVAILABLE, message), None
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
            message = self.clean(f"{call.what} cannot be sent: {type(error).__name__}")
            return ParseFailureError(Outcome.INVALID_REPLY, message), None
        refusal = self._failure_of(call, answer)
        return (answer, None) if refusal is None else (refusal, answer.retry_after)

    async def _exchange(self, call: Call) -> Answer:
        headers = {"Accept-Encoding": "identity"}
        key = self._settings.api_key
        if call.with_key and key is not None:
            headers["Authorization"] = f"Bearer {key.reveal()}"
        request = self._client.build_request(call.method, call.url, headers=headers, **call.body)
        response = await self._client.send(request, stream=True)
        try:
            if response.headers.get("content-encoding", "identity").lower() != "identity":
                raise ParseFailureError(Outcome.INVALID_REPLY, f"{call.what}: compressed unasked")
            body = bytearray()
            async for chunk in response.aiter_raw():
                body += chunk
                if len(body) > call.most_bytes:
                    message = f"{call.what}: the answer has more than {call.most_bytes} bytes"
                    raise ParseFailureError(Outcome.TOO_LARGE, message)
        finally:
            await response.aclose()
        wait = retry_after(response.headers, datetime.now(UTC))
        return Answer(response.status_code, bytes(body), wait)

    def _failure_of(self, call: Call, answer: Answer) -> ParseFailureError | None:
        told = f"{call.what}: HTTP {answer.status}"
        if answer.status == 429:
            return ParseFailureError(Outcome.RATE_LIMITED, told)
        if answer.status in _BUSY:
            message = self.clean(f"{told}: {answer.body[:200].decode('utf-8', 'replace')}")
            return ParseFailureError(Outcome.UNAVAILABLE, message, answer.status)
        if 300 <= answer.status < 400 or answer.status < 200:
            return ParseFailureError(Outcome.INVALID_REPLY, f"{told}; redirects are not followed")
        if call.with_key and answer.status in _REFUSED:
            return ParseFailureError(Outcome.REFUSED, f"{told}; set MINERU_API_KEY")
        return None if call.check is None else call.check(answer.body)

    def _backoff(self, failures: int) -> float:
        bound = self._settings.backoff_seconds * 2.0 ** min(failures - 1, 30)
        return self._draw.uniform(0, min(LONGEST_BACKOFF_SECONDS, bound))


@asynccontextmanager
async def opened_wire(settings: MineruSettings) -> AsyncIterator[Wire]:
    """Yield connections for one PDF; its time runs from here."""
    timeout = httpx2.Timeout(settings.attempt_seconds, read=None, write=None)
    async with httpx2.AsyncClient(
        verify=_certificates(), follow_redirects=False, timeout=timeout
    ) as client:
        yield Wire(client, settings)


@functools.cache
def _certificates() -> ssl.SSLContext:
    """Return the trusted certificates, which take 50 ms to read, once a process."""
    return httpx2.create_ssl_context()
