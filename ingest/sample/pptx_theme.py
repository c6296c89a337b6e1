"""The look of the PPTX decks: one trimmed 16:9 template per system."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_SHAPE
from pptx.oxml.ns import qn
from pptx.util import Emu, Inches

WIDTH, HEIGHT = Inches(13.333), Inches(7.5)
TITLE_SLIDE, TITLE_AND_CONTENT, TITLE_ONLY = 0, 1, 2
_KEPT_LAYOUTS = (0, 1, 5)  # of python-pptx's default template
_UNUSED_PARTS = ("thumbnail", "printerSettings")


@dataclass(frozen=True)
class Look:
    """Colours (``rrggbb``) and the accent bar's box (inches: left, top, width, height)."""

    ink: str
    accent: str
    accent_box: tuple[float, float, float, float]
    title_size: int  # points


LOOKS = {
    "outliner": Look("1F3A5F", "2F6DB5", (0.0, 0.0, 0.28, 7.5), 32),
    "sampler": Look("14433A", "E0A526", (0.7, 1.42, 11.9, 0.06), 34),
}


def colour(code: str) -> Any:
    """Return the colour of a six-digit ``rrggbb`` code."""
    make: Any = RGBColor  # the library leaves it untyped
    return make(*bytes.fromhex(code))


def _place(shape: Any, left: float, top: float, width: float, height: float) -> None:
    shape.left, shape.top = Inches(left), Inches(top)
    shape.width, shape.height = Inches(width), Inches(height)


def _place_all(shapes: Iterable[Any], *, is_cover: bool) -> None:
    for shape in shapes:
        kind = shape.placeholder_format.type
        name = kind.name if kind is not None else ""
        if name in ("TITLE", "CENTER_TITLE"):
            _place(shape, 0.9, 2.2 if is_cover else 0.5, 11.5, 1.6 if is_cover else 0.9)
        elif name == "SUBTITLE":
            _place(shape, 0.9, 4.0, 11.5, 1.4)
        elif name in ("BODY", "OBJECT"):
            _place(shape, 0.9, 1.7, 11.5, 5.0)
        else:  # date, footer and slide number keep to the foot of the page
            left = {"DATE": 0.9, "FOOTER": 4.6}.get(name, 9.4)
            _place(shape, left, 6.9, 3.0, 0.4)


def _style_title(master: Any, look: Look) -> None:
    level = master.element.find(f".//{qn('p:titleStyle')}/{qn('a:lvl1pPr')}")
    level.set("algn", "l")
    run = level.find(qn("a:defRPr"))
    run.set("sz", str(look.title_size * 100))
    run.set("b", "1")
    fill = run.find(qn("a:solidFill"))
    for child in list(fill):
        fill.remove(child)
    fill.append(fill.makeelement(qn("a:srgbClr"), {"val": look.ink}))


def _drop_unused(part_rels: Any) -> None:
    for key in [key for key, rel in part_rels.items() if rel.reltype.endswith(_UNUSED_PARTS)]:
        part_rels.pop(key)


def _add_accent(presentation: Any, look: Look) -> None:
    # Masters offer no add_shape: the bar is made on a slide that is dropped again.
    slide = presentation.slides.add_slide(presentation.slide_layouts[TITLE_ONLY])
    left, top, width, height = (Inches(value) for value in look.accent_box)
    bar = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, left, top, width, height)
    bar.fill.solid()
    bar.fill.fore_color.rgb = colour(look.accent)
    bar.line.fill.background()
    bar.name = "Accent"
    presentation.slide_master.shapes._spTree.insert(2, bar._element)
    entry = presentation.slides._sldIdLst[0]
    presentation.part.drop_rel(entry.rId)
    presentation.slides._sldIdLst.remove(entry)


def blank_presentation(look: Look, *, title: str, author: str) -> Any:
    """Return an empty 16:9 presentation in a look, with fixed core properties.

    Args:
        look: Colours and accent.
        title: Title for the core properties.
        author: Author for the core properties.

    Returns:
        A python-pptx presentation with the layouts title slide, title and content, title only.
    """
    presentation = Presentation()
    presentation.slide_width, presentation.slide_height = Emu(WIDTH), Emu(HEIGHT)
    layouts = presentation.slide_layouts
    for layout in [each for i, each in enumerate(layouts) if i not in _KEPT_LAYOUTS]:
        layouts.remove(layout)
    _drop_unused(presentation.part.package._rels)
    _drop_unused(presentation.part.rels)
    _place_all(presentation.slide_master.placeholders, is_cover=False)
    for number, layout in enumerate(layouts):
        _place_all(layout.placeholders, is_cover=number == TITLE_SLIDE)
    _style_title(presentation.slide_master, look)
    _add_accent(presentation, look)
    moment = datetime(2025, 1, 1, tzinfo=UTC)
    properties = presentation.core_properties
    properties.title, properties.author, properties.last_modified_by = title, author, author
    properties.created, properties.modified, properties.revision = moment, moment, 1
    return presentation
