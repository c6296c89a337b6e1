"""Brings batches to their end: sent, waited for, their replies put into the cache.

A batch only fills the cache; who needs a reply finds it there. Every step is on disk before
the next is begun, so that after a kill nothing that may have been paid for is sent again.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from ingest.endpoint.batch_client import BatchClient
from ingest.endpoint.batch_errors import BatchError, BatchPendingError, MissingError
from ingest.endpoint.batch_files import CheckOf, Form, Sent, read_sent
from ingest.endpoint.batch_results import Settled, Taking
from ingest.endpoint.batch_store import INPUT_FILE, BatchRecord, BatchStore, State
from ingest.endpoint.batch_wire import Seen
from ingest.endpoint.cache import ReplyCache, cache_folder
from ingest.endpoint.calls import CallLog, calls_folder, sent_at
from ingest.endpoint.prices import PriceTable
from ingest.endpoint.settings import EndpointSettings, Role, RoleSettings
from warehouse.errors import InputError
from warehouse.paths import WarehousePaths

Say = Callable[[str], None]


@dataclass
class Ended:
    """What some batches came to.

    Attributes:
        next_forms: requests that were rejected for their form or cut at their limit, with the
            form to send them in next.
        troubles: why batches did not end as they should.
    """

    next_forms: dict[str, Form] = field(default_factory=dict)
    troubles: list[str] = field(default_factory=list)


class BatchAsker:
    """Works on the batches of a warehouse; the caller holds the store's lock.

    Args:
        paths: the warehouse.
        store: its batches.
        settings: endpoints, retries, how long to wait.
        prices: the user's price table.
        say: told what happens, a line each.
        check_of: gives the check of a request's values anew; see `read_sent`.
        draw: source of the random part of waits.
    """

    def __init__(
        self,
        paths: WarehousePaths,
        store: BatchStore,
        settings: EndpointSettings,
        prices: PriceTable,
        say: Say,
        check_of: CheckOf = lambda name, ids: None,
        draw: random.Random | None = None,
    ) -> None:
        self._paths = paths
        self._store = store
        self._settings = settings
        self._prices = prices
        self._say = say
        self._check_of = check_of
        self._draw = draw
        self._numbers: dict[str, int] = {}

    def resume(self) -> Ended:
        """Bring the open batches of these endpoints to their end; others stay as they are.

        What was written and never sent is dropped: it is written again, within the limits of
        the command of today.

        Raises:
            BatchError: when the provider refuses, or a batch cannot be found.
            BatchPendingError: when batches take too long, or the provider cannot be reached.
        """
        self._store.sweep()
        records = self._store.open_records()
        mine = [one for one in records if self._role_of(one) is not None]
        if len(mine) < len(records):
            count = len(records) - len(mine)
            self._say(f"{_counted(count)} of other endpoints: left as they are")
        if not mine:
            return Ended()
        self._say(f"going on with {_counted(len(mine))} of an earlier command")
        return asyncio.run(self._work(mine, lambda key, cost: None, is_resumed=True))

    def complete(self, records: Sequence[BatchRecord], settled: Settled) -> Ended:
        """Send batches that are written, wait for them, and take their replies.

        Args:
            records: of `BatchFiles.close`.
            settled: hears what each request cost in US dollars, None when that is unknown.

        Raises:
            BatchError: when the provider refuses.
            BatchPendingError: when batches take too long, or the provider cannot be reached.
            OSError: when the disk does not take a reply.
        """
        return asyncio.run(self._work(records, settled, is_resumed=False))

    async def _work(
        self, records: Sequence[BatchRecord], settled: Settled, *, is_resumed: bool
    ) -> Ended:
        clients: dict[tuple[str, str], BatchClient] = {}
        ended = Ended()
        try:
            waiting: list[tuple[BatchRecord, BatchClient]] = []
            for record in records:
                client = self._client(clients, record)
                created = await self._created(record, client)
                if created is not None:
                    waiting.append((created, client))
            await self._wait(waiting, settled, ended, is_resumed=is_resumed)
        finally:
            for client in clients.values():
                await client.close()
        return ended

    async def _created(self, record: BatchRecord, client: BatchClient) -> BatchRecord | None:
        """Return a batch that the provider works on; None when it was never made."""
        number = self._numbers.setdefault(record.local_id, len(self._numbers) + 1)
        seen: Seen | None
        if record.state is State.CREATED:
            self._say(f"batch {number}: {record.request_count} requests, waiting")
            return record
        if record.state is State.UPLOADED:
            seen = await client.find(str(record.input_file_id), record.local_id)
            if seen is None:
                self._store.drop(record.local_id)
                return None
        else:
            file = self._store.folder_of(record.local_id) / INPUT_FILE
            file_id = await client.upload(file)
            record = self._store.save(replace(record, state=State.UPLOADED, input_file_id=file_id))
            seen = await client.create(file_id, record.local_id)
        self._say(f"batch {number}: {record.request_count} requests sent, waiting")
        return self._store.save(replace(record, state=State.CREATED, batch_id=seen.batch_id))

    async def _wait(
        self,
        waiting: list[tuple[BatchRecord, BatchClient]],
        settled: Settled,
        ended: Ended,
        *,
        is_resumed: bool,
    ) -> None:
        deadline = time.monotonic() + self._settings.batch_total_seconds
        statuses: dict[str, str] = {}
        while waiting:
            for record, client in list(waiting):
                seen = await self._look(record, client)
                number = self._numbers[record.local_id]
                if seen.is_over:
                    await self._take(record, client, seen, settled, ended, is_resumed=is_resumed)
                    waiting.remove((record, client))
                elif statuses.get(record.local_id) != seen.status:
                    statuses[record.local_id] = seen.status
                    self._say(f"batch {number}: {seen.status}")
            if waiting and time.monotonic() >= deadline:
                raise BatchPendingError(
                    f"{_counted(len(waiting))} not done in "
                    f"{self._settings.batch_total_seconds:g} s",
                    expected="within PODIUM_JUDGE_BATCH_TOTAL_SECONDS",
                    fix="give the same command again: it goes on waiting and sends nothing twice",
                )
            if waiting:
                await asyncio.sleep(self._settings.batch_poll_seconds)

    async def _look(self, record: BatchRecord, client: BatchClient) -> Seen:
        try:
            return await client.look(str(record.batch_id))
        except MissingError as missing:
            folder = self._store.folder_of(record.local_id)
            raise BatchError(
                f"batch `{record.batch_id}` is not at `{record.base_url}`",
                expected="the batch, for the key that it was made with",
                got=str(missing),
                fix=f"set that key; if the batch is gone, remove {folder} to ask anew",
            ) from None

    async def _take(
        self,
        record: BatchRecord,
        client: BatchClient,
        seen: Seen,
        settled: Settled,
        ended: Ended,
        *,
        is_resumed: bool,
    ) -> None:
        """Put the replies of a batch that is over into the cache, and close it."""
        cache = ReplyCache(cache_folder(self._paths))
        folder = calls_folder(self._paths, record.context)
        calls = CallLog(folder, record.context)
        taking = Taking(
            record,
            self._sent(record),
            self._settings_of(record),
            self._settings.secrets,
            cache,
            calls,
            self._prices,
            sent_at(folder, record.created_at) if is_resumed else (),
            settled,
            self._settings.truncation_retries,
        )
        number = self._numbers[record.local_id]
        try:
            lost = await _take_files(client, seen, taking)
        finally:
            cache.close()
            calls.close()
        is_refused = seen.status == "failed"
        for key in taking.missing():
            # Of a batch that was refused as a whole nothing is charged.
            settled(key, Decimal(0) if is_refused else None)
        counts = taking.counts()
        self._store.close(record, State.LOST if is_refused or lost else State.TAKEN, counts)
        ended.next_forms.update(taking.next_forms)
        told = ", ".join(f"{count} {name}" for name, count in counts.items())
        self._say(f"batch {number}: {seen.status}: {told or 'nothing came'}")
        if lost:
            self._say(f"batch {number}: the provider has no file {', '.join(lost)} any more")
        if seen.status in ("failed", "cancelled"):
            reason = f": {seen.problems}" if seen.problems else ""
            ended.troubles.append(f"batch `{seen.batch_id}` {seen.status}{reason}")

    def _sent(self, record: BatchRecord) -> dict[str, Sent]:
        folder = self._store.folder_of(record.local_id)
        try:
            return read_sent(folder, record, self._check_of)
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise InputError(
                f"`{folder}` cannot be read",
                expected="what Podium wrote of the requests of a batch",
                got=repr(error)[:200],
                fix="its replies cannot be taken: remove the folder to ask anew, and pay again",
            ) from None

    def _client(
        self, clients: dict[tuple[str, str], BatchClient], record: BatchRecord
    ) -> BatchClient:
        settings = self._settings_of(record)
        key = "" if settings.api_key is None else settings.api_key.reveal()
        if (settings.base_url, key) not in clients:
            client = BatchClient(settings, self._settings, self._draw)
            clients[settings.base_url, key] = client
        return clients[settings.base_url, key]

    def _settings_of(self, record: BatchRecord) -> RoleSettings:
        found = self._role_of(record)
        assert found is not None
        return found

    def _role_of(self, record: BatchRecord) -> RoleSettings | None:
        """Return the endpoint of a batch: that of its role, else one of the same address."""
        roles = self._settings.roles
        first = [roles[role] for role in Role if role in roles and role.value == record.role]
        for one in (*first, *roles.values()):
            if (one.base_url, one.model) == (record.base_url, record.model):
                return one
        return None


async def _take_files(client: BatchClient, seen: Seen, taking: Taking) -> list[str]:
    """Take all result files of a batch; return those that are not there any more."""
    lost: list[str] = []
    for file_id in (seen.output_file_id, seen.error_file_id):
        if file_id is None:
            continue
        taking.begin_file()
        try:
            await client.each_line(file_id, taking.begin_again, taking.take)
        except MissingError:
            lost.append(file_id)
    return lost


def _counted(count: int) -> str:
    return f"{count} {'batch' if count == 1 else 'batches'}"
