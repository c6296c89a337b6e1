"""What a reader gives back: a document, its pages, and one status of a closed list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from ingest.documents.policy import VISIBLE, WORD_CLASSES
from ingest.documents.words import WORD_RULE

# Formats whose pages are slides; a web page or a text has no slide count.
PAGED_FORMATS = frozenset({"pptx", "pdf"})


class DocumentStatus(StrEnum):
    """How reading a file ended; every file ends in exactly one of these."""

    OK = "ok"
    OK_WITH_WARNINGS = "ok_with_warnings"
    EMPTY = "empty"
    IMAGE_ONLY = "image_only"
    ENCRYPTED = "encrypted"
    LEGACY_BINARY = "legacy_binary"
    NOT_A_ZIP = "not_a_zip"
    DAMAGED = "damaged"
    MISSING = "missing"
    TOO_LARGE = "too_large"
    UNSUPPORTED = "unsupported"

    @property
    def is_readable(self) -> bool:
        """Whether the file was read, so that its pages say something about it."""
        return self in _READABLE


_READABLE = frozenset(
    {
        DocumentStatus.OK,
        DocumentStatus.OK_WITH_WARNINGS,
        DocumentStatus.EMPTY,
        DocumentStatus.IMAGE_ONLY,
    }
)


@dataclass(frozen=True)
class Page:
    """One slide, one page of a PDF, or the whole of a web page or text.

    Args:
        number: position in the file, from 1, hidden slides included.
        is_hidden: whether a slide show leaves the slide out.
        title: the title of the slide or page, if it has one.
        text: the visible text, paragraphs separated by a line feed, in reading order.
        unseen_text: the text of all other classes, such as notes, white or off-slide text; it
            goes to no judge, but may be looked through. At most 100,000 characters.
        words_by_class: word counts by class of `WORD_CLASSES`; absent means 0.
        picture_count: pictures that stand on the page.
        is_overlay_step: whether the next page shows all of this page's words and more.
        passages: class and text of every passage in order, whether it is visible or not.
        size: width and height in points; None where the format has no pages or hides it.
    """

    number: int
    is_hidden: bool = False
    title: str | None = None
    text: str = ""
    unseen_text: str = ""
    words_by_class: Mapping[str, int] = field(default_factory=dict)
    picture_count: int = 0
    is_overlay_step: bool = False
    passages: tuple[tuple[str, str], ...] = ()
    size: tuple[float, float] | None = None


@dataclass(frozen=True)
class Document:
    """A file as it was read under one text policy.

    Args:
        path: the path as given.
        status: how reading ended.
        format: what the bytes are, whatever the suffix says; None when it is none we know.
        pages: slides or pages in order; empty unless the status is readable.
        warnings: what could not be read or looks wrong, each naming its slide or page.
        parser: the reader that was used.
        parser_version: its version.
        word_rule: id of the word rule.
        text_policy: id of the text policy.
        visible_classes: the classes that count as visible under that policy.
        sha256: hash of the file's bytes in hex; None when the file is missing.
        byte_count: size of the file in bytes; 0 when it is missing.
        failure: why a parser outside this program gave no text; blank otherwise. The file may be
            sound, so no status tells it.
    """

    path: str
    status: DocumentStatus
    format: str | None = None
    pages: tuple[Page, ...] = ()
    warnings: tuple[str, ...] = ()
    parser: str = "none"
    parser_version: str = "0"
    word_rule: str = WORD_RULE
    text_policy: str = VISIBLE.id
    visible_classes: tuple[str, ...] = VISIBLE.visible_classes
    sha256: str | None = None
    byte_count: int = 0
    failure: str = ""

    @property
    def slide_count(self) -> int | None:
        """Visible slides or pages; None when not readable or not a paged format."""
        return self._count_pages(lambda page: not page.is_hidden)

    @property
    def hidden_slide_count(self) -> int | None:
        """Hidden slides; None when not readable or not a paged format."""
        return self._count_pages(lambda page: page.is_hidden)

    @property
    def logical_slide_count(self) -> int | None:
        """Visible slides without overlay steps; None where `slide_count` is."""
        return self._count_pages(lambda page: not (page.is_hidden or page.is_overlay_step))

    @property
    def words_by_class(self) -> dict[str, int]:
        """Words of all pages by class; every class is there, with 0 if it has none."""
        return {
            name: sum(page.words_by_class.get(name, 0) for page in self.pages)
            for name in WORD_CLASSES
        }

    @property
    def visible_word_count(self) -> int | None:
        """Words of the visible classes; None when not readable or when it is only pictures."""
        if not self.status.is_readable or self.status is DocumentStatus.IMAGE_ONLY:
            return None
        words = self.words_by_class
        return sum(words[name] for name in self.visible_classes)

    @property
    def visible_text(self) -> str:
        """The visible text of all pages that have some, separated by an empty line."""
        return "\n\n".join(page.text for page in self.pages if page.text)

    @property
    def parser_fingerprint(self) -> str:
        """Everything that changes a count: parser, its version, text policy and word rule."""
        return f"{self.parser}/{self.parser_version}/{self.text_policy}/{self.word_rule}"

    def as_record(self) -> dict[str, object]:
        """Return the document as plain values for JSON, without its text."""
        return {
            "path": self.path,
            "status": self.status.value,
            "format": self.format,
            "slide_count": self.slide_count,
            "hidden_slide_count": self.hidden_slide_count,
            "logical_slide_count": self.logical_slide_count,
            "visible_word_count": self.visible_word_count,
            "words_by_class": self.words_by_class,
            "warnings": list(self.warnings),
            "parser": self.parser,
            "parser_version": self.parser_version,
            "parser_fingerprint": self.parser_fingerprint,
            "text_policy": self.text_policy,
            "word_rule": self.word_rule,
            "sha256": self.sha256,
            "byte_count": self.byte_count,
        }

    def _count_pages(self, keep: Callable[[Page], bool]) -> int | None:
        if not self.status.is_readable or self.format not in PAGED_FORMATS:
            return None
        return sum(1 for page in self.pages if keep(page))
