"""The offline rule for the layout class of a document: does a page look like a slide?

Only what a page shows takes part: its shape, sizes of type against the page's, number of words,
lines of running text. Neither the name of the file nor the program that made it does. How often
the rule is right: docs/layout-router.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ingest.documents.layout.blocks import LaidPage

STANDARD, PRESENTATION = "standard", "presentation"
DECIDING_PAGES = 2
"""The benchmark looks at the first two pages, and so does the rule."""

_SLIDE_SHAPES = (4 / 3, 16 / 9, 16 / 10)
_PAPER_SHAPES = (2**0.5, 11 / 8.5)
_SHAPE_SLACK = 0.01
_LARGE_BODY, _SMALL_BODY = 0.025, 0.018
_LARGE_TYPE, _SMALL_TYPE = 0.040, 0.023
_MANY_WORDS = 250
_RUNNING_LINE = 8
_RUNNING_SHARE, _RUNNING_WORDS = 0.6, 100


@dataclass(frozen=True)
class PageEvidence:
    """What one page shows.

    Attributes:
        page_number: 1-based.
        aspect: width over height; None where the format has no pages.
        word_count: visible words.
        body_share: size of most of its text over the side of a square as large as the page; None
            without text.
        largest_share: the same of the largest size.
        running_share: share of words in lines of at least eight.
        score: sum of what speaks for slides (above 0) and against.
    """

    page_number: int
    aspect: float | None
    word_count: int
    body_share: float | None
    largest_share: float | None
    running_share: float
    score: float

    @property
    def layout_class(self) -> str:
        """Return the class that this page alone would have."""
        return PRESENTATION if self.score > 0 else STANDARD

    def as_record(self) -> dict[str, Any]:
        """Return plain values, shares to four decimals."""
        return {
            name: round(value, 4) if isinstance(value, float) else value
            for name, value in asdict(self).items()
        }


def page_evidence(page: LaidPage) -> PageEvidence:
    """Return what a page shows, and how much that speaks for slides."""
    words = sum(line.word_count for line in page.lines)
    if page.width is None or page.height is None or page.height <= 0:
        return PageEvidence(page.number, None, words, None, None, 0.0, -1.0)
    aspect, side = page.width / page.height, (page.width * page.height) ** 0.5
    sizes: Counter[float] = Counter()
    for line in page.lines:
        sizes[line.font_size] += line.word_count
    running = sum(line.word_count for line in page.lines if line.word_count >= _RUNNING_LINE)
    running_share = running / words if words else 0.0
    body = max(sizes, key=lambda size: (sizes[size], size)) / side if sizes else None
    largest = max(sizes) / side if sizes else None
    score = _shape_score(aspect)
    if body is not None and largest is not None:
        score += _between(body, _SMALL_BODY, _LARGE_BODY)
        score += _between(largest, _SMALL_TYPE, _LARGE_TYPE)
        score -= 1.0 if words >= _MANY_WORDS else 0.0
        score -= 1.0 if running_share >= _RUNNING_SHARE and words >= _RUNNING_WORDS else 0.0
    return PageEvidence(page.number, aspect, words, body, largest, running_share, score)


def rule_class(pages: Sequence[PageEvidence]) -> tuple[str, str]:
    """Return the class of a document by its first pages, and why in one sentence."""
    deciding = pages[:DECIDING_PAGES]
    total = sum(one.score for one in deciding)
    found = PRESENTATION if total > 0 else STANDARD
    said = "; ".join(_sentence(one) for one in deciding) or "no page"
    return found, f"{said}: {total:+g} for slides"


def _shape_score(aspect: float) -> float:
    if aspect < 1:
        return -1.0
    if any(abs(aspect / shape - 1) <= _SHAPE_SLACK for shape in _SLIDE_SHAPES):
        return 2.0
    if any(abs(aspect / shape - 1) <= _SHAPE_SLACK for shape in _PAPER_SHAPES):
        return 0.0
    return 1.0


def _between(value: float, low: float, high: float) -> float:
    """Return 1 from the high bound on, -1 up to the low one, 0 between."""
    return float(value >= high) - float(value <= low)


def _sentence(one: PageEvidence) -> str:
    if one.aspect is None:
        return f"page {one.page_number} has no shape"
    shape = f"page {one.page_number} is {one.aspect:.2f} wide to high, {one.word_count} words"
    if one.body_share is None or one.largest_share is None:
        return f"{shape}, no text"
    return f"{shape}, type {one.body_share:.1%} to {one.largest_share:.1%}"
