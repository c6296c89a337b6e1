"""In which form a deck goes to the judge: as text, or as pictures of its slides."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ingest.documents.document import DocumentStatus
from ingest.documents.render import RenderError
from ingest.judge.exchange import DeckPage, PageImage
from ingest.judge.interface import Judge
from ingest.xslides.deck_text import DeckText
from ingest.xslides.evaluation_files import DECK_FAILED, NOT_RUN
from ingest.xslides.slide_images import slide_images
from ingest.xslides.stage import AUTO, IMAGE, TEXT, Settings


@dataclass(frozen=True)
class DeckInput:
    """What of a deck a judge is given.

    Attributes:
        mode: text or image, as `judge_input_mode` says in the manifest.
        pages: the visible slides; their text is not sent in image mode.
        images: one picture a visible slide in image mode, else none.
        renderer: who drew the pictures.
    """

    mode: str
    pages: tuple[DeckPage, ...]
    images: tuple[PageImage, ...] = ()
    renderer: str | None = None


@dataclass(frozen=True)
class Trouble:
    """Why a deck is not judged: the check, the evaluation's status, what to tell.

    `may_pass` says that the same deck may be judged on another day, as when a program is missing.
    """

    check: str
    status: str
    message: str
    may_pass: bool = False


def mode_of(deck: DeckText, settings: Settings) -> str:
    """Return text or image: what the settings say, by themselves pictures where no text is."""
    if settings.judge_input != AUTO:
        return settings.judge_input
    return IMAGE if deck.status is DocumentStatus.IMAGE_ONLY else TEXT


def trouble_of(deck: DeckText, judge: Judge, settings: Settings) -> Trouble | None:
    """Return why a deck cannot be judged, None when it can as far as its reading tells."""
    if not deck.status.is_readable:
        message = f"the deck cannot be read: {deck.status.value}"
        return Trouble("deck_is_readable", DECK_FAILED, message)
    if mode_of(deck, settings) == TEXT:
        if deck.status is DocumentStatus.IMAGE_ONLY:
            message = "the deck has pictures but no visible text, and is to be judged by its text"
            return Trouble("deck_has_visible_text", NOT_RUN, message)
        return None
    if not judge.reads_images:
        is_bare = deck.status is DocumentStatus.IMAGE_ONLY
        what = "has pictures but no visible text" if is_bare else "is to be judged by pictures"
        message = f"the deck {what}, and this judge reads text only"
        return Trouble("deck_has_visible_text", NOT_RUN, message)
    return None


def input_of(deck: DeckText, settings: Settings, rendered_folder: Path) -> DeckInput | Trouble:
    """Return what the judge is given of a deck that it can judge, drawing slides when needed."""
    mode = mode_of(deck, settings)
    if mode == TEXT:
        return DeckInput(mode, deck.pages)
    try:
        drawn = slide_images(deck, rendered_folder)
    except (RenderError, OSError) as error:
        return Trouble("deck_is_rendered", NOT_RUN, str(error), may_pass=True)
    return DeckInput(mode, deck.pages, drawn.images, drawn.renderer)
