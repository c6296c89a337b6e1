"""Counting the pictures of PDF pages without decoding any of them."""

from __future__ import annotations

import re
from typing import Any

_REFERENCE = re.compile(r"(\d+) \d+ R")


class PictureCounter:
    """Counts image objects by page, looking at each object of the file once.

    Args:
        document: the open `pymupdf.Document`.
    """

    def __init__(self, document: Any) -> None:
        self._document = document
        self._counts: dict[int, int] = {}

    def count(self, page: Any) -> int:
        """Return how many image objects a page draws from, those in nested forms included."""
        count = self._count_resources(page.xref)
        if count is None and self._document.xref_get_key(page.xref, "Resources")[0] == "null":
            return len(page.get_images())  # inherited from the page tree
        return count or 0

    def _count_resources(self, xref: int) -> int | None:
        """Return the count of an object's own resources; None when it names no objects."""
        kind, value = self._document.xref_get_key(xref, "Resources/XObject")
        if kind == "xref":
            value = self._document.xref_object(int(value.split()[0]), compressed=True)
        elif kind != "dict":
            return None
        return sum(self._count_object(int(number)) for number in _REFERENCE.findall(value))

    def _count_object(self, xref: int) -> int:
        if xref not in self._counts:
            self._counts[xref] = 0  # a form that draws itself ends here
            subtype = self._document.xref_get_key(xref, "Subtype")[1]
            if subtype == "/Image":
                self._counts[xref] = 1
            elif subtype == "/Form":
                self._counts[xref] = self._count_resources(xref) or 0
        return self._counts[xref]
