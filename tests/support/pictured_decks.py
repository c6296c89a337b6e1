"""Decks whose slides are pictures: one colour a page, no text."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import pymupdf
from PIL import Image
from pptx import Presentation
from pptx.util import Emu

Color = tuple[int, int, int]


def write_pictured_pdf(path: Path, colors: Sequence[Color]) -> Path:
    """Write a PDF with one picture a page."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with pymupdf.open() as document:
        for color in colors:
            page = document.new_page(width=640, height=360)
            page.insert_image(page.rect, stream=_png(color))
        document.save(str(path))
    return path


def write_pictured_pptx(path: Path, colors: Sequence[Color], hidden: Sequence[int] = ()) -> Path:
    """Write a PPTX with one picture a slide; `hidden` are 1-based numbers of hidden slides."""
    path.parent.mkdir(parents=True, exist_ok=True)
    deck = Presentation()
    for number, color in enumerate(colors, start=1):
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        size = (deck.slide_width, deck.slide_height)
        slide.shapes.add_picture(io.BytesIO(_png(color)), Emu(0), Emu(0), *size)
        if number in hidden:
            slide._element.set("show", "0")
    deck.save(str(path))
    return path


def _png(color: Color) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (64, 36), color).save(buffer, "PNG")
    return buffer.getvalue()
