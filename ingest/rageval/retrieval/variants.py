"""Variants: what is indexed, and what the generator sees. The two are declared apart.

The paper names TCTE, PCMHE and TCMIE and does not explain the names; this is our reading. The
baselines beside them show what each part is worth.
"""

from __future__ import annotations

from dataclasses import dataclass

from ingest.rageval.documents.layout_rule import PRESENTATION
from warehouse.errors import UsageError

TEXT, TABLE, PICTURE, PAGE = "text", "table", "picture", "page"


@dataclass(frozen=True)
class Variant:
    """One declared configuration.

    Attributes:
        name: as published.
        standard_kinds: kinds of chunks of running text that are indexed.
        presentation_kinds: the same of slides.
        needs_images: whether its embedder should see images; without one, text stands in for
            them, and the run is flagged `is_surrogate`.
        is_aligned: whether artifacts go back to their places in what the generator sees.
    """

    name: str
    standard_kinds: tuple[str, ...]
    presentation_kinds: tuple[str, ...] = (PAGE,)
    needs_images: bool = False
    is_aligned: bool = True

    def indexes(self, kind: str, layout_class: str | None) -> bool:
        """Return whether a chunk of a kind of a document is indexed."""
        is_slide = layout_class == PRESENTATION
        return kind in (self.presentation_kinds if is_slide else self.standard_kinds)


_PARTS = (TEXT, TABLE, PICTURE)
VARIANTS = {
    one.name: one
    for one in (
        Variant("TCTE", _PARTS),
        Variant("PCMHE", (PAGE,), needs_images=True),
        Variant("TCMIE", _PARTS, needs_images=True),
        Variant("page_only", (PAGE,), needs_images=True),
        Variant("text_only", (TEXT,), is_aligned=False),
        Variant("no_alignment", _PARTS, is_aligned=False),
    )
}


def variant_of(name: str) -> Variant:
    """Return a variant by name.

    Raises:
        UsageError: when there is none of that name.
    """
    if name not in VARIANTS:
        raise UsageError(f"there is no variant `{name}`", expected=", ".join(VARIANTS))
    return VARIANTS[name]
