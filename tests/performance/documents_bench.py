"""Reading of documents against the libraries that users would call."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pptx
import pymupdf

from ingest.documents.read import read_document
from tests.performance.measure import Comparison

PROJECT = Path(__file__).resolve().parents[2]
SAMPLE_DECKS = PROJECT / "ingest" / "sample" / "xslides" / "decks"


def comparisons() -> list[Comparison]:
    """Return the comparisons on the decks of the sample."""
    decks = [one for one in sorted(SAMPLE_DECKS.rglob("*.pptx")) if _opens(one)]
    pages = sorted(SAMPLE_DECKS.rglob("*.pdf"))
    return [
        Comparison(
            f"PPTX text and counts, {len(decks)} decks of the sample",
            "python-pptx, recursive walk",
            lambda: [read_document(one) for one in decks],
            lambda: [_walked_words(one) for one in decks],
            at_least=4,
        ),
        Comparison(
            f"PDF text and counts, hidden text told apart, {len(pages)} decks of the sample",
            "PyMuPDF, words alone",
            lambda: [read_document(one) for one in pages],
            lambda: [_raw_words(one) for one in pages],
            at_most=1.6,
        ),
    ]


def _opens(path: Path) -> bool:
    """Return whether python-pptx opens a file; what it cannot open cannot be compared."""
    try:
        pptx.Presentation(str(path))
    except Exception:  # whatever it raises, the file is no material for a comparison
        return False
    return True


def _walked_words(path: Path) -> int:
    """Return the words that a recursive python-pptx walk finds."""
    deck = pptx.Presentation(str(path))
    return sum(len(text.split()) for slide in deck.slides for text in _texts(slide.shapes))


def _texts(shapes: Iterable[Any]) -> Iterable[str]:
    for shape in shapes:
        if hasattr(shape, "shapes"):
            yield from _texts(shape.shapes)
        if shape.has_text_frame:
            yield shape.text_frame.text
        if getattr(shape, "has_table", False) and shape.has_table:
            for row in shape.table.rows:
                for cell in row.cells:
                    if not cell.is_spanned:
                        yield cell.text_frame.text
        if getattr(shape, "has_chart", False) and shape.has_chart:
            for plot in shape.chart.plots:
                yield from (str(category) for category in plot.categories)
                yield from (str(series.name) for series in plot.series)


def _raw_words(path: Path) -> int:
    """Return the words that PyMuPDF finds, visible or not."""
    with pymupdf.open(path) as document:
        return sum(len(page.get_text("words")) for page in document)
