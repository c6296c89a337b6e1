"""Clients of the `openai` package: no retries, no redirects, bounded bodies."""

from __future__ import annotations

import functools
import ssl
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from ingest.endpoint.settings import RoleSettings

if TYPE_CHECKING:
    import openai

MAX_BODY_BYTES = 16 * 1024 * 1024
# A compressed body grows up to a thousandfold.
MAX_ENCODED_BYTES = 256 * 1024
_SENT_WITHOUT_KEY = "none"


def open_client(settings: RoleSettings, body_bytes: int = MAX_BODY_BYTES) -> openai.AsyncOpenAI:
    """Return a new client for the address and key of a role.

    Args:
        settings: address and key; a server that wants none gets a placeholder.
        body_bytes: the most that the body of a response may hold; beyond, the connection fails.
    """
    # The import takes half a second, which no offline command should pay.
    import openai

    async def bound(response: Any) -> None:
        is_encoded = response.headers.get("content-encoding", "identity") != "identity"
        limit = MAX_ENCODED_BYTES if is_encoded else body_bytes
        response.stream = _bounded_stream(response.stream, limit)

    key = "" if settings.api_key is None else settings.api_key.reveal()
    return openai.AsyncOpenAI(
        api_key=key or _SENT_WITHOUT_KEY,
        base_url=settings.base_url,
        max_retries=0,
        default_headers={"Accept-Encoding": "identity"},
        http_client=openai.DefaultAsyncHttpxClient(
            verify=_certificates(),
            follow_redirects=False,
            event_hooks={"response": [bound]},
        ),
    )


@functools.cache
def _certificates() -> ssl.SSLContext:
    """Return the trusted certificates, which take 50 ms to read, once a process."""
    import httpx2

    return httpx2.create_ssl_context()


def _bounded_stream(inner: Any, limit: int) -> Any:
    """Return a stream that ends with an error at the bound."""
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
