"""One document, whole: how it was read and routed, its artifacts and chunks, what was lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ingest.documents.layout.blocks import BlockKind, LaidPage, Layout
from ingest.documents.layout.read import read_layout
from ingest.documents.words import count_words, split_words
from ingest.rageval.documents.artifacts import Artifact, find_artifacts
from ingest.rageval.documents.chunks import PAGE, ChunkOf, page_chunks, text_chunks
from ingest.rageval.documents.layout_rule import PRESENTATION
from ingest.rageval.documents.routing import Route, route
from ingest.rageval.documents.titles import rule_title

BLANK, INFORMATIVE = "Blank", "Informative"
_CLOSINGS = frozenset(
    ("thank you", "thanks", "questions", "any questions", "q&a", "appendix", "backup", "the end")
)


@dataclass(frozen=True)
class Parsed:
    """One document.

    Attributes:
        document_id: its path below the root.
        layout: what stands where; no pages where it could not be read.
        route: which way it went; None where it could not be read.
        title: at most twelve words with the suffix of the file; None likewise.
        artifacts: by page number, in order.
        chunks: text, artifacts, pages.
        lost: words that are neither furniture nor in a chunk, with their number.
    """

    document_id: str
    layout: Layout
    route: Route | None
    title: str | None
    artifacts: dict[int, list[Artifact]] = field(default_factory=dict)
    chunks: list[ChunkOf] = field(default_factory=list)
    lost: Counter[str] = field(default_factory=Counter)

    @property
    def is_slides(self) -> bool:
        """Return whether its pages stay whole."""
        return self.route is not None and self.route.layout_class == PRESENTATION


def parse(path: Path, document_id: str, overrides: Mapping[str, str]) -> Parsed:
    """Read, route and chunk one document; a broken one is there with its status and no chunks."""
    layout = read_layout(path)
    if not layout.document.status.is_readable:
        return Parsed(document_id, layout, None, None)
    way = route(layout, document_id, overrides)
    artifacts = find_artifacts(layout, document_id)
    is_slides = way.layout_class == PRESENTATION
    pages = page_chunks(document_id, layout.pages, artifacts, is_slides)
    chunks = [] if is_slides else text_chunks(document_id, layout.pages, artifacts)
    chunks += pages
    return Parsed(
        document_id,
        layout,
        way,
        rule_title(layout, document_id),
        artifacts,
        chunks,
        _lost(layout, chunks, is_slides),
    )


def furniture_of(page: LaidPage) -> list[str]:
    """Return the page headers, footers and page numbers of a page."""
    return [one.text for one in page.blocks if one.kind is BlockKind.FURNITURE]


def slide_class(page: LaidPage) -> str:
    """Return Blank for a slide that says nothing, such as one that says thank you."""
    said = page.text
    if not count_words(said) and not any(one.alt_text for one in page.blocks):
        return BLANK
    bare = " ".join(said.casefold().split()).strip("?!. ")
    return BLANK if bare in _CLOSINGS else INFORMATIVE


def _lost(layout: Layout, chunks: list[ChunkOf], is_slides: bool) -> Counter[str]:
    """Return words that the reader sees and no chunk of the document's own way holds.

    Furniture of a PDF is visible text to the reader; in other formats the reader has set it apart.
    """
    seen = Counter(word for page in layout.document.pages for word in split_words(page.text))
    if layout.document.format == "pdf":
        seen -= Counter(
            word for page in layout.pages for one in furniture_of(page) for word in split_words(one)
        )
    kept = Counter(
        word
        for chunk in chunks
        if (chunk.kind == PAGE) == is_slides
        for word in split_words(chunk.text)
    )
    return seen - kept
