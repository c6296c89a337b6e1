"""What evaluation reads off a deck: its pages for the judge and its statistics."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingest.documents.document import Document, DocumentStatus
from ingest.endpoint.neutralise import injection_suspected_count
from ingest.judge.exchange import DeckPage
from ingest.xslides.evaluation_plan import DeckEntry
from ingest.xslides.source_text import SourceReader


@dataclass(frozen=True)
class DeckText:
    """One deck as read: `pages` are the visible ones, `text` is all of their text."""

    entry: DeckEntry
    document: Document
    pages: tuple[DeckPage, ...]
    text: str

    @property
    def sha256(self) -> str | None:
        """Return the hash of the deck file, None when it is missing."""
        return self.document.sha256

    @property
    def status(self) -> DocumentStatus:
        """Return how reading ended."""
        return self.document.status

    def stats(self, deck_path: str, text_path: str | None) -> dict[str, Any]:
        """Return `deck_stats.json`; counts of an unreadable deck are None.

        Args:
            deck_path: path of the deck relative to the data root.
            text_path: path of the extracted text, None when there is none.
        """
        document = self.document
        readable = document.status.is_readable
        return {
            "deck_path": deck_path,
            "slide_count": document.slide_count,
            "visible_word_count": document.visible_word_count,
            "extracted_text_path": text_path,
            "parser": document.parser,
            "warnings": list(document.warnings),
            "format": document.format,
            "status": document.status.value,
            "hidden_slide_count": document.hidden_slide_count,
            "logical_slide_count": document.logical_slide_count,
            "words_by_class": dict(document.words_by_class) if readable else None,
            "word_rule": document.word_rule,
            "text_policy": document.text_policy,
            "parser_version": document.parser_version,
            "deck_sha256": document.sha256,
            "injection_suspected": self._suspected[0],
            "unseen_injection_suspected": self._suspected[1],
        }

    @functools.cached_property
    def _suspected(self) -> tuple[int | None, int | None]:
        """Phrases that speak to a judge, seen and unseen; None where nothing could be read."""
        document = self.document
        if not document.status.is_readable:
            return None, None
        # A hidden slide stays unseen under every policy: its text goes to no judge.
        unseen = [page.unseen_text for page in document.pages]
        unseen += [page.text for page in document.pages if page.is_hidden]
        return (
            injection_suspected_count(page.text for page in self.pages),
            injection_suspected_count(unseen),
        )


def read_deck(entry: DeckEntry, path: Path, reader: SourceReader) -> DeckText:
    """Read a deck once; a bad file gives a deck without pages and a status that says so."""
    document = reader(path)
    pages: tuple[DeckPage, ...] = ()
    if document.status.is_readable:
        pages = tuple(
            DeckPage(page.number, page.text, page.title)
            for page in document.pages
            if not page.is_hidden
        )
    text = "\n\n".join(f"[Slide {page.number}]\n{page.text}".rstrip() for page in pages)
    return DeckText(entry, document, pages, text + "\n" if text else "")
