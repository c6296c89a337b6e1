"""Finding overlay steps: pages that only lead up to the next one, told by their content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ingest.documents.words import split_words


@dataclass(frozen=True)
class PageContent:
    """What tells an overlay step.

    Args:
        number: position of the page, from 1.
        size: width and height in points, rounded.
        text: its visible text, paragraphs separated by line feeds.
    """

    number: int
    size: tuple[int, int]
    text: str


def find_overlay_steps(pages: Sequence[PageContent]) -> set[int]:
    """Return the numbers of pages whose every word the next page shows too.

    Both pages have the same size and begin with the same line, so that a title page whose few words
    happen to recur is none. Page labels are not looked at: real files carry wrong ones. A word that
    is the page's own number is left out of the comparison.
    """
    words = [_countable_words(page) for page in pages]
    return {
        page.number
        for page, following, own, next_words in zip(
            pages, pages[1:], words, words[1:], strict=False
        )
        if own
        and page.size == following.size
        and _first_line(page.text) == _first_line(following.text)
        and own <= next_words
    }


def _countable_words(page: PageContent) -> Counter[str]:
    words = Counter(split_words(page.text))
    words.pop(str(page.number), None)
    return words


def _first_line(text: str) -> str:
    return text.partition("\n")[0]
