"""Landings as an older Podium left them: files of an older contract behind a manifest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow.parquet as pq

from warehouse import landing, manifests, storage
from warehouse.contracts.base import Column, Contract
from warehouse.manifests import LandedFile, Manifest
from warehouse.paths import WarehousePaths

Row = dict[str, Any]


def without(contract: Contract, *names: str) -> Contract:
    """Return a contract that lacks columns."""
    kept = tuple(one for one in contract.columns if one.name not in names)
    return replace(contract, columns=kept)


def with_columns(contract: Contract, *columns: Column, **fields: Any) -> Contract:
    """Return the next version of a contract, with columns put in or put in the place of others."""
    new = {one.name: one for one in columns}
    old = {one.name: one for one in contract.columns}
    return replace(
        contract, columns=tuple({**old, **new}.values()), version=contract.version + 1, **fields
    )


def commit(
    paths: WarehousePaths,
    contract: Contract,
    rows: list[Row],
    *,
    unit: str = "data/runs/one",
    **stated: Any,
) -> LandedFile:
    """Land rows as one unit; `stated` is what its manifest says although it is not so."""
    landed = replace(landing.write_table(paths, contract, rows), **stated)
    manifests.write(
        paths,
        Manifest(
            benchmark=contract.benchmark,
            unit=unit,
            shard=manifests.WHOLE,
            dataset_id="data",
            source_root="/srv/my data",
            code_version="test",
            input_sha256=unit,
            inputs=(),
            files=(landed,),
        ),
    )
    return landed


def land_again_under(paths: WarehousePaths, dataset_id: str, contract: Contract) -> None:
    """Let a dataset's files of one table be of another contract, without surplus columns.

    The hash of a unit's inputs holds the versions of all contracts, so it is another one too.
    """
    for manifest in manifests.read_all(paths):
        if manifest.dataset_id != dataset_id:
            continue
        files = []
        for landed in manifest.files:
            if landed.table == contract.table:
                rows = pq.read_table(paths.landing / landed.file).to_pylist()
                rows = [{name: row.get(name) for name in contract.names} for row in rows]
                landed = landing.write_table(paths, contract, rows)
            files.append(landed)
        input_sha256 = storage.sha256_bytes(f"{manifest.input_sha256} {contract.version}".encode())
        manifests.write(
            paths, replace(manifest, input_sha256=input_sha256, files=tuple(sorted(files)))
        )
