"""Chunks: what can be found. Text by its sections, artifacts, and whole pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ingest.documents.layout.blocks import Block, BlockKind, LaidPage
from ingest.documents.words import count_words
from ingest.rageval.documents import markers
from ingest.rageval.documents.artifacts import Artifact
from warehouse import identity

TEXT, PAGE = "text", "page"
_MOST_WORDS = 220
_LEAST_WORDS = 60
_SENTENCE_END = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])\s+")


@dataclass(frozen=True)
class ChunkOf:
    """One chunk.

    Attributes:
        chunk_id: by document, kind, number and text.
        kind: text, table, picture or page.
        number: 1-based position among those of its kind.
        first_page, last_page: pages that it stands on.
        parent_id: chunk that holds an artifact's place; None for text and pages.
        artifact: the artifact that it describes.
        heading: what it stands under.
        text: what is indexed, without places and markers.
        source_text: what is assembled from, with them.
        artifacts: artifacts that have a place in it, in order.
    """

    chunk_id: str
    kind: str
    number: int
    first_page: int
    last_page: int
    parent_id: str | None
    artifact: Artifact | None
    heading: str | None
    text: str
    source_text: str
    artifacts: tuple[Artifact, ...] = ()


@dataclass
class _Open:
    """A text chunk that is being gathered."""

    heading: str | None = None
    texts: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    artifacts: list[Artifact] = field(default_factory=list)
    pages: list[int] = field(default_factory=list)
    words: int = 0

    def add_text(self, text: str, source: str, page: int) -> None:
        self.texts.append(text)
        self.sources.append(source)
        self.pages.append(page)
        self.words += count_words(text)

    def add_artifact(self, artifact: Artifact) -> None:
        self.sources.append(markers.place(artifact.kind, artifact.artifact_id))
        self.artifacts.append(artifact)
        self.pages.append(artifact.page_number)


def text_chunks(
    document_id: str, pages: Iterable[LaidPage], artifacts: dict[int, list[Artifact]]
) -> list[ChunkOf]:
    """Return the text of a document in sections of at most some 220 words, with its artifacts.

    A heading begins a chunk where the one before has at least 60 words; a paragraph is cut only
    where it alone is longer, between sentences. Each kept artifact follows as a chunk of its own
    whose parent is the text chunk that holds its place.
    """
    found: list[ChunkOf] = []
    current = _Open()
    for page in pages:
        waiting = iter(artifacts.get(page.number, ()))
        for block in page.blocks:
            if block.kind is BlockKind.FURNITURE:
                continue
            if block.kind in (BlockKind.TABLE, BlockKind.PICTURE):
                current.add_artifact(next(waiting))
                continue
            for piece in _pieces(block.text):
                is_new = block.kind is BlockKind.HEADING and current.words >= _LEAST_WORDS
                if is_new or (current.words and current.words + count_words(piece) > _MOST_WORDS):
                    found.append(_closed(current, document_id, len(found) + 1))
                    current = _Open(current.heading)
                if block.kind is BlockKind.HEADING:
                    current.heading = block.text
                current.add_text(piece, _source(block, piece), page.number)
    if current.sources:
        found.append(_closed(current, document_id, len(found) + 1))
    return [*found, *_artifact_chunks(document_id, found)]


def page_chunks(
    document_id: str,
    pages: Iterable[LaidPage],
    artifacts: dict[int, list[Artifact]],
    is_slide: bool,
) -> list[ChunkOf]:
    """Return every page that says something, whole.

    On slides an artifact is described between its markers, elsewhere it has its place.
    """
    found: list[ChunkOf] = []
    for page in pages:
        waiting = iter(artifacts.get(page.number, ()))
        texts, sources, held = [], [], []
        for block in page.blocks:
            if block.kind is BlockKind.FURNITURE:
                continue
            if block.kind not in (BlockKind.TABLE, BlockKind.PICTURE):
                texts.append(block.text)
                sources.append(_source(block, block.text))
                continue
            artifact = next(waiting)
            texts.append(artifact.description)
            sources.append(
                markers.marked(artifact.kind, artifact.description)
                if is_slide
                else markers.place(artifact.kind, artifact.artifact_id)
            )
            held.append(artifact)
        text = "\n".join(one for one in texts if one)
        if not count_words(text):
            continue
        heading = next((b.text for b in page.blocks if b.kind is BlockKind.HEADING), None)
        number = len(found) + 1
        found.append(
            ChunkOf(
                _chunk_id(document_id, PAGE, number, text),
                PAGE,
                number,
                page.number,
                page.number,
                None,
                None,
                heading,
                text,
                "\n".join(sources),
                tuple(held),
            )
        )
    return found


def _closed(current: _Open, document_id: str, number: int) -> ChunkOf:
    text = "\n".join(current.texts)
    return ChunkOf(
        _chunk_id(document_id, TEXT, number, text),
        TEXT,
        number,
        min(current.pages),
        max(current.pages),
        None,
        None,
        current.heading,
        text,
        "\n".join(current.sources),
        tuple(current.artifacts),
    )


def _artifact_chunks(document_id: str, parents: list[ChunkOf]) -> Iterator[ChunkOf]:
    numbers = {markers.TABLE: 0, markers.PICTURE: 0}
    for parent in parents:
        for one in parent.artifacts:
            if one.dropped_reason is not None or not count_words(one.description):
                continue
            numbers[one.kind] += 1
            number = numbers[one.kind]
            yield ChunkOf(
                _chunk_id(document_id, one.kind, number, one.description),
                one.kind,
                number,
                one.page_number,
                one.page_number,
                parent.chunk_id,
                one,
                parent.heading,
                one.description,
                one.markdown or one.description,
            )


def _pieces(text: str) -> Iterator[str]:
    """Yield a paragraph, in parts between sentences where it is longer than a chunk."""
    if count_words(text) <= _MOST_WORDS:
        yield text
        return
    part: list[str] = []
    words = 0
    for sentence in (piece for one in _SENTENCE_END.split(text) for piece in _lengths(one)):
        count = count_words(sentence)
        if part and words + count > _MOST_WORDS:
            yield " ".join(part)
            part, words = [], 0
        part.append(sentence)
        words += count
    if part:
        yield " ".join(part)


def _lengths(sentence: str) -> Iterator[str]:
    """Yield a sentence; one without an end, such as code, in parts of as many words as fit."""
    words = sentence.split()
    for start in range(0, len(words), _MOST_WORDS):
        yield " ".join(words[start : start + _MOST_WORDS])


def _source(block: Block, text: str) -> str:
    escaped = markers.escape(text)
    return f"{'#' * block.level} {escaped}" if block.kind is BlockKind.HEADING else escaped


def _chunk_id(document_id: str, kind: str, number: int, text: str) -> str:
    return identity.content_id("chunk", document_id, kind, number, text)
