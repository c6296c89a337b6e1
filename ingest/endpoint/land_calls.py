"""Landing of the records of calls: one unit a dataset, landed anew when a segment grew."""

from __future__ import annotations

from ingest.endpoint.calls import CallContext, call_rows, calls_folder
from ingest.endpoint.segments import segments_of
from warehouse import landing, manifests
from warehouse.contracts.core import JUDGE_CALLS
from warehouse.landing import Reject, RejectLog
from warehouse.manifests import Manifest
from warehouse.paths import WarehousePaths

LANDER_VERSION = 1


def land_calls(paths: WarehousePaths, context: CallContext, code_version: str) -> int:
    """Land all calls of a dataset and return how many there are; nothing without a record.

    Args:
        paths: the warehouse, which holds the records.
        context: benchmark and dataset; its run is not looked at.
        code_version: version of the code that lands.
    """
    folder = calls_folder(paths, context)
    segments = segments_of(folder)
    if not segments:
        return 0
    dataset_id = context.dataset_id or "unstated"
    unit = f"{dataset_id}/judge_calls"
    inputs = tuple(sorted(manifests.hash_file(one, paths.root) for one in segments))
    versions = {"contract": JUDGE_CALLS.version, "lander": LANDER_VERSION}
    digest = manifests.hash_inputs(list(inputs), versions)
    old = manifests.read(paths, context.benchmark, unit)
    if old is not None and old.input_sha256 == digest:
        return old.row_counts.get(JUDGE_CALLS.table, 0)
    found = call_rows(folder, paths.root)
    log = RejectLog(context.benchmark, dataset_id, unit)
    for one in found.rejects:
        bad = one.reject
        log.add(
            Reject(
                JUDGE_CALLS.table,
                bad.reason,
                f"line {bad.line}",
                bad.message,
                one.source_file,
                bad.line,
                bad.raw,
            )
        )
    files = [landing.write_table(paths, JUDGE_CALLS, found.rows), landing.write_rejects(paths, log)]
    manifests.write(
        paths,
        Manifest(
            benchmark=context.benchmark,
            unit=unit,
            shard=manifests.WHOLE,
            dataset_id=dataset_id,
            source_root=str(paths.root.resolve()),
            code_version=code_version,
            input_sha256=digest,
            inputs=inputs,
            files=tuple(sorted(files)),
        ),
    )
    return len(found.rows)
