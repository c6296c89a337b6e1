"""Collecting the passages of one page and counting their words by class."""

from __future__ import annotations

from dataclasses import dataclass, field

from ingest.documents.document import Page
from ingest.documents.policy import TextPolicy
from ingest.documents.words import count_words

# On a hidden slide only these keep their class: they are apart on every slide.
_APART_EVERYWHERE = frozenset({"notes", "alt_text", "placeholder_prompt", "hidden_slide"})

# Unseen text is looked through and goes nowhere: what a page holds beyond this is let go.
UNSEEN_CHARS_MAX = 100_000


@dataclass
class PageCollector:
    """The passages of one page while it is being read.

    Args:
        number: position of the page in the file, from 1.
        is_hidden: whether the page is a hidden slide.
        title: its title, set by the reader.
        picture_count: pictures on it, raised by the reader.
        passages: (class, text, words) in reading order.
        size: width and height of the page in points, set by the reader.
    """

    number: int
    is_hidden: bool = False
    title: str | None = None
    picture_count: int = 0
    passages: list[tuple[str, str, int]] = field(default_factory=list)
    size: tuple[float, float] | None = None

    def add(self, word_class: str, text: str) -> None:
        """Add one paragraph; white space is folded and blank text is dropped."""
        tokens = text.split()
        if not tokens:
            return
        if self.is_hidden and word_class not in _APART_EVERYWHERE:
            word_class = "hidden_slide"
        folded = " ".join(tokens)
        self.passages.append((word_class, folded, count_words(folded, tokens)))

    def finish(self, policy: TextPolicy) -> Page:
        """Count the words and return the page as the policy sees it."""
        words: dict[str, int] = {}
        visible: list[str] = []
        unseen: list[str] = []
        visible_classes = policy.visible_classes
        for word_class, text, count in self.passages:
            if count:
                words[word_class] = words.get(word_class, 0) + count
            (visible if word_class in visible_classes else unseen).append(text)
        return Page(
            number=self.number,
            is_hidden=self.is_hidden,
            title=self.title,
            text="\n".join(visible),
            unseen_text="\n".join(unseen)[:UNSEEN_CHARS_MAX],
            words_by_class=words,
            picture_count=self.picture_count,
            passages=tuple([(word_class, text) for word_class, text, _ in self.passages]),
            size=self.size,
        )
