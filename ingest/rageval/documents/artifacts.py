"""Tables and pictures of a document: an id, a class with its reason, a description to search by."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ingest.documents.layout.blocks import Block, BlockKind, LaidPage, Layout, area
from ingest.documents.words import count_words
from warehouse import identity

TABLE, PICTURE = "table", "picture"
LOGO, CHART, DIAGRAM, BLANK = "Logo", "Chart", "Picture", "Blank"
DROPPED = {LOGO: "logo", BLANK: "blank"}

_NUMBER = re.compile(r"\d")
_CHART_NUMBERS = 3
_DIAGRAM_LINES = 2
_LOGO_SHARE = 0.04
_COMES_AGAIN = 2
# What programs write where nobody describes a picture.
_FILE_NAME = re.compile(r"\S+\.(?:png|jpe?g|gif|bmp|tiff?|svg|emf|wmf|webp)", re.IGNORECASE)


@dataclass(frozen=True)
class Artifact:
    """One table or picture.

    Attributes:
        artifact_id: by document, page, place on the page and content.
        number: 1-based position in the document.
        page_number: page that it stands on.
        kind: table or picture.
        block: what the layout found.
        markdown: the table; None for pictures.
        picture_class: Logo, Chart, Picture or Blank; None for tables.
        class_reason: why.
        description: its words, as they are searched; blank where there are none.
    """

    artifact_id: str
    number: int
    page_number: int
    kind: str
    block: Block
    markdown: str | None
    picture_class: str | None
    class_reason: str | None
    description: str

    @property
    def dropped_reason(self) -> str | None:
        """Return why retrieval leaves it out; None where it does not."""
        return DROPPED.get(self.picture_class or "")


def find_artifacts(layout: Layout, document_id: str) -> dict[int, list[Artifact]]:
    """Return the artifacts of every page by its number, in reading order."""
    seen = Counter(block.digest for page in layout.pages for block in page.blocks if block.digest)
    found: dict[int, list[Artifact]] = {}
    number = 0
    for page in layout.pages:
        found[page.number] = []
        for position, block in enumerate(_artifact_blocks(page), start=1):
            number += 1
            found[page.number].append(
                _artifact(block, page, number, position, document_id, seen[block.digest])
            )
    return found


def markdown_table(rows: tuple[tuple[str, ...], ...]) -> str:
    """Return rows as a Markdown table; its first row is the head, bars in cells are escaped."""
    width = max(map(len, rows), default=0)
    lines = [
        "| "
        + " | ".join(cell.replace("|", "\\|") for cell in (*row, *[""] * (width - len(row))))
        + " |"
        for row in rows
    ]
    return "\n".join([*lines[:1], "|" + " --- |" * width, *lines[1:]])


def _artifact_blocks(page: LaidPage) -> Iterator[Block]:
    return (one for one in page.blocks if one.kind in (BlockKind.TABLE, BlockKind.PICTURE))


def _artifact(
    block: Block, page: LaidPage, number: int, position: int, document_id: str, copies: int
) -> Artifact:
    is_table = block.kind is BlockKind.TABLE
    if _FILE_NAME.fullmatch(block.alt_text.strip()):
        block = replace(block, alt_text="")
    kind = TABLE if is_table else PICTURE
    content = (document_id, page.number, position, kind, block.text, block.alt_text, block.digest)
    picture_class, reason = (None, None) if is_table else _picture_class(block, page, copies)
    return Artifact(
        identity.content_id(kind, *content),
        number,
        page.number,
        kind,
        block,
        markdown_table(block.rows) if is_table else None,
        picture_class,
        reason,
        block.text if is_table else "\n".join(one for one in (block.alt_text, block.text) if one),
    )


def _picture_class(block: Block, page: LaidPage, copies: int) -> tuple[str, str]:
    """Return the class of a picture by rule, and why.

    What has words is never dropped, so no word of a document is lost with a picture.
    """
    numbers = sum(1 for word in block.text.split() if _NUMBER.search(word))
    if numbers >= _CHART_NUMBERS:
        return CHART, f"{numbers} numbers stand in it"
    if count_words(block.text):
        lines = block.text.count("\n") + 1
        said = f"{lines} lines of words stand in it"
        return DIAGRAM, said if lines >= _DIAGRAM_LINES else "words stand in it"
    if block.is_blank:
        return BLANK, "it has one colour"
    if block.box is not None and page.width and page.height:
        share = area(block.box) / (page.width * page.height)
        if share <= _LOGO_SHARE and copies >= _COMES_AGAIN:
            return LOGO, f"it is small and stands {copies} times in the document"
    if count_words(block.alt_text):
        return DIAGRAM, "the file describes it"
    return BLANK, "no word in it can be read"
