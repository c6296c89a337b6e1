"""Vectors of chunks: made once for each text, landed, and read back for search."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ingest.landing_units import LandReport
from ingest.rageval.derived_units import derived_lander
from ingest.rageval.landed_rows import rows_of
from ingest.rageval.retrieval.corpus import FoundChunk
from ingest.rageval.retrieval.embedder import Embedder, Vectors
from ingest.row_fields import provenance_of
from warehouse import identity, storage
from warehouse.contracts.rageval import VECTORS
from warehouse.errors import InputError
from warehouse.landing import Chunk, RejectLog, Row
from warehouse.paths import WarehousePaths

ORIGIN = "podium rageval index"
"""What stands for a source file: these rows come out of no file."""
_BATCH = 64
Told = Callable[[int, int], None]


def land_vectors(
    paths: WarehousePaths,
    dataset_id: str,
    chunks: list[FoundChunk],
    embedder: Embedder,
    code_version: str,
    told: Told,
) -> LandReport:
    """Land a vector for every chunk; what was embedded before is not embedded again.

    Args:
        paths: the warehouse.
        dataset_id: data set.
        chunks: all its chunks.
        embedder: makes the vectors.
        code_version: version that the manifest records.
        told: called with the number of texts done and of all that are new.
    """
    known = {
        row["text_sha256"]: row["vector"]
        for row in rows_of(paths, VECTORS, dataset_id, embedder_id=embedder.embedder_id)
    }
    hashes = {one.chunk_id: _hash(one) for one in chunks}
    new = {hashes[one.chunk_id]: one.indexed_text for one in chunks}
    waiting = [sha256 for sha256 in new if sha256 not in known]
    for start in range(0, len(waiting), _BATCH):
        part = waiting[start : start + _BATCH]
        made = embedder.embed([new[sha256] for sha256 in part])
        known.update(zip(part, (vector.tolist() for vector in made), strict=True))
        told(min(start + _BATCH, len(waiting)), len(waiting))
    rows: list[Row] = [
        {
            "dataset_id": dataset_id,
            "embedder_id": embedder.embedder_id,
            "chunk_id": one.chunk_id,
            "text_sha256": hashes[one.chunk_id],
            "dimension": len(known[hashes[one.chunk_id]]),
            "vector": known[hashes[one.chunk_id]],
            **provenance_of(ORIGIN),
        }
        for one in chunks
    ]

    def landed(log: RejectLog) -> Iterator[Chunk]:
        yield VECTORS, rows, None

    report = LandReport(dataset_id)
    lander = derived_lander(paths, report, code_version)
    content = identity.content_id("vectors", embedder.embedder_id, sorted(hashes.items()))
    unit = f"{dataset_id}/vectors/{embedder.embedder_id.replace('/', '-')}"
    lander.land(unit, (), landed, {"content": content})
    return report


def read_vectors(
    paths: WarehousePaths, dataset_id: str, chunks: list[FoundChunk], embedder_id: str
) -> Vectors:
    """Return the landed vectors of chunks, in their order.

    Raises:
        InputError: when one has none, or its text changed since.
    """
    rows = rows_of(paths, VECTORS, dataset_id, embedder_id=embedder_id)
    found = {(row["chunk_id"], row["text_sha256"]): row["vector"] for row in rows}
    vectors = [found.get((one.chunk_id, _hash(one))) for one in chunks]
    absent = sum(one is None for one in vectors)
    if absent:
        raise InputError(
            f"{absent} of {len(chunks)} chunks of `{dataset_id}` have no vector of {embedder_id}",
            fix=f"podium rageval index --dataset {dataset_id}",
        )
    return np.array(vectors, dtype=np.float32)


def _hash(chunk: FoundChunk) -> str:
    return storage.sha256_bytes(chunk.indexed_text.encode("utf-8"))
