"""The layout of formats whose readers give passages in order and no places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from ingest.documents.document import Document, Page
from ingest.documents.layout.blocks import Block, BlockKind, LaidPage
from ingest.documents.words import split_words

PARSER = "podium-layout/1"

_HEADING = re.compile(r"(#{1,6}) +(.*)")
_RULE_ROW = re.compile(r"[\s|:+-]+")
_CELLS = "|"
_PICTURES = ("chart", "smartart")
# A line with a bar is a row only beside another one: prose has bars too.
_LEAST_ROWS = 2

Passage = tuple[str, str]


def lay_out_passages(document: Document) -> list[LaidPage]:
    """Return the pages of a document with blocks in the order of their passages."""
    return [_lay_out(page, document) for page in document.pages]


def _lay_out(page: Page, document: Document) -> LaidPage:
    visible = frozenset(document.visible_classes)
    shown = [
        one for one in page.passages if one[0] in visible or one[0] in ("alt_text", "furniture")
    ]
    blocks = list(_blocks(shown))
    named = sum(1 for one in blocks if one.kind is BlockKind.PICTURE and one.alt_text)
    # Pictures of which the file says nothing have no place among the passages.
    blocks += [Block(BlockKind.PICTURE, "")] * max(0, page.picture_count - named)
    if document.format == "pptx" and page.title:
        blocks = [_titled(one, page.title) for one in blocks]
    width, height = (None, None) if page.size is None else page.size
    return LaidPage(page.number, width, height, tuple(blocks), is_hidden=page.is_hidden)


def _titled(block: Block, title: str) -> Block:
    if block.kind is BlockKind.TEXT and block.text == title:
        return Block(BlockKind.HEADING, block.text, level=1)
    return block


def _blocks(passages: list[Passage]) -> Iterator[Block]:
    for kind, group in groupby(passages, key=_kind):
        texts = [text for _, text in group]
        if kind == "table":
            yield _table(texts)
        elif kind == "row":
            yield from [_table(texts)] if len(texts) >= _LEAST_ROWS else map(_prose, texts)
        elif kind in _PICTURES:
            yield Block(BlockKind.PICTURE, "\n".join(texts))
        elif kind == "alt_text":
            yield from (Block(BlockKind.PICTURE, "", alt_text=text) for text in texts)
        elif kind == "furniture":
            yield from (Block(BlockKind.FURNITURE, text) for text in texts)
        else:
            yield from map(_prose, texts)


def _kind(passage: Passage) -> str:
    word_class, text = passage
    return "row" if word_class == "body" and _is_row(text) else word_class


def _is_row(text: str) -> bool:
    """Return whether bars part a text into cells; one inside a word does not."""
    return _CELLS in text and split_words(" ".join(_cells(text))) == split_words(text)


def _cells(text: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in text.strip().strip(_CELLS).split(_CELLS))


def _prose(text: str) -> Block:
    heading = _HEADING.fullmatch(text)
    if heading is None:
        return Block(BlockKind.TEXT, text)
    return Block(BlockKind.HEADING, heading[2], level=len(heading[1]))


def _table(texts: list[str]) -> Block:
    rows = tuple(_cells(text) for text in texts if not _RULE_ROW.fullmatch(text))
    return Block(BlockKind.TABLE, "\n".join(" | ".join(row) for row in rows), rows=rows)
