"""MuPDF, one thread at a time and without a word on stderr.

The library keeps state of its own for the whole process: two threads in it crash, and its
messages go to the terminal unless they are switched off.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pymupdf

_GUARD = threading.RLock()


@contextmanager
def alone() -> Iterator[None]:
    """Hold MuPDF for a `with` block; what matters comes back as a status, warning or error."""
    tools = pymupdf.TOOLS
    with _GUARD:
        errors, warnings = tools.mupdf_display_errors(), tools.mupdf_display_warnings()
        tools.mupdf_display_errors(False)
        tools.mupdf_display_warnings(False)
        try:
            yield
        finally:
            tools.mupdf_display_errors(errors)
            tools.mupdf_display_warnings(warnings)
