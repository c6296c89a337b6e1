"""One HTTP request through the `openai` client, and every way it can go wrong as a value.

The client's own retries are off: what is repeated is decided, counted and recorded by the
asker. Redirects are not followed, bodies are bounded, and wall time is bounded as a whole,
since a server that drips bytes never trips a time limit on reads.
"""

from __future__ import annotations

import asyncio
import functools
import ssl
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ingest.endpoint.attempt import Attempt, attempt_of
from ingest.endpoint.reply import Status
from ingest.endpoint.retries import retry_after
from ingest.endpoint.settings import RoleSettings, redacted
from ingest.endpoint.wire import BodyError, read_completion

if TYPE_CHECKING:
    import openai

MAX_BODY_BYTES = 16 * 1024 * 1024
# A compressed body grows up to a thousandfold.
MAX_ENCODED_BYTES = 256 * 1024
MESSAGE_CHARS = 500
_SENT_WITHOUT_KEY = "none"


class Transport:
    """Open clients, one an address and key. Made and used inside one event loop."""

    def __init__(self, secrets: tuple[str, ...]) -> None:
        self._secrets = secrets
        self._clients: dict[tuple[str, str], openai.AsyncOpenAI] = {}

    async def send(self, settings: RoleSettings, body: dict[str, Any], timeout: float) -> Attempt:
        """Send one chat completions request; never raises for what the endpoint does.

        Args:
            settings: address and key.
            body: the request body.
            timeout: wall time in seconds for connection, headers and body together.
        """
        # Before the clock starts: the first use of the client imports it.
        create = self._client(settings).chat.completions.with_raw_response.create
        started = time.monotonic()

        def elapsed() -> int:
            return round(1000 * (time.monotonic() - started))

        try:
            async with asyncio.timeout(timeout):
                response = await create(**body, timeout=timeout)
                status = response.http_response.status_code
            content = redacted(response.http_response.content.decode("utf-8"), self._secrets)
            return attempt_of(read_completion(content.encode("utf-8")), elapsed(), status)
        except TimeoutError:
            message = f"no whole answer within {timeout:g} s"
            return Attempt(Status.TIMED_OUT, elapsed(), is_billable=True, message=message)
        except (BodyError, UnicodeError) as error:
            # A body that is no completion may still have been billed.
            message = self._clean(str(error))
            return Attempt(
                Status.INVALID_REPLY, elapsed(), 200, is_billable=True, code="body", message=message
            )
        except Exception as error:
            attempt = self._failed(error, elapsed(), settings)
            if attempt is None:
                raise
            return attempt

    async def close(self) -> None:
        """Close all connections."""
        clients, self._clients = list(self._clients.values()), {}
        for client in clients:
            await client.close()

    def _client(self, settings: RoleSettings) -> openai.AsyncOpenAI:
        # The import takes half a second, which no offline command should pay.
        import openai

        key = "" if settings.api_key is None else settings.api_key.reveal()
        known = self._clients.get((settings.base_url, key))
        if known is None:
            known = openai.AsyncOpenAI(
                api_key=key or _SENT_WITHOUT_KEY,
                base_url=settings.base_url,
                max_retries=0,
                default_headers={"Accept-Encoding": "identity"},
                http_client=openai.DefaultAsyncHttpxClient(
                    verify=_certificates(),
                    follow_redirects=False,
                    event_hooks={"response": [_bound]},
                ),
            )
            self._clients[settings.base_url, key] = known
        return known

    def _failed(self, error: Exception, latency_ms: int, settings: RoleSettings) -> Attempt | None:
        import openai

        if isinstance(error, openai.APITimeoutError):
            message = "the connection gave no answer in time"
            return Attempt(Status.TIMED_OUT, latency_ms, is_billable=True, message=message)
        if isinstance(error, openai.APIStatusError):
            return self._refused(error, latency_ms, settings)
        if isinstance(error, openai.APIConnectionError):
            cause = error.__cause__
            told = f"{type(cause).__name__}: {cause}" if cause else str(error)
            return Attempt(
                Status.UNAVAILABLE,
                latency_ms,
                is_billable=type(cause).__name__ != "ConnectError",
                message=self._clean(f"no connection, or it broke: {told}"),
            )
        if isinstance(error, openai.OpenAIError | ValueError):
            return Attempt(
                Status.REJECTED,
                latency_ms,
                message=self._clean(f"the client cannot send it: {type(error).__name__}: {error}"),
            )
        return None

    def _refused(
        self, error: openai.APIStatusError, latency_ms: int, settings: RoleSettings
    ) -> Attempt:
        code = error.status_code
        hint = ""
        if code in (401, 403):
            key = settings.api_key
            source = "no key was sent" if key is None else f"the key came from {key.name}"
            hint = f" ({source}; set PODIUM_JUDGE_API_KEY)"
        told = getattr(error, "code", None)
        if code == 429 and told != "insufficient_quota":
            status = Status.RATE_LIMITED
        elif code in (408, 409, 425) or code >= 500:
            status = Status.UNAVAILABLE
        else:
            status = Status.REJECTED
        return Attempt(
            status,
            latency_ms,
            http_status=code,
            retry_after=retry_after(error.response.headers, datetime.now(UTC)),
            code=self._clean(told) if isinstance(told, str) else "",
            message=self._clean(f"HTTP {code}{hint}: {_told(error)}"),
        )

    def _clean(self, text: str) -> str:
        return redacted(text, self._secrets)[:MESSAGE_CHARS]


def _told(error: openai.APIStatusError) -> str:
    message = error.body.get("message") if isinstance(error.body, dict) else None
    return message if isinstance(message, str) else error.message


@functools.cache
def _certificates() -> ssl.SSLContext:
    """Return the trusted certificates, which take 50 ms to read, once a process."""
    import httpx2

    return httpx2.create_ssl_context()


async def _bound(response: Any) -> None:
    """Let the body of a response end with an error at the bound."""
    is_encoded = response.headers.get("content-encoding", "identity") != "identity"
    limit = MAX_ENCODED_BYTES if is_encoded else MAX_BODY_BYTES
    response.stream = _bounded_stream(response.stream, limit)


def _bounded_stream(inner: Any, limit: int) -> Any:
    import httpx2

    class Bounded(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            count = 0
            async for chunk in inner:
                count += len(chunk)
                if count > limit:
                    raise httpx2.ReadError(f"the body has more than {limit:,} bytes")
                yield chunk

        async def aclose(self) -> None:
            await inner.aclose()

    return Bounded()
