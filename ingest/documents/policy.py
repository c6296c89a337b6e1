"""Which words of a document count as visible, and how much of a file is read at most."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from functools import cached_property

MIB = 1024 * 1024
DEFAULT_POLICY_ID = "visible-1"

# Every word of a document lands in exactly one of these classes.
WORD_CLASSES = (
    "body",
    "table",
    "chart",
    "smartart",
    "notes",
    "hidden_slide",
    "off_slide",
    "zero_size",
    "invisible",
    "alt_text",
    "placeholder_prompt",
    "furniture",
)


@dataclass(frozen=True)
class TextPolicy:
    """Says for each class of words whether it counts as visible.

    Args:
        body: text frames, in groups at any depth; all of a page's prose.
        table: table cells, a merged cell once.
        chart: chart titles, categories and series names.
        smartart: nodes of SmartArt diagrams.
        notes: speaker notes.
        hidden_slide: everything that stands on a hidden slide.
        off_slide: shapes that lie wholly outside the slide.
        zero_size: shapes without width or height.
        invisible: text in the colour of its ground, transparent, hidden or never painted.
        alt_text: descriptions of shapes and pictures.
        placeholder_prompt: prompts that the layout shows in an empty placeholder.
        furniture: slide numbers, dates, footers; navigation of a web page.
    """

    body: bool = True
    table: bool = True
    chart: bool = True
    smartart: bool = True
    notes: bool = False
    hidden_slide: bool = False
    off_slide: bool = False
    zero_size: bool = False
    invisible: bool = False
    alt_text: bool = False
    placeholder_prompt: bool = False
    furniture: bool = False

    @cached_property
    def visible_classes(self) -> tuple[str, ...]:
        """The classes that count as visible, in the order of `WORD_CLASSES`."""
        return tuple(name for name in WORD_CLASSES if getattr(self, name))

    @property
    def id(self) -> str:
        """`visible-1` for the default rules, else `visible-` and a hash of the rules."""
        if self == VISIBLE:
            return DEFAULT_POLICY_ID
        rules = ",".join(f"{field.name}={getattr(self, field.name)}" for field in fields(self))
        return f"visible-{hashlib.sha256(rules.encode()).hexdigest()[:12]}"


VISIBLE = TextPolicy()


@dataclass(frozen=True)
class Limits:
    """Bounds on what one file may cost; beyond them its status is `too_large`.

    Args:
        file_bytes: size of the file on disk.
        part_bytes: one part of a package, inflated.
        inflated_bytes: all parts that are read from one package, inflated.
        declared_bytes: what the package's directory says all its parts inflate to.
        compression_ratio: declared bytes over file bytes, once more than `ratio_floor_bytes`.
        ratio_floor_bytes: below this many declared bytes the ratio is not looked at.
        part_count: entries in the package's directory.
        page_count: slides or pages.
    """

    file_bytes: int = 512 * MIB
    part_bytes: int = 64 * MIB
    inflated_bytes: int = 256 * MIB
    declared_bytes: int = 2048 * MIB
    compression_ratio: int = 200
    ratio_floor_bytes: int = 64 * MIB
    part_count: int = 20_000
    page_count: int = 10_000
