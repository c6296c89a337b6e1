"""Reading any document with its layout. A bad file never raises."""

from __future__ import annotations

from pathlib import Path

from ingest.documents.layout import passages
from ingest.documents.layout.blocks import Layout
from ingest.documents.policy import Limits
from ingest.documents.read import read_document


def read_layout(path: Path, limits: Limits | None = None) -> Layout:
    """Read a document and what stands where in it.

    Args:
        path: any file.
        limits: bounds on what it may cost.

    Returns:
        The document as the reader gives it, and its pages with blocks; no pages unless it was
        read. Every visible word of the document is in a block.
    """
    document = read_document(path, limits=limits)
    if not document.status.is_readable:
        return Layout(document, (), "none")
    if document.format == "pdf":
        # PyMuPDF takes a second to import.
        from ingest.documents.layout import pdf_layout

        pages, warnings = pdf_layout.lay_out_pdf(path.read_bytes())
        return Layout(document, tuple(pages), pdf_layout.PARSER, tuple(warnings))
    return Layout(document, tuple(passages.lay_out_passages(document)), passages.PARSER)
