"""What the tests of batches share: a server with batches, a warehouse, one kind of request."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal

from ingest.endpoint import modes
from ingest.endpoint.batch_asker import BatchAsker, Ended
from ingest.endpoint.batch_files import BatchFiles, FileLimits, Form
from ingest.endpoint.batch_store import BatchRecord, BatchStore, batches_folder
from ingest.endpoint.cache import ReplyCache, cache_folder
from ingest.endpoint.calls import CallContext, call_rows, calls_folder
from ingest.endpoint.prices import PriceTable
from ingest.endpoint.request import Target, request_key
from ingest.endpoint.settings import EndpointSettings, Role
from tests.support.batch_server import BatchServer
from tests.unit.endpoint.helpers import price, request, settings_of
from warehouse.paths import WarehousePaths

CONTEXT = CallContext("xslides", "data", "data/run")


@dataclass
class BatchBench:
    """A server, a warehouse, and what was said and settled."""

    server: BatchServer
    paths: WarehousePaths
    said: list[str] = field(default_factory=list)
    settled: dict[str, Decimal | None] = field(default_factory=dict)

    @property
    def store(self) -> BatchStore:
        return BatchStore(batches_folder(self.paths))

    def settings(self, **changes: object) -> EndpointSettings:
        quick = {"batch_poll_seconds": 0.01, "max_attempts": 3, "give_up_after": 3}
        return settings_of(self.server.base_url, **{**quick, **changes})

    def write(
        self, *names: str, limits: FileLimits | None = None, limit: int = 64
    ) -> list[BatchRecord]:
        files = BatchFiles(self.store, CONTEXT, _now, limits)
        role = self.settings().of(Role.CLAIM_JUDGE)
        for name in names:
            asked = request(name)
            form = Form(modes.first_dialect(role), limit)
            files.add(asked, request_key(asked, Target.of(role)), role, form)
        return files.close()

    def asker(self, **changes: object) -> BatchAsker:
        prices = PriceTable((price(),))
        return BatchAsker(
            self.paths, self.store, self.settings(**changes), prices, self.said.append
        )

    def complete(self, *names: str, limits: FileLimits | None = None, limit: int = 64) -> Ended:
        self.settled.clear()
        return self.asker().complete(self.write(*names, limits=limits, limit=limit), self._settle)

    def resume(self) -> Ended:
        return self.asker().resume()

    def key(self, name: str) -> str:
        return request_key(request(name), Target.of(self.settings().of(Role.CLAIM_JUDGE)))

    def kept(self) -> set[str]:
        """Return the names whose replies are in the cache."""
        cache = ReplyCache(cache_folder(self.paths))
        return {json.loads(entry["text"])["id"] for _, entry in cache.entries()}

    def statuses(self) -> list[str]:
        rows = call_rows(calls_folder(self.paths, CONTEXT), self.paths.root).rows
        assert all(row["attempt"] == 1 and row["latency_ms"] is None for row in rows)
        return sorted(row["status"] for row in rows)

    def counts(self) -> dict[str, int]:
        (record,) = self.store.records()
        assert not record.state.is_open
        return dict(record.counts)

    def _settle(self, key: str, usd: Decimal | None) -> None:
        assert key not in self.settled
        self.settled[key] = usd


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
