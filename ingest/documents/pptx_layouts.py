"""What a slide inherits from its layout and master: places, prompts, ground and colours.

Most slides inherit nothing that changes a word's class, so a layout is looked at as bytes first and
parsed only when something in it could matter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from ingest.documents.archive import Package
from ingest.documents.failures import PartFailureError
from ingest.documents.ooxml import (
    A,
    P,
    Relation,
    XmlElement,
    descend,
    first_of_kind,
    parse_xml,
    read_relations,
    read_xml,
)
from ingest.documents.pptx_text import P_TAG, paragraph_text

_SHAPE_PLACEHOLDER = (f"{P}nvSpPr", f"{P}nvPr", f"{P}ph")
_SHAPE_FRAME = (f"{P}spPr", f"{A}xfrm")
# ECMA-376 part 1, 19.3.1.36: a placeholder without a type is an object placeholder.
_DEFAULT_TYPE = "obj"
# Which master placeholder a layout placeholder of another type inherits from.
_MASTER_TYPES = {"ctrTitle": "title", "subTitle": "body", "obj": "body"}
_USUAL_OFFSETS = re.compile(rb'off(?<=[<:]off)[\s>](?:x="(\d+)" y="(\d+)")?')
_SOME_ZERO_EXTENT = re.compile(rb"ext\s[^>]*c[xy]=[\"']0[\"']")
_OFFSETS = re.compile(rb"<(?:\w+:)?off\s+x=[\"'](-?\d+)[\"']\s+y=[\"'](-?\d+)[\"']")
_ANY_OFFSET = re.compile(rb"<(?:\w+:)?off[\s>]")
_ZERO_EXTENT = re.compile(rb"<(?:\w+:)?ext\s[^>]*\bc[xy]=[\"']0[\"']")
_USUAL_ZERO_EXTENTS = 1  # the shape tree itself has one


class Sheet:
    """A layout or a master, parsed when first needed.

    Args:
        package: the package it is stored in.
        name: its part name; None for a sheet without a part.
        masters: the masters of the package by part name, filled as layouts ask for them; None
            when this sheet is a master itself.
    """

    def __init__(
        self,
        package: Package | None,
        name: str | None,
        masters: dict[str, Sheet] | None = None,
    ) -> None:
        self._package = package
        self._name = name
        self._masters = masters

    def frame(
        self, placeholder: XmlElement, slide_size: tuple[float, float] | None
    ) -> XmlElement | None:
        """Return the `a:xfrm` that a slide's placeholder inherits, None when it is harmless.

        Args:
            placeholder: the slide's `p:ph`.
            slide_size: width and height of the slide in EMU.
        """
        if not self.has_odd_places(slide_size):
            return None
        frames = (descend(shape, *_SHAPE_FRAME) for shape in self.ancestors(placeholder))
        return next((frame for frame in frames if frame is not None), None)

    def prompts(self, placeholder: XmlElement) -> list[str]:
        """Return the prompt that the layout sets for a placeholder; the built-in one is no text."""
        if b"hasCustomPrompt" not in self._content:
            return []
        shape = next(iter(self.ancestors(placeholder)), None)
        mark = descend(shape, *_SHAPE_PLACEHOLDER)
        if shape is None or mark is None or mark.get("hasCustomPrompt") not in ("1", "true"):
            return []
        return [paragraph_text(node) for node in shape.iter(P_TAG)]

    def has_odd_places(self, slide_size: tuple[float, float] | None) -> bool:
        """Whether a shape of the sheet or its master may lie off the slide or have no size."""
        if self._odd_places is None:
            own = _has_odd_places(self._content, slide_size)
            above = self.parent is not None and self.parent.has_odd_places(slide_size)
            self._odd_places = own or above
        return self._odd_places

    _odd_places: bool | None = None

    def ancestors(self, placeholder: XmlElement) -> list[XmlElement]:
        """Return the shapes that a slide's `p:ph` inherits from, nearest first."""
        by_index, by_type = self._placeholders
        kind = placeholder.get("type", _DEFAULT_TYPE)
        found = by_index.get(placeholder.get("idx", ""))
        if found is None:
            found = by_type.get(kind)
        chain = [] if found is None else [found]
        if self.parent is not None:
            mark = descend(found, *_SHAPE_PLACEHOLDER)
            kind = kind if mark is None else mark.get("type", _DEFAULT_TYPE)
            above = self.parent._placeholders[1].get(_MASTER_TYPES.get(kind, kind))
            if above is not None:
                chain.append(above)
        return chain

    @cached_property
    def _content(self) -> bytes:
        if self._package is None or self._name is None:
            return b""
        try:
            return self._package.read(self._name)
        except PartFailureError:
            # A slide whose layout is broken still has its own text, colours and places.
            return b""

    @cached_property
    def root(self) -> XmlElement | None:
        """The root element, None when the part cannot be read."""
        try:
            return parse_xml(self._content, self._name or "") if self._content else None
        except PartFailureError:
            return None

    @cached_property
    def relations(self) -> Mapping[str, Relation]:
        """The sheet's relations by id; none when they cannot be read."""
        if self._package is None or self._name is None:
            return {}
        try:
            return read_relations(self._package, self._name)
        except PartFailureError:
            return {}

    @cached_property
    def parent(self) -> Sheet | None:
        """The master of a layout, None for a master; layouts of one master share it."""
        if self._masters is None or self._package is None:
            return None
        name = first_of_kind(self.relations, "slideMaster")
        if name is None:
            return None
        if name not in self._masters:
            self._masters[name] = Sheet(self._package, name)
        return self._masters[name]

    @cached_property
    def theme(self) -> XmlElement | None:
        """The root of the theme that a master points at, None when there is none to read."""
        name = first_of_kind(self.relations, "theme")
        if name is None or self._package is None:
            return None
        try:
            return read_xml(self._package, name)
        except PartFailureError:
            return None

    @cached_property
    def theme_colors(self) -> dict[str, str | None]:
        """The colours of a master's theme by the names of the scheme, in hex or by name."""
        scheme = descend(self.theme, f"{A}themeElements", f"{A}clrScheme")
        colors = {}
        for entry in () if scheme is None else scheme:
            color = next(iter(entry), None)
            if isinstance(entry.tag, str) and color is not None:
                colors[entry.tag.rpartition("}")[2]] = color.get("lastClr") or color.get("val")
        return colors

    @cached_property
    def _placeholders(self) -> tuple[dict[str, XmlElement], dict[str, XmlElement]]:
        """Placeholders by `idx`, and the first of each type."""
        by_index: dict[str, XmlElement] = {}
        by_type: dict[str, XmlElement] = {}
        for shape in () if self.root is None else self.root.iter(f"{P}sp"):
            mark = descend(shape, *_SHAPE_PLACEHOLDER)
            if mark is not None:
                by_type.setdefault(mark.get("type", _DEFAULT_TYPE), shape)
                if mark.get("idx") is not None:
                    by_index.setdefault(mark.get("idx"), shape)
        return by_index, by_type


class SheetShelf:
    """Hands out each layout and master of a package once: slides share what was read.

    Args:
        package: the package to read from.
    """

    def __init__(self, package: Package) -> None:
        self._package = package
        self._sheets: dict[str | None, Sheet] = {}
        self._masters: dict[str, Sheet] = {}

    def layout(self, name: str | None) -> Sheet:
        """Return the layout stored under a part name; an empty sheet for None."""
        if name not in self._sheets:
            self._sheets[name] = Sheet(self._package, name, self._masters)
        return self._sheets[name]


def _has_odd_places(content: bytes, slide_size: tuple[float, float] | None) -> bool:
    # The exact patterns start at every tag; the ones before them start at a word that is rare, and
    # nearly every sheet is decided by these.
    if len(_SOME_ZERO_EXTENT.findall(content)) > _USUAL_ZERO_EXTENTS and (
        len(_ZERO_EXTENT.findall(content)) > _USUAL_ZERO_EXTENTS
    ):
        return True
    offsets = _USUAL_OFFSETS.findall(content)
    if (b"", b"") in offsets:
        offsets = _OFFSETS.findall(content)
        if len(offsets) != len(_ANY_OFFSET.findall(content)):
            return True  # written in a way that the pattern does not know
    width, height = slide_size or (float("inf"), float("inf"))
    return any(not (0 <= int(x) < width and 0 <= int(y) < height) for x, y in offsets)
