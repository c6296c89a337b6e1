"""Contexts: what the generator sees, made of hits and apart from what was indexed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from ingest.endpoint.tokens import estimate_text
from ingest.rageval.documents import markers
from ingest.rageval.retrieval.corpus import FoundChunk
from ingest.rageval.retrieval.variants import TABLE, TEXT, Variant
from warehouse.landing import Row

MOST_TOKENS = 6_000


@dataclass(frozen=True)
class Passage:
    """One passage of a context.

    Attributes:
        chunk: what it was assembled from: for a hit on an artifact its parent.
        text: what the generator reads.
        token_count: estimated tokens of the text.
        is_cut: whether the token budget cut it.
    """

    chunk: FoundChunk
    text: str
    token_count: int
    is_cut: bool = False


def assemble(
    hits: Iterable[FoundChunk],
    chunks: Mapping[str, FoundChunk],
    artifacts: Mapping[tuple[str, str], Row],
    variant: Variant,
    most_tokens: int = MOST_TOKENS,
) -> list[Passage]:
    """Return the passages of a context in the order of their best hits.

    A hit on a description is followed to the chunk that holds the place of its artifact, where
    table and description are put back. A chunk that several hits lead to stands once. Where the
    budget ends, a passage is cut there and the rest is left out.

    Args:
        hits: chunks, best first.
        chunks: all chunks of the dataset by id.
        artifacts: landed artifacts by document and id.
        variant: whether artifacts go back to their places.
        most_tokens: budget over all passages.
    """
    found: list[Passage] = []
    seen: set[str] = set()
    left = most_tokens
    for hit in hits:
        chunk = _followed(hit, chunks) if variant.is_aligned else hit
        if chunk.chunk_id in seen:
            continue
        seen.add(chunk.chunk_id)
        text = _text(chunk, artifacts, variant)
        count = estimate_text(text)
        if count > left:
            text = _cut(text, left)
            if text:
                found.append(Passage(chunk, text, estimate_text(text), is_cut=True))
            return found
        left -= count
        found.append(Passage(chunk, text, count))
    return found


def _followed(hit: FoundChunk, chunks: Mapping[str, FoundChunk]) -> FoundChunk:
    parent = None if hit.parent_chunk_id is None else chunks.get(hit.parent_chunk_id)
    return hit if parent is None else parent


def _text(chunk: FoundChunk, artifacts: Mapping[tuple[str, str], Row], variant: Variant) -> str:
    """Return the text of a chunk as it is read: places filled where the variant aligns."""

    def shown(artifact_id: str) -> str:
        row = artifacts.get((chunk.document_id, artifact_id))
        is_shown = row is not None and not row["is_dropped"]
        return described(row) if is_shown and row is not None else ""

    fill: Callable[[str], str] = shown
    if not variant.is_aligned and chunk.kind == TEXT:
        fill = _nothing
    return markers.resolve(chunk.source_text, fill).strip()


def described(row: Row) -> str:
    """Return what stands for an artifact in text: a table as Markdown, a picture in words."""
    return str(row["markdown"] if row["kind"] == TABLE else row["description"] or "")


def _nothing(_artifact_id: str) -> str:
    return ""


def _cut(text: str, most_tokens: int) -> str:
    """Return as many whole words of a text as fit a budget."""
    words = text.split(" ")
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_text(" ".join(words[:middle])) <= most_tokens:
            low = middle
        else:
            high = middle - 1
    return " ".join(words[:low])
