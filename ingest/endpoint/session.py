"""The way in: a session of requests to endpoints, used from ordinary, blocking code.

    with EndpointSession(settings, Stores(cache, calls, prices), limits) as session:
        replies = session.ask_all(requests)

A session runs its own event loop in one thread, so that several threads may ask at once. A
replay has the same methods and answers from the cache alone.
"""

from __future__ import annotations

import asyncio
import queue
import random
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from types import TracebackType
from typing import Any, Protocol, TypeVar

from ingest.endpoint.asker import Asker, Stores
from ingest.endpoint.budget import Limits
from ingest.endpoint.calls import Clock, call_of_cached, utc_now
from ingest.endpoint.reply import Reply, Status
from ingest.endpoint.request import Request, Target, request_key
from ingest.endpoint.settings import EndpointSettings

Told = Callable[[int, int], None]
T = TypeVar("T")
# Requests looked at ahead of those in flight, so that none waits for another's back-off.
_AHEAD = 4


class Session(Protocol):
    """Somebody who answers requests: an endpoint, or a replay of what it said."""

    def ask(self, request: Request) -> Reply:
        """Return the end of one request."""

    def ask_all(self, requests: Sequence[Request], told: Told | None = None) -> list[Reply]:
        """Return the ends of all requests in their order; `told` hears done and total."""

    def as_completed(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        """Yield the 0-based position and the end of each request, as soon as it is known."""

    def stop(self) -> None:
        """Ask nothing more; callable from any thread."""


class EndpointSession:
    """Asks endpoints; a context manager.

    `ask`, `ask_all` and `as_completed` never raise for what an endpoint does: a reply carries
    its status. After Ctrl-C nothing more is asked, and what was answered is in the cache.

    Args:
        settings: endpoints, concurrency, retries.
        stores: cache, record of calls, prices.
        limits: what the session may use.
        clock: gives times and dates for records.
        draw: source of the random part of waits.

    Raises:
        UsageError: when a budget in dollars is set and a model has no price.
        OSError: from the asking methods, when the disk does not take a reply.
    """

    def __init__(
        self,
        settings: EndpointSettings,
        stores: Stores,
        limits: Limits | None = None,
        *,
        clock: Clock = utc_now,
        draw: random.Random | None = None,
    ) -> None:
        self._settings = settings
        self._stores = stores
        self._limits = limits or Limits()
        if self._limits.budget_usd is not None:
            models = [one.model for one in settings.roles.values()]
            stores.prices.require(models, clock().date())
        self._clock = clock
        self._draw = draw
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._asker: Asker | None = None

    def __enter__(self) -> EndpointSession:
        loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=loop.run_forever, name="podium-endpoint", daemon=True
        )
        self._thread.start()
        self._loop = loop
        self._asker = self._run(self._make())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._loop is None or self._thread is None:
            return
        try:
            self.stop()
            self._run(self._drain())
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
            self._loop = self._thread = self._asker = None
            self._stores.cache.close()
            if self._stores.calls is not None:
                self._stores.calls.close()

    def ask(self, request: Request) -> Reply:
        """Return the end of one request; may be called from several threads."""
        return self._run(self._open().ask(request))

    def ask_all(self, requests: Sequence[Request], told: Told | None = None) -> list[Reply]:
        """Return the ends of all requests in their order; `told` hears done and total."""
        return in_order(self.as_completed(requests), len(requests), told)

    def as_completed(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        """Yield the 0-based position and the end of each request, as soon as it is known."""
        asker = self._open()
        done: queue.SimpleQueue[tuple[int, Reply] | None] = queue.SimpleQueue()
        width = _AHEAD * self._settings.concurrency
        running = asyncio.run_coroutine_threadsafe(
            _ask_windowed(asker, requests, width, done.put), self._loop_of()
        )
        running.add_done_callback(lambda _: done.put(None))
        try:
            while (item := done.get()) is not None:
                yield item
            running.result()
        finally:
            # Of whom nobody listens any more, nothing more is asked.
            running.cancel()

    def stop(self) -> None:
        """Ask nothing more; what is under way ends as `stopped`. Callable from any thread."""
        if self._loop is not None and self._asker is not None:
            self._loop.call_soon_threadsafe(self._asker.stop)

    @property
    def stop_reason(self) -> str:
        """Return why the budget admits nothing more; blank while it does."""
        return "" if self._asker is None else self._asker.budget.reason

    async def _make(self) -> Asker:
        return Asker(self._settings, self._stores, self._limits, self._clock, self._draw)

    async def _drain(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        if others:
            await asyncio.wait(others)
        await self._open().close()

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop_of()).result()

    def _open(self) -> Asker:
        if self._asker is None:
            raise RuntimeError("the session is not open: use it in a `with` statement")
        return self._asker

    def _loop_of(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            raise RuntimeError("the session is not open: use it in a `with` statement")
        return self._loop


class ReplaySession:
    """Answers from the cache alone; what is not there is `unavailable`, its key named.

    It holds to the addresses and models of the settings, since they are part of every key,
    and needs no key and no network.
    """

    def __init__(
        self, settings: EndpointSettings, stores: Stores, *, clock: Clock = utc_now
    ) -> None:
        self._settings = settings
        self._stores = stores
        self._clock = clock
        self._is_stopped = False

    def __enter__(self) -> ReplaySession:
        return self

    def __exit__(self, *_: object) -> None:
        self._stores.cache.close()
        if self._stores.calls is not None:
            self._stores.calls.close()

    def ask(self, request: Request) -> Reply:
        """Return the kept reply of one request."""
        target = Target.of(self._settings.of(request.role))
        key = request_key(request, target)
        if self._is_stopped:
            return Reply(Status.STOPPED, key, target.model, message="stopped by an interrupt")
        reply = self._stores.cache.get(request, key)
        if reply is None:
            message = f"request {key} is not in the cache; ask the endpoint, then replay"
            return Reply(Status.UNAVAILABLE, key, target.model, message=message)
        if self._stores.calls is not None:
            started_at = self._clock().isoformat(timespec="milliseconds")
            self._stores.calls.add(request, target, call_of_cached(reply, started_at))
        return reply

    def ask_all(self, requests: Sequence[Request], told: Told | None = None) -> list[Reply]:
        """Return the kept replies in the order of the requests."""
        return in_order(self.as_completed(requests), len(requests), told)

    def as_completed(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        """Yield the 0-based position and the kept reply of each request."""
        for position, request in enumerate(requests):
            yield position, self.ask(request)

    def stop(self) -> None:
        """Replay nothing more."""
        self._is_stopped = True


def in_order(completed: Iterator[tuple[int, Reply]], total: int, told: Told | None) -> list[Reply]:
    """Return replies sorted by position, telling how many are done."""
    replies: dict[int, Reply] = {}
    for position, reply in completed:
        replies[position] = reply
        if told is not None:
            told(len(replies), total)
    return [replies[position] for position in range(total)]


async def _ask_windowed(
    asker: Asker,
    requests: Sequence[Request],
    width: int,
    put: Callable[[tuple[int, Reply]], None],
) -> None:
    """Ask all requests, at most `width` of them under way at once."""
    upcoming = iter(enumerate(requests))

    async def work() -> None:
        for position, request in upcoming:
            put((position, await asker.ask(request)))

    await asyncio.gather(*(work() for _ in range(min(width, len(requests)))))
