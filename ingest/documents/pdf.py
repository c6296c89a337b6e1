"""The PDF reader, on PyMuPDF: a page is a slide, only glyphs that can be seen are visible.

Text comes from the text layer alone: nothing is recognised from pictures, whatever engines for that
are installed.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any

import pymupdf

from ingest.documents import mupdf
from ingest.documents.collect import PageCollector
from ingest.documents.document import DocumentStatus, Page
from ingest.documents.failures import FileFailureError
from ingest.documents.forms import expand_ligatures
from ingest.documents.pdf_hidden import Painting
from ingest.documents.pdf_overlays import PageContent, find_overlay_steps
from ingest.documents.pdf_pictures import PictureCounter
from ingest.documents.pdf_suspects import suspect_lengths, suspect_order
from ingest.documents.policy import Limits, TextPolicy
from ingest.documents.words import split_words

PARSER = "pymupdf"
# The library's version and that of the rules here: both change what is read.
PARSER_VERSION = f"{pymupdf.pymupdf_version}+2"

_FLAGS = pymupdf.TEXTFLAGS_WORDS
_WITH_FILLS = _FLAGS | pymupdf.TEXT_COLLECT_VECTORS
_SWITCH_ON, _SWITCH_OFF = 0, 2  # actions of `set_layer_ui_config`
_SURROGATE = re.compile("[\ud800-\udfff]")
# Arabic, Hebrew and their neighbours; a change of direction inside a token ends a word, as in
# PyMuPDF's own word list.
_RTL = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe"
_RIGHT_TO_LEFT = re.compile(f"[{_RTL}]")
_DIRECTION_CHANGE = re.compile(f"(?<=[{_RTL}])(?=[^\\W_{_RTL}])|(?<=[^\\W_{_RTL}])(?=[{_RTL}])")
# Outlined text and charts are many paths; a frame or a rule is few.
_VECTOR_ART_MINIMUM = 20
_PAGE_NUMBER = re.compile(r"\W*(?:page|slide)?\W*(\d+)(?:\s*(?:/|of)\s*\d+)?\W*", re.IGNORECASE)


def read_pdf(data: bytes, policy: TextPolicy, limits: Limits) -> tuple[list[Page], list[str]]:
    """Read a PDF.

    Args:
        data: the bytes of the file.
        policy: which classes of words are visible.
        limits: bounds on its pages.

    Returns:
        The pages, and warnings that name the page.

    Raises:
        FileFailureError: `encrypted` when a password is needed, `damaged` when any page fails or
            there is none, `too_large` beyond the page limit.
    """
    with mupdf.alone():
        try:
            with pymupdf.open(stream=data, filetype="pdf") as document:
                return _read_document(document, policy, limits)
        except FileFailureError:
            raise
        except Exception as error:
            # PyMuPDF raises its own, MuPDF's and built-in types, some only after several pages.
            raise FileFailureError(
                DocumentStatus.DAMAGED, f"{type(error).__name__}: {error}"
            ) from error


def _read_document(
    document: Any, policy: TextPolicy, limits: Limits
) -> tuple[list[Page], list[str]]:
    if document.needs_pass:
        raise FileFailureError(DocumentStatus.ENCRYPTED, "the PDF is locked by a password")
    page_count = document.page_count
    if page_count == 0:
        raise FileFailureError(DocumentStatus.DAMAGED, "the PDF has no page that can be found")
    if page_count > limits.page_count:
        raise FileFailureError(
            DocumentStatus.TOO_LARGE, f"{page_count} pages, more than {limits.page_count}"
        )
    warnings = ["the file was damaged and has been repaired"] if document.is_repaired else []
    pictures = PictureCounter(document)
    layers = _hidden_layers(document)
    pages, contents = [], []
    for number, page in enumerate(document, start=1):
        picture_count = pictures.count(page)
        blocks, hidden = read_blocks(page, picture_count > 0)
        collector = _collect_page(page, number, picture_count, blocks, hidden)
        if layers:
            _add_hidden_layers(document, page, layers, collector)
        finished = collector.finish(policy)
        pages.append(finished)
        size = (round(page.rect.width), round(page.rect.height))
        contents.append(PageContent(number, size, finished.text))
        warnings.extend(suspect_lengths(finished))
        warnings.extend(suspect_order(number, blocks))
    steps = find_overlay_steps(contents)
    return [replace(page, is_overlay_step=page.number in steps) for page in pages], warnings


def _collect_page(
    page: Any, number: int, picture_count: int, blocks: list[dict[str, Any]], hidden: set[int]
) -> PageCollector:
    collector = PageCollector(number, picture_count=picture_count)
    for block in blocks:
        lines = block["lines"] if block["type"] == 0 else ()
        if not hidden:
            texts = ["".join([span["text"] for span in line["spans"]]) for line in lines]
            collector.add("body", clean_text(" ".join(texts)))
            continue
        for word_class, wants_hidden in (("body", False), ("invisible", True)):
            texts = [_line_text(line, hidden, wants_hidden) for line in lines]
            collector.add(word_class, clean_text(" ".join(texts)))
    passages = collector.passages
    if not passages and collector.picture_count == 0:
        collector.picture_count = _count_vector_art(page)
    elif collector.picture_count and len(passages) == 1 and passages[0][0] == "body":
        match = _PAGE_NUMBER.fullmatch(passages[0][1])
        if match is not None and int(match[1]) == number:
            # A scan with a stamped page number has no text of its own.
            collector.passages = [("furniture", *passages[0][1:])]
    return collector


def read_blocks(page: Any, has_pictures: bool) -> tuple[list[dict[str, Any]], set[int]]:
    """Return the blocks of a page and the `id()` of every span in them that cannot be seen."""
    blocks = page.get_textpage(flags=_WITH_FILLS).extractDICT()["blocks"]
    painting = Painting(page, blocks, has_pictures)
    hidden = painting.find_hidden()
    if not hidden and painting.parts_text:
        # A rule or an underline would end a paragraph.
        blocks = page.get_textpage(flags=_FLAGS).extractDICT()["blocks"]
    return blocks, hidden


def _line_text(line: dict[str, Any], hidden: set[int], wants_hidden: bool) -> str:
    """Return the text of a line that is hidden, or the text that is not."""
    return "".join(span["text"] for span in line["spans"] if (id(span) in hidden) == wants_hidden)


def clean_text(text: str) -> str:
    """Expand ligatures; drop what no UTF-8 text can hold."""
    if text.isascii():
        return text
    text = expand_ligatures(_SURROGATE.sub("\ufffd", text))
    return _DIRECTION_CHANGE.sub(" ", text) if _RIGHT_TO_LEFT.search(text) else text


def _count_vector_art(page: Any) -> int:
    """Return 1 for a page without text or images that is full of paths, such as outlined text."""
    return int(len(page.get_cdrawings()) >= _VECTOR_ART_MINIMUM)


def _hidden_layers(document: Any) -> list[int]:
    """Return the numbers of the layers that are off when the document is opened."""
    if not document.get_ocgs():
        return []
    return [
        layer["number"]
        for layer in document.layer_ui_configs()
        if not layer["on"] and layer["type"] != "label"
    ]


def _add_hidden_layers(
    document: Any, page: Any, layers: list[int], collector: PageCollector
) -> None:
    """Add the words that appear only when the hidden layers are switched on, as invisible."""
    for layer in layers:
        document.set_layer_ui_config(layer, action=_SWITCH_ON)
    everything = clean_text(page.get_text("text", flags=_FLAGS))
    for layer in layers:
        document.set_layer_ui_config(layer, action=_SWITCH_OFF)
    known = Counter(word for _, text, _ in collector.passages for word in split_words(text))
    hidden = Counter(split_words(everything)) - known
    collector.add("invisible", " ".join(hidden.elements()))
