"""Slides as pictures: PDF pages by PyMuPDF, PPTX slides by LibreOffice and then PyMuPDF."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymupdf

from ingest.documents import mupdf
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
        return Rendering(_pages(path.read_bytes()), f"pymupdf/{pymupdf.pymupdf_version}")
    if document_format != "pptx":
        raise RenderError(f"slides of format {document_format} cannot be drawn")
    try:
        # Hidden slides stay out, as in a slide show.
        pdf = to_pdf(path)
    except OfficeError as error:
        raise RenderError(str(error)) from error
    return Rendering(_pages(pdf), f"{office_version()} pymupdf/{pymupdf.pymupdf_version}")


def _pages(data: bytes) -> tuple[bytes, ...]:
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
                    pngs.append(_draw(page))
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
    return tuple(pngs)


def _draw(page: Any) -> bytes:
    longest = max(page.rect.width, page.rect.height)
    if not (math.isfinite(longest) and longest >= 1):
        raise RenderError(f"page {page.number + 1} has no size")
    zoom = LONG_SIDE_PIXELS / longest
    png: bytes = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), alpha=False).tobytes("png")
    return png
