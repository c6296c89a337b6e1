"""One HTTP request through the `openai` client, and every way it can go wrong as a value.

The client's own retries are off: what is repeated is decided, counted and recorded by the
asker. Redirects are not followed, bodies are bounded, and wall time is bounded as a whole,
since a server that drips bytes never trips a time limit on reads.
"""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ingest.endpoint.attempt import Attempt, attempt_of
from ingest.endpoint.client import open_client
from ingest.endpoint.reply import Status
from ingest.endpoint.retries import retry_after
from ingest.endpoint.settings import RoleSettings, redacted
from ingest.endpoint.wire import BodyError, read_completion

if TYPE_CHECKING:
    import openai

MESSAGE_CHARS = 500


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
            message = _clean(str(error), self._secrets)
            return Attempt(
                Status.INVALID_REPLY, elapsed(), 200, is_billable=True, code="body", message=message
            )
        except Exception as error:
            attempt = attempt_of_error(error, elapsed(), settings, self._secrets)
            if attempt is None:
                raise
            return attempt

    async def close(self) -> None:
        """Close all connections."""
        clients, self._clients = list(self._clients.values()), {}
        for client in clients:
            await client.close()

    def _client(self, settings: RoleSettings) -> openai.AsyncOpenAI:
        key = "" if settings.api_key is None else settings.api_key.reveal()
        known = self._clients.get((settings.base_url, key))
        if known is None:
            known = open_client(settings)
            self._clients[settings.base_url, key] = known
        return known


def attempt_of_error(
    error: Exception, latency_ms: int, settings: RoleSettings, secrets: tuple[str, ...]
) -> Attempt | None:
    """Return the attempt behind an error of the client; None for one that is not the client's.

    Args:
        error: what the client raised.
        latency_ms: wall time in milliseconds.
        settings: whom it was sent to.
        secrets: keys that no message may repeat.
    """
    import openai

    if isinstance(error, openai.APITimeoutError):
        message = "the connection gave no answer in time"
        return Attempt(Status.TIMED_OUT, latency_ms, is_billable=True, message=message)
    if isinstance(error, openai.APIStatusError):
        return _refused(error, latency_ms, settings, secrets)
    if isinstance(error, openai.APIConnectionError):
        cause = error.__cause__
        told = f"{type(cause).__name__}: {cause}" if cause else str(error)
        return Attempt(
            Status.UNAVAILABLE,
            latency_ms,
            is_billable=type(cause).__name__ != "ConnectError",
            message=_clean(f"no connection, or it broke: {told}", secrets),
        )
    if isinstance(error, openai.OpenAIError | ValueError):
        message = f"the client cannot send it: {type(error).__name__}: {error}"
        return Attempt(Status.REJECTED, latency_ms, message=_clean(message, secrets))
    return None


def status_of(http_status: int, code: str | None) -> Status:
    """Return how a request ended that got a status of 300 or more, and perhaps an error code."""
    if http_status == 429 and code != "insufficient_quota":
        return Status.RATE_LIMITED
    if http_status in (408, 409, 425) or http_status >= 500:
        return Status.UNAVAILABLE
    return Status.REJECTED


def _refused(
    error: openai.APIStatusError,
    latency_ms: int,
    settings: RoleSettings,
    secrets: tuple[str, ...],
) -> Attempt:
    code = error.status_code
    hint = ""
    if code in (401, 403):
        key = settings.api_key
        source = "no key was sent" if key is None else f"the key came from {key.name}"
        hint = f" ({source}; set PODIUM_JUDGE_API_KEY)"
    told = getattr(error, "code", None)
    return Attempt(
        status_of(code, told),
        latency_ms,
        http_status=code,
        retry_after=retry_after(error.response.headers, datetime.now(UTC)),
        code=_clean(told, secrets) if isinstance(told, str) else "",
        message=_clean(f"HTTP {code}{hint}: {_told(error)}", secrets),
    )


def _clean(text: str, secrets: tuple[str, ...]) -> str:
    return redacted(text, secrets)[:MESSAGE_CHARS]


def _told(error: openai.APIStatusError) -> str:
    message = error.body.get("message") if isinstance(error.body, dict) else None
    return message if isinstance(message, str) else error.message
