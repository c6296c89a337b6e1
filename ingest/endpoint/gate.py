"""When a request may go out: free slot, even pace, a pause that the server asked for.

A slot is held while a request is in flight and at no other time, so that neither a slow
request nor one that waits to be asked again keeps others back.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ingest.endpoint.settings import EndpointSettings

LONGEST_PAUSE_SECONDS = 60.0


class Gate:
    """Slots and pace of one session. Made and used inside one event loop."""

    def __init__(self, settings: EndpointSettings) -> None:
        rate = settings.requests_per_minute
        self._slots = asyncio.Semaphore(settings.concurrency)
        self._interval = 0.0 if rate is None else 60.0 / rate
        self._next_start = 0.0
        self._paused_until: dict[str, float] = {}
        self._failures: Counter[str] = Counter()
        self._last_failure: dict[str, str] = {}
        self._give_up_after = settings.give_up_after

    @asynccontextmanager
    async def slot(self, base_url: str) -> AsyncIterator[None]:
        """Hold a slot from the moment on at which the pace and pauses allow a request."""
        while True:
            await self._until(self._paused_until.get(base_url, 0.0))
            await self._slots.acquire()
            if self._paused_until.get(base_url, 0.0) <= time.monotonic():
                break
            # A pause began meanwhile; the slot may serve another address.
            self._slots.release()
        try:
            await self._pace()
            yield
        finally:
            self._slots.release()

    def pause(self, base_url: str, seconds: float) -> None:
        """Send nothing to an address for a time, since it said that it is too busy."""
        until = time.monotonic() + min(seconds, LONGEST_PAUSE_SECONDS)
        self._paused_until[base_url] = max(until, self._paused_until.get(base_url, 0.0))

    def tell(self, base_url: str, failure: str | None) -> None:
        """Count how a request ended: failures in a row, any answer (None) sets them back."""
        self._failures[base_url] = 0 if failure is None else self._failures[base_url] + 1
        self._last_failure[base_url] = failure or ""

    def is_given_up(self, base_url: str) -> bool:
        """Return whether so many requests failed in a row that asking on is no use."""
        return self._failures[base_url] >= self._give_up_after

    def last_failure(self, base_url: str) -> str:
        """Return why the last request failed; blank when it did not."""
        return self._last_failure.get(base_url, "")

    async def _pace(self) -> None:
        if self._interval:
            start = max(time.monotonic(), self._next_start)
            self._next_start = start + self._interval
            await self._until(start)

    @staticmethod
    async def _until(moment: float) -> None:
        delay = moment - time.monotonic()
        if delay > 0:
            await asyncio.sleep(delay)
