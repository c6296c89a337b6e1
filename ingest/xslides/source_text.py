"""Text of a source document: what probes are made from and claims are held against."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ingest.documents.document import Document
from ingest.documents.read import read_document

SourceReader = Callable[[Path], Document]

PAGE_BREAK = "\n\f"
BLOCK_BREAK = "\n\n"
SUFFIXES = {"pdf": "pdf", "html": "html", "markdown": "md", "text": "txt"}

__all__ = ["PAGE_BREAK", "SUFFIXES", "SourceReader", "SourceText", "extract", "read_document"]


@dataclass(frozen=True)
class SourceText:
    """Extracted text of one source.

    Attributes:
        text: the text after the limit; a form feed opens each PDF page after the first.
        characters: length before the limit.
        truncated: whether the limit cut anything.
        parser: fingerprint of parser, version and rules.
        status: status of the document, e.g. `ok` or `encrypted`.
        sha256: hash of the file, None when it is missing.
        failure: why a parser outside this program gave no text; blank otherwise.
    """

    text: str
    characters: int
    truncated: bool
    parser: str
    status: str
    sha256: str | None
    failure: str = ""

    @property
    def trouble(self) -> str:
        """Return what to tell of a source without text: the failure, else the status."""
        return self.failure or self.status

    @property
    def is_usable(self) -> bool:
        """Return whether there is any text to make probes from."""
        return bool(self.text.strip())


def extract(path: Path, max_chars: int, reader: SourceReader = read_document) -> SourceText:
    """Extract the text of a source; `max_chars` is applied after extraction.

    Never raises for a bad file: `status` and an empty `text` tell.
    """
    document = reader(path)
    separator = PAGE_BREAK if document.format == "pdf" else BLOCK_BREAK
    pages = [page.text for page in document.pages if not page.is_hidden]
    whole = separator.join(pages) if document.status.is_readable else ""
    return SourceText(
        text=whole[:max_chars],
        characters=len(whole),
        truncated=len(whole) > max_chars,
        parser=document.parser_fingerprint,
        status=document.status.value,
        sha256=document.sha256,
        failure=document.failure,
    )


def page_of(context: str, passage: str) -> int | None:
    """Return the 1-based page on which a passage starts, None in a text without pages."""
    position = context.find(passage)
    if position < 0 or "\f" not in context:
        return None
    return context.count("\f", 0, position) + 1
