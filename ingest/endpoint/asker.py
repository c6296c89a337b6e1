"""Asks until a request has its end: cache, slot, budget, attempt, record, and what then.

Each request ends in one reply; nothing that an endpoint does raises. A reply is on disk
before anybody sees it, so that a kill costs only what was in flight.
"""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field, replace
from decimal import Decimal

from ingest.endpoint import modes
from ingest.endpoint.asking import Asking
from ingest.endpoint.attempt import Attempt
from ingest.endpoint.budget import Budget, Limits
from ingest.endpoint.cache import ReplyCache
from ingest.endpoint.calls import CallLog, Clock, call_of_attempt, call_of_cached, utc_now
from ingest.endpoint.gate import Gate
from ingest.endpoint.prices import PriceTable
from ingest.endpoint.reply import Reply, Status
from ingest.endpoint.request import Request, Target, request_key
from ingest.endpoint.retries import backoff
from ingest.endpoint.settings import EndpointSettings, RoleSettings
from ingest.endpoint.transport import Transport
from ingest.endpoint.wire import chat_body

TRANSIENT = (Status.RATE_LIMITED, Status.TIMED_OUT, Status.UNAVAILABLE)
# What tells of the endpoint rather than of one request.
_FAILED = (*TRANSIENT, Status.REJECTED)


@dataclass(frozen=True)
class Stores:
    """What outlives a session: the cache, the record of calls (None: not kept), prices."""

    cache: ReplyCache
    calls: CallLog | None = None
    prices: PriceTable = field(default_factory=PriceTable)


class Asker:
    """Answers requests from cache and endpoint. Made and used inside one event loop.

    Args:
        settings: endpoints, concurrency, retries.
        stores: cache, record, prices.
        limits: what may be used in all.
        clock: gives times and dates for records.
        draw: source of the random part of waits.
    """

    def __init__(
        self,
        settings: EndpointSettings,
        stores: Stores,
        limits: Limits,
        clock: Clock = utc_now,
        draw: random.Random | None = None,
    ) -> None:
        self._settings = settings
        self._stores = stores
        self._clock = clock
        self._draw = draw or random.Random()
        self._gate = Gate(settings)
        self._transport = Transport(settings.secrets)
        self._in_flight: dict[str, asyncio.Task[Reply]] = {}
        self._is_stopped = False
        self.budget = Budget(limits)

    async def ask(self, request: Request) -> Reply:
        """Return the end of one request; equal requests at one time are asked once."""
        settings = self._settings.of(request.role)
        key = request_key(request, Target.of(settings))
        while not self._is_stopped:
            running = self._in_flight.get(key)
            is_first = running is None or running.done()
            if running is None or running.done():
                running = asyncio.ensure_future(self._answer(request, key, settings))
                self._in_flight[key] = running
            try:
                reply = await (running if is_first else asyncio.shield(running))
            except asyncio.CancelledError:
                if not running.cancelled() or _is_cancelling():
                    raise
                # Not this caller was cancelled but who asked first: ask again, or stop.
                continue
            finally:
                if self._in_flight.get(key) is running and is_first:
                    del self._in_flight[key]
            if is_first:
                return reply
            # Somebody else's request served this one too: nothing was asked or paid for it.
            is_cached = reply.is_answered
            return replace(reply, is_cached=is_cached, attempt_count=0, cost_usd=Decimal(0))
        return Reply(Status.STOPPED, key, settings.model, message="stopped by an interrupt")

    def stop(self) -> None:
        """Ask nothing more; what is under way ends as `stopped`."""
        self._is_stopped = True
        for running in self._in_flight.values():
            running.cancel()

    async def close(self) -> None:
        """Close all connections."""
        await self._transport.close()

    async def _answer(self, request: Request, key: str, settings: RoleSettings) -> Reply:
        started_at = self._now()
        cached = self._stores.cache.get(request, key)
        if cached is not None:
            if self._stores.calls is not None:
                call = call_of_cached(cached, started_at)
                self._stores.calls.add(request, Target.of(settings), call)
            return cached
        asking = Asking(
            request,
            key,
            settings,
            modes.first_dialect(settings),
            request.sampling.max_output_tokens,
            price=self._stores.prices.at(settings.model, self._clock().date()),
        )
        if self._gate.is_given_up(settings.base_url):
            last = self._gate.last_failure(settings.base_url)
            message = f"not asked, since {self._settings.give_up_after} failed in a row: {last}"
            return asking.reply(Status.UNAVAILABLE, message=message)
        reply = await self._ask_until_done(asking)
        if reply.status is not Status.STOPPED:
            failure = reply.message if reply.status in _FAILED else None
            self._gate.tell(settings.base_url, failure)
        return reply

    async def _ask_until_done(self, asking: Asking) -> Reply:
        while True:
            reply, attempt = await self._attempt(asking)
            if attempt is None:
                return reply
            wait = self._wait_before_next(asking, reply, attempt)
            if wait is None and reply.status is Status.REJECTED and asking.cut is not None:
                # The larger limit is more than the model has: it stays the truncated reply.
                return replace(
                    asking.cut, attempt_count=reply.attempt_count, cost_usd=reply.cost_usd
                )
            if wait is None:
                return reply
            await asyncio.sleep(wait)

    async def _attempt(self, asking: Asking) -> tuple[Reply, Attempt | None]:
        """Send one request; return how it ended, and the attempt if there was one."""
        base_url = asking.settings.base_url
        async with self._gate.slot(base_url):
            now = time.monotonic()
            asking.deadline = asking.deadline or now + self._settings.total_seconds
            reservation = await self.budget.admit(asking.worst_cost())
            if reservation is None:
                return asking.reply(Status.STOPPED, message=self.budget.reason), None
            asking.attempt_count += 1
            started_at = self._now()
            timeout = max(0.05, min(asking.settings.timeout_seconds, asking.deadline - now))
            attempt = Attempt(
                Status.STOPPED, 0, is_billable=True, message="stopped while in flight"
            )
            cost: Decimal | None = None
            try:
                body = chat_body(
                    asking.request,
                    asking.settings.model,
                    asking.dialect.mode,
                    asking.limit,
                    asking.dialect.limit_name,
                )
                attempt = await self._transport.send(asking.settings, body, timeout)
                if attempt.status is Status.RATE_LIMITED and attempt.retry_after is not None:
                    self._gate.pause(base_url, attempt.retry_after)
            finally:
                cost = asking.cost_of(attempt)
                await self.budget.settle(reservation, cost)
                asking.add_cost(cost)
                reply = asking.read(attempt, self._settings.secrets)
                if self._stores.calls is not None:
                    call = call_of_attempt(attempt, reply, started_at, cost)
                    add = self._stores.calls.add
                    await asyncio.to_thread(add, asking.request, asking.target, call)
            # Still in the slot: no more replies than slots are ever off the disk.
            if reply.is_answered:
                await asyncio.to_thread(
                    self._stores.cache.put, asking.request, asking.target, reply
                )
        return reply, attempt

    def _wait_before_next(self, asking: Asking, reply: Reply, attempt: Attempt) -> float | None:
        """Return the seconds until the next attempt; None when this was the last."""
        settings = self._settings
        wait: float | None = None
        if attempt.http_status == 200:
            modes.remember(asking.dialect, asking.settings)
        if reply.status is Status.REJECTED and asking.cut is None:
            following = modes.next_dialect(asking.dialect, asking.settings, attempt)
            if following is not None:
                asking.dialect = following
                wait = 0.0
        elif reply.status is Status.TRUNCATED:
            asking.truncations += 1
            asking.limit *= 2
            asking.cut = reply
            wait = 0.0 if asking.truncations <= settings.truncation_retries else None
        elif reply.status in TRANSIENT or attempt.code == "body":
            asking.failures += 1
            if asking.failures < settings.max_attempts:
                wait = backoff(settings, asking.failures, self._draw)
                wait = max(wait, attempt.retry_after or 0.0)
        elif reply.status is Status.INVALID_REPLY:
            asking.invalid += 1
            wait = 0.0 if asking.invalid <= settings.invalid_retries else None
        if wait is not None and time.monotonic() + wait >= asking.deadline:
            return None
        return wait

    def _now(self) -> str:
        return self._clock().isoformat(timespec="milliseconds")


def _is_cancelling() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
