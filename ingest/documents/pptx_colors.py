"""Text that cannot be seen because it has the colour of its ground, or no colour at all.

Only what the file states is used: a colour set on the run itself against the fill of its own shape
or, where the shape has no fill and nothing lies under it, the background of the slide. In doubt a
word counts as visible.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ingest.documents.ooxml import A, P, XmlElement, child, descend
from ingest.documents.pptx_geometry import Box, read_box
from ingest.documents.pptx_layouts import Sheet

_SOLID = f"{A}solidFill"
_NO_FILL = f"{A}noFill"
_LINE = f"{A}ln"
_PROPERTIES = f"{P}spPr"
_FILLS = frozenset(f"{A}{name}Fill" for name in ("solid", "no", "grad", "blip", "patt", "grp"))
_PAINTED_FILLS = _FILLS - {_NO_FILL}
_SCHEME_COLOR = f"{A}schemeClr"
_SYSTEM_COLOR = f"{A}sysClr"
_RGB_COLOR = f"{A}srgbClr"
_ALPHA = f"{A}alpha"
_PRESET_COLORS = {"white": "FFFFFF", "black": "000000"}
_DEFAULT_BACKGROUND = "FFFFFF"
# Index into the theme's background styles of the plain one; the others are gradients or pictures.
_PLAIN_BACKGROUND_STYLE = "1001"


@dataclass
class Ground:
    """Resolves colours of one slide, reading layout, master and theme only when asked.

    Args:
        slide: the `p:sld` element.
        layout: the slide's layout.
    """

    slide: XmlElement
    layout: Sheet
    _palette: dict[str, str] | None = None
    _background: list[str | None] = field(default_factory=list)

    def run_test(self, shape: XmlElement, box: Box | None) -> Callable[[XmlElement], bool]:
        """Return a test that tells of an `a:rPr` whether its run cannot be seen inside a shape.

        Args:
            shape: the `p:sp` around the runs.
            box: where that shape lies, if known.
        """
        # Most runs of a shape have colours of their own, and what is under them is the same.
        under: list[tuple[str | None, bool]] = []

        def is_invisible_run(properties: XmlElement) -> bool:
            color = self._stated_color(properties)
            if not color:
                return color == ""
            if not under:
                under.append(self._under(shape))
            ground, is_slide = under[0]
            return color == ground and (not is_slide or self._lies_on_bare_slide(shape, box))

        return is_invisible_run

    def _under(self, shape: XmlElement) -> tuple[str | None, bool]:
        """The colour that the runs of a shape stand on, and whether it is that of the slide."""
        fill = find_fill(child(shape, _PROPERTIES))
        if fill is None:
            fill = self._inherited_fill(shape)
        if fill is not None and fill.tag != _NO_FILL:
            return (self.color_of(fill) if fill.tag == _SOLID else None), False
        if fill is None:
            style = _style_fill(shape)
            if style is not None:
                return self.color_of(style), False
        return self.background(), True

    def is_invisible_cell_run(self, properties: XmlElement, cell: XmlElement) -> bool:
        """Whether a run cannot be seen in a table cell `a:tc` that states its own fill."""
        color = self._stated_color(properties)
        if color is None or color == "":
            return color == ""
        fill = find_fill(child(cell, f"{A}tcPr"))
        return fill is not None and fill.tag == _SOLID and color == self.color_of(fill)

    def color_of(self, fill: XmlElement) -> str | None:
        """Return the colour of a fill as a comparable key, `""` when transparent, None unknown."""
        node = next((child for child in fill if isinstance(child.tag, str)), None)
        if node is None:
            return None
        tag, value = node.tag, node.get("val")
        if tag == _SCHEME_COLOR:
            base = self.palette().get(value or "")
        elif tag == _RGB_COLOR:
            base = value
        elif tag == _SYSTEM_COLOR:
            base = node.get("lastClr")
        else:
            base = _PRESET_COLORS.get(value or "")
        if not len(node):
            return None if base is None else base.upper()
        changes = [(child.tag, child.get("val")) for child in node]
        if (_ALPHA, "0") in changes or (_ALPHA, "0%") in changes:
            return ""
        return None if base is None else base.upper() + str(changes)

    def palette(self) -> dict[str, str]:
        """Return the colours that scheme names stand for on this slide."""
        if self._palette is None:
            self._palette = self._read_palette()
        return self._palette

    def background(self) -> str | None:
        """Return the colour of the slide's background, None when it is no plain known colour."""
        if not self._background:
            self._background.append(self._read_background())
        return self._background[0]

    def _stated_color(self, properties: XmlElement) -> str | None:
        """The colour a run states: `""` when it paints nothing, None when it states none."""
        for part in properties:
            if part.tag == _SOLID:
                return self.color_of(part)
            if part.tag == _NO_FILL:
                line = child(properties, _LINE)
                return "" if line is None or child(line, _NO_FILL) is not None else None
        return None

    def _inherited_fill(self, shape: XmlElement) -> XmlElement | None:
        placeholder = descend(shape, f"{P}nvSpPr", f"{P}nvPr", f"{P}ph")
        if placeholder is None:
            return None
        for ancestor in self.layout.ancestors(placeholder):
            fill = find_fill(child(ancestor, _PROPERTIES))
            if fill is not None:
                return fill
        return None

    def _read_palette(self) -> dict[str, str]:
        master = self.layout.parent
        if master is None or master.root is None:
            return {}
        colors = master.theme_colors
        mapping = dict(self._color_map(master))
        mapped = {name: colors.get(target) for name, target in mapping.items()}
        return {name: color for name, color in {**colors, **mapped}.items() if color}

    def _color_map(self, master: Sheet) -> dict[str, str]:
        for root in (self.slide, self.layout.root):
            override = descend(root, f"{P}clrMapOvr", f"{A}overrideClrMapping")
            if override is not None:
                return dict(override.attrib)
        plain = descend(master.root, f"{P}clrMap")
        return {} if plain is None else dict(plain.attrib)

    def _read_background(self) -> str | None:
        master = self.layout.parent
        for root in (self.slide, self.layout.root, None if master is None else master.root):
            ground = descend(root, f"{P}cSld", f"{P}bg")
            if ground is None:
                continue
            reference = child(ground, f"{P}bgRef")
            if reference is not None:
                is_plain = reference.get("idx") == _PLAIN_BACKGROUND_STYLE
                return self.color_of(reference) if is_plain else None
            fill = find_fill(child(ground, f"{P}bgPr"))
            return self.color_of(fill) if fill is not None and fill.tag == _SOLID else None
        return _DEFAULT_BACKGROUND

    def _lies_on_bare_slide(self, shape: XmlElement, box: Box | None) -> bool:
        """Whether nothing painted can lie between a shape and the background of the slide."""
        if box is None or shape.getparent().tag == f"{P}grpSp":
            return False
        below = [node for node in shape.itersiblings(preceding=True) if _is_painted(node)]
        for sheet in (self.layout, self.layout.parent):
            tree = None if sheet is None else descend(sheet.root, f"{P}cSld", f"{P}spTree")
            below.extend(node for node in (() if tree is None else tree) if _is_painted(node))
        frames = [descend(node, _PROPERTIES, f"{A}xfrm") for node in below]
        boxes = [read_box(frame) for frame in frames]
        return all(other is not None and not other.intersects(box) for other in boxes)


def find_fill(properties: XmlElement | None) -> XmlElement | None:
    """Return the fill element among shape, cell or background properties, or None."""
    if properties is None:
        return None
    return next((child for child in properties if child.tag in _FILLS), None)


def _style_fill(shape: XmlElement) -> XmlElement | None:
    reference = descend(shape, f"{P}style", f"{A}fillRef")
    if reference is None or reference.get("idx") in (None, "0"):
        return None
    return reference


def _is_painted(node: XmlElement) -> bool:
    """Whether an element of a shape tree may cover the background."""
    if not isinstance(node.tag, str) or node.tag in (f"{P}nvGrpSpPr", f"{P}grpSpPr"):
        return False
    if node.tag != f"{P}sp":
        return node.tag != f"{P}extLst"
    fill = find_fill(child(node, _PROPERTIES))
    if fill is not None:
        return fill.tag in _PAINTED_FILLS
    return _style_fill(node) is not None
