"""Landed chunks of a dataset, in the order of their ids: the order that settles every tie."""

from __future__ import annotations

from dataclasses import dataclass

from ingest.rageval.landed_rows import rows_of
from ingest.rageval.retrieval.variants import Variant
from warehouse.contracts.rageval import CHUNKS, DOCUMENTS
from warehouse.errors import InputError
from warehouse.paths import WarehousePaths


@dataclass(frozen=True)
class FoundChunk:
    """One landed chunk.

    Attributes:
        chunk_id, document_id, kind: which it is.
        first_page, last_page: 1-based pages that it stands on.
        parent_chunk_id: chunk that holds the place of its artifact.
        artifact_id: artifact that it describes.
        layout_class: class of its document.
        heading: what it stands under; blank for nothing.
        text: what is indexed.
        source_text: what is assembled from.
    """

    chunk_id: str
    document_id: str
    kind: str
    first_page: int
    last_page: int
    parent_chunk_id: str | None
    artifact_id: str | None
    layout_class: str | None
    heading: str
    text: str
    source_text: str

    @property
    def indexed_text(self) -> str:
        """Return its text under its heading, where the heading is not part of it."""
        is_under = self.heading and not self.text.startswith(self.heading)
        return f"{self.heading}\n{self.text}" if is_under else self.text


def read_corpus(paths: WarehousePaths, dataset_id: str) -> list[FoundChunk]:
    """Return all landed chunks of a dataset that have words, by id.

    Raises:
        InputError: when there is none.
    """
    classes = {
        row["document_id"]: row["layout_class"] for row in rows_of(paths, DOCUMENTS, dataset_id)
    }
    found = [
        FoundChunk(
            row["chunk_id"],
            row["document_id"],
            row["kind"],
            row["first_page"],
            row["last_page"],
            row["parent_chunk_id"],
            row["artifact_id"],
            classes.get(row["document_id"]),
            row["heading"] or "",
            row["text"],
            row["source_text"],
        )
        for row in rows_of(paths, CHUNKS, dataset_id)
        if row["word_count"]
    ]
    if not found:
        raise InputError(
            f"dataset `{dataset_id}` has no chunks",
            fix=f"podium rageval ingest DOCUMENTS --dataset {dataset_id}",
        )
    return sorted(found, key=lambda one: one.chunk_id)


def indexed(chunks: list[FoundChunk], variant: Variant) -> list[FoundChunk]:
    """Return the chunks that a variant indexes, in the same order."""
    return [one for one in chunks if variant.indexes(one.kind, one.layout_class)]
