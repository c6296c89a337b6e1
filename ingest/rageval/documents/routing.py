"""Which way a document goes: kept by the page as slides are, or read as running text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ingest.documents.layout.blocks import Layout
from ingest.rageval.documents.layout_rule import (
    DECIDING_PAGES,
    PRESENTATION,
    STANDARD,
    PageEvidence,
    page_evidence,
    rule_class,
)

RULE, OVERRIDE = "rule", "override"
_LEAST_LATER = 2


@dataclass(frozen=True)
class Route:
    """How a document was routed.

    Attributes:
        layout_class: standard or presentation.
        method: what decided.
        reason: why, in one sentence.
        rule: what the offline rule says, whoever decided.
        evidence: of every page.
        disagreeing: later pages that the rule puts into the other class.
    """

    layout_class: str
    method: str
    reason: str
    rule: str
    evidence: tuple[PageEvidence, ...]
    disagreeing: tuple[int, ...]

    @property
    def is_mixed(self) -> bool:
        """Return whether most of the later pages belong to the other class."""
        later = len(self.evidence) - DECIDING_PAGES
        return later >= _LEAST_LATER and 2 * len(self.disagreeing) > later


def route(layout: Layout, document_id: str, overrides: Mapping[str, str]) -> Route:
    """Route a document by its first two pages; what somebody stated wins.

    A PPTX has slides, whatever their shape; formats without pages are running text.
    """
    evidence = tuple(page_evidence(page) for page in layout.pages)
    if layout.document.format == "pptx":
        rule, reason = PRESENTATION, "the file is made of slides"
    elif layout.document.format == "pdf":
        rule, reason = rule_class(evidence)
    else:
        rule, reason = STANDARD, "the format has no pages"
    stated = overrides.get(document_id)
    chosen = rule if stated is None else stated
    paged = evidence[DECIDING_PAGES:] if layout.document.format == "pdf" else ()
    disagreeing = tuple(one.page_number for one in paged if one.layout_class != chosen)
    if stated is not None:
        return Route(stated, OVERRIDE, "stated by hand", rule, evidence, disagreeing)
    return Route(rule, RULE, reason, rule, evidence, disagreeing)
