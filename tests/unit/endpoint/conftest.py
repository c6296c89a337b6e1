"""A loopback server for each test that asks for one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.endpoint import modes
from tests.support.batch_server import serving_batches
from tests.unit.endpoint.batch_helpers import BatchBench
from tests.unit.endpoint.helpers import Bench, bench_at
from warehouse.paths import WarehousePaths


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with bench_at(tmp_path) as made:
        yield made


@pytest.fixture
def batch(tmp_path: Path) -> Iterator[BatchBench]:
    modes.forget()
    with serving_batches() as server:
        yield BatchBench(server, WarehousePaths(tmp_path))
