"""Writes planted decks as real files, PPTX by python-pptx and PDF by PyMuPDF.

What must not be seen is put where real decks hide it: in notes, on a hidden slide, in the
colour of the ground, beside the slide, in an alternative text; in a PDF, in text that is not
painted or is white on white.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pymupdf
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.util import Inches, Pt

from ingest.judge.acceptance.planted import PlantedDeck, PlantedSlide

_TITLE_AND_CONTENT, _BLANK = 1, 6
_COLOR: Any = RGBColor
_PAGE = (960.0, 540.0)
_UNPAINTED = 3


def write_pptx(deck: PlantedDeck, path: Path) -> None:
    """Write a deck as PPTX; slides with hidden text use the five hiding places in turn."""
    presentation: Any = Presentation()
    turn = 0
    for planted in deck.slides:
        layout = presentation.slide_layouts[_TITLE_AND_CONTENT]
        slide = presentation.slides.add_slide(layout)
        slide.shapes.title.text = planted.title
        slide.placeholders[1].text_frame.text = "\n".join(planted.lines)
        if planted.hidden:
            _HIDING[turn % len(_HIDING)](presentation, slide, planted.hidden)
            turn += 1
    presentation.save(str(path))


def write_pdf(deck: PlantedDeck, path: Path) -> None:
    """Write a deck as PDF, a page a slide; hidden text is unpainted or white in turn."""
    document: Any = pymupdf.open()
    turn = 0
    for planted in deck.slides:
        page = document.new_page(width=_PAGE[0], height=_PAGE[1])
        _print(page, planted)
        if planted.hidden:
            _hide(page, planted.hidden, is_white=turn % 2 == 1)
            turn += 1
    document.save(str(path), deflate=True)
    document.close()


def _print(page: Any, planted: PlantedSlide) -> None:
    page.insert_text((60, 70), planted.title, fontsize=28)
    for number, line in enumerate(planted.lines):
        page.insert_text((60, 140 + 40 * number), line, fontsize=16)


def _hide(page: Any, text: str, *, is_white: bool) -> None:
    if is_white:
        page.insert_text((60, 400), text, fontsize=10, color=(1, 1, 1))
    else:
        page.insert_text((60, 400), text, fontsize=10, render_mode=_UNPAINTED)


def _in_notes(presentation: Any, slide: Any, text: str) -> None:
    slide.notes_slide.notes_text_frame.text = text


def _on_hidden_slide(presentation: Any, slide: Any, text: str) -> None:
    layout = presentation.slide_layouts[_BLANK]
    extra = presentation.slides.add_slide(layout)
    _box(extra, text)
    extra._element.set("show", "0")


def _in_white(presentation: Any, slide: Any, text: str) -> None:
    box = _box(slide, text, top=6.6)
    for run in box.text_frame.paragraphs[0].runs:
        run.font.color.rgb = _COLOR(0xFF, 0xFF, 0xFF)


def _beside_the_slide(presentation: Any, slide: Any, text: str) -> None:
    _box(slide, text, left=30)


def _in_alternative_text(presentation: Any, slide: Any, text: str) -> None:
    box = _box(slide, "")
    box._element.nvSpPr.cNvPr.set("descr", text)


def _box(slide: Any, text: str, left: float = 0.5, top: float = 5) -> Any:
    box = slide.shapes.add_textbox(Inches(left), Inches(top), Inches(8), Inches(0.5))
    box.text_frame.text = text
    for run in box.text_frame.paragraphs[0].runs:
        run.font.size = Pt(12)
    return box


_HIDING = (_in_notes, _on_hidden_slide, _in_white, _beside_the_slide, _in_alternative_text)
WRITERS = {"pptx": write_pptx, "pdf": write_pdf}
