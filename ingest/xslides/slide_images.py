"""Pictures of a deck's slides, drawn once a run and kept, so that a request stays the same.

They lie under `runs/<run>/rendered/<deck sha256>/`: another version of a renderer draws other
bytes, which would be another question to a judge and paid for again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingest.documents.render import LONG_SIDE_PIXELS, RenderError, Rendering, render_slides
from ingest.judge.exchange import PageImage
from ingest.xslides.deck_text import DeckText
from ingest.xslides.quick_files import put, put_json
from ingest.xslides.stage import read_status
from warehouse import storage

RECORD = "rendering.json"
Renderer = Callable[[Path, str | None], Rendering]


@dataclass(frozen=True)
class SlideImages:
    """Pictures of the visible slides, one for each that is counted, and who drew them."""

    images: tuple[PageImage, ...]
    renderer: str


def slide_images(
    deck: DeckText, rendered_folder: Path, renderer: Renderer = render_slides
) -> SlideImages:
    """Return the pictures of a deck, drawn unless they are kept.

    Args:
        deck: a readable deck.
        rendered_folder: where the run keeps pictures.
        renderer: draws slides.

    Raises:
        RenderError: when they cannot be drawn, or are not as many as the slides that count.
    """
    folder = rendered_folder / str(deck.sha256)
    numbers = [page.number for page in deck.pages]
    kept = _kept(folder, deck, numbers)
    if kept is not None:
        return kept
    drawn = renderer(deck.entry.path, deck.document.format)
    if len(drawn.pngs) != len(numbers):
        raise RenderError(f"{len(numbers)} slides count and {len(drawn.pngs)} were drawn")
    images = tuple(PageImage(n, png) for n, png in zip(numbers, drawn.pngs, strict=True))
    for image in images:
        put(folder / _name(image.number), image.png)
    # Last: pictures without it are drawn again.
    put_json(folder / RECORD, _record(deck, images, drawn.renderer))
    return SlideImages(images, drawn.renderer)


def _kept(folder: Path, deck: DeckText, numbers: list[int]) -> SlideImages | None:
    record = read_status(folder / RECORD)
    renderer = record.get("renderer")
    if not isinstance(renderer, str):
        return None
    try:
        images = tuple(PageImage(n, (folder / _name(n)).read_bytes()) for n in numbers)
    except OSError:
        return None
    if record != _record(deck, images, renderer):
        return None
    return SlideImages(images, renderer)


def _record(deck: DeckText, images: tuple[PageImage, ...], renderer: str) -> dict[str, Any]:
    return {
        "deck_sha256": deck.sha256,
        "long_side_pixels": LONG_SIDE_PIXELS,
        "renderer": renderer,
        "slides": [
            {"slide": one.number, "sha256": storage.sha256_bytes(one.png)} for one in images
        ],
    }


def _name(number: int) -> str:
    return f"slide_{number:04d}.png"
