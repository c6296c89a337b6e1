"""Slides as pictures: PDF pages by PyMuPDF, PPTX slides by LibreOffice and then PyMuPDF."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingest.documents.office import OfficeError, office_version, to_pdf

# Wide enough to read a slide's small print, and below what models scale pictures down to.
LONG_SIDE_PIXELS = 1280
MAX_SLIDES = 250
MAX_BYTES = 40 * 1024 * 1024


class RenderError(Exception):
    """Slides cannot be made into pictures; the message says why and what to do."""


@dataclass(frozen=True)
class Rendering:
    """Pictures of a deck's visible slides.

    Attributes:
        pngs: PNG bytes of one slide each, in order.
        renderer: programs and versions that made them.
    """

    pngs: tuple[bytes, ...]
    renderer: str


def render_slides(path: Path, document_format: str | None) -> Rendering:
    """Return a deck's visible slides as PNG, the long side of each 1,280 px.

    Args:
        path: the deck.
        document_format: `pdf` or `pptx`, as its bytes say.

    Raises:
        RenderError: when the deck is too large, cannot be drawn, or is a PPTX where LibreOffice
            is absent.
    """
    if document_format == "pdf":
        return _drawn(path.read_bytes())
    if document_format != "pptx":
        raise RenderError(f"slides of format {document_format} cannot be drawn")
    try:
        # Hidden slides stay out, as in a slide show.
        pdf = to_pdf(path)
    except OfficeError as error:
        raise RenderError(str(error)) from error
    return _drawn(pdf, office_version())


def _drawn(data: bytes, *programs: str) -> Rendering:
    """Return the pages of a PDF that `programs` made, drawn by PyMuPDF."""
    # It takes a second to import, which only decks that are judged by pictures should pay.
    import pymupdf

    from ingest.documents import mupdf

    pngs: list[bytes] = []
    size = 0
    with mupdf.alone():
        try:
            with pymupdf.open(stream=data, filetype="pdf") as document:
                if document.page_count > MAX_SLIDES:
                    raise RenderError(
                        f"{document.page_count} slides are more than {MAX_SLIDES} pictures"
                    )
                for page in document:
                    zoom = _zoom(page)
                    drawn = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), alpha=False)
                    pngs.append(drawn.tobytes("png"))
                    size += len(pngs[-1])
                    if size > MAX_BYTES:
                        raise RenderError(f"the pictures have more than {MAX_BYTES} bytes")
        except RenderError:
            raise
        except Exception as error:
            # PyMuPDF raises its own, MuPDF's and built-in types.
            raise RenderError(
                f"the pages cannot be drawn: {type(error).__name__}: {error}"
            ) from error
    return Rendering(tuple(pngs), " ".join((*programs, f"pymupdf/{pymupdf.pymupdf_version}")))


def _zoom(page: Any) -> float:
    longest = max(page.rect.width, page.rect.height)
    if not (math.isfinite(longest) and longest >= 1):
        raise RenderError(f"page {page.number + 1} has no size")
    return float(LONG_SIDE_PIXELS / longest)
