"""Walking the shapes of a slide in reading order, through groups at any depth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ingest.documents.archive import Package
from ingest.documents.collect import PageCollector
from ingest.documents.ooxml import (
    MC,
    A,
    P,
    Relation,
    XmlElement,
    child,
    choose_alternative,
    descend,
)
from ingest.documents.pptx_colors import Ground
from ingest.documents.pptx_geometry import (
    IDENTITY,
    Box,
    Transform,
    classify_place,
    enter_group,
    read_box,
)
from ingest.documents.pptx_pictures import ContentTypes, picture_fault
from ingest.documents.pptx_text import P_TAG, RunTest, read_paragraph, see_every_run

_FURNITURE_TYPES = frozenset({"sldNum", "dt", "ftr", "hdr"})
_TITLE_TYPES = frozenset({"title", "ctrTitle"})
_TRUE = frozenset({"1", "true"})
_GROUP = f"{P}grpSp"
_ALTERNATE = f"{MC}AlternateContent"
_GROUP_HOLDER = f"{P}nvGrpSpPr"
_INK = f"{P}contentPart"
# Properties of the tree or group itself, among its shapes.
_NO_SHAPES = frozenset({f"{P}nvGrpSpPr", f"{P}grpSpPr", f"{P}extLst"})
_PROPERTIES = f"{P}spPr"
_BODY = f"{P}txBody"
_PLACEHOLDER = f"{P}ph"
_NAMED = f"{P}cNvPr"
_FRAMES = frozenset({f"{A}xfrm", f"{P}xfrm"})
_PICTURE_FILL = f"{A}blipFill"


@dataclass
class SlideScene:
    """What the walk over one slide needs to know and what it gathers.

    Args:
        where: the slide in words, for warnings.
        page: gathers the passages.
        package: the package.
        relations: the relations of the slide's part.
        ground: colours and layout of the slide, None where they do not matter (notes).
        types: content types of the package.
        slide_size: width and height in EMU, None when unknown.
        body_class: class of the words in text frames.
        warnings: gathers what cannot be read.
    """

    where: str
    page: PageCollector
    package: Package
    relations: dict[str, Relation]
    ground: Ground | None
    types: ContentTypes
    slide_size: tuple[float, float] | None
    body_class: str
    warnings: list[str] = field(default_factory=list)

    def warn(self, name: str, fault: str) -> None:
        """Record what is wrong with a shape of this slide."""
        self.warnings.append(f"{self.where}, shape `{name}`: {fault}")


class Shape(NamedTuple):
    """A shape of the tree, taken apart once.

    Args:
        element: the shape's element.
        named: its `p:cNvPr`, None when it has none.
        placeholder: its `p:ph`, None when it is no placeholder.
        properties: its `p:spPr`, None when it has none.
        body: its `p:txBody`, None when it has none.
        box: where it lies on the slide, None when unknown.
        place_class: the class that its place gives to all its words, None when it is seen.
    """

    element: XmlElement
    named: XmlElement | None
    placeholder: XmlElement | None
    properties: XmlElement | None
    body: XmlElement | None
    box: Box | None
    place_class: str | None

    @property
    def name(self) -> str:
        """Its name, for warnings."""
        if self.named is None:
            return "without a name"
        return self.named.get("name") or f"id {self.named.get('id')}"


def walk_shapes(tree: XmlElement, scene: SlideScene) -> Iterator[Shape]:
    """Yield every shape of a shape tree, groups resolved, alternatives chosen, in tree order.

    Alternative texts are added to the scene's page on the way, because groups have them too.
    """
    stack: list[tuple[Iterator[XmlElement], Transform | None, bool]] = [
        (iter(tree), IDENTITY, False)
    ]
    while stack:
        children, transform, is_hidden = stack[-1]
        element = next(children, None)
        if element is None:
            stack.pop()
            continue
        tag = element.tag
        if tag == _ALTERNATE:
            branch = choose_alternative(element)
            if branch is not None:
                stack.append((iter(branch), transform, is_hidden))
        elif tag == _GROUP:
            own_hidden = _read_name(child(element, _GROUP_HOLDER), scene)[1]
            frame = descend(element, f"{P}grpSpPr", f"{A}xfrm")
            inner = None if transform is None else enter_group(frame, transform)
            stack.append((iter(element), inner, is_hidden or own_hidden))
        elif tag not in _NO_SHAPES and isinstance(tag, str):
            if tag == _INK:
                scene.page.picture_count += 1
            yield _take_apart(element, transform, is_hidden, scene)


def read_text_shape(shape: Shape, scene: SlideScene) -> None:
    """Add the text of a `p:sp` to the page, and its picture if it is filled with one."""
    if shape.properties is not None and len(shape.properties):
        fill = child(shape.properties, _PICTURE_FILL)
        if fill is not None:
            count_picture(shape.name, fill, scene)
    placeholder = shape.placeholder
    kind = None if placeholder is None else placeholder.get("type", "obj")
    has_text = shape.body is not None and _add_body(shape.body, shape, kind, scene)
    if placeholder is not None and not has_text and scene.ground is not None:
        for text in scene.ground.layout.prompts(placeholder):
            scene.page.add("placeholder_prompt", text)


def read_unknown_shape(shape: Shape, scene: SlideScene) -> None:
    """Read the paragraphs of an element that is no known kind of shape, and say so."""
    tag = shape.element.tag.rpartition("}")[2]
    scene.warn(shape.name, f"element `{tag}` is no known kind of shape")
    for paragraph in shape.element.iter(P_TAG):
        for segment_class, text in read_paragraph(paragraph, see_every_run):
            scene.page.add(shape.place_class or segment_class or scene.body_class, text)


def count_picture(name: str, fill: XmlElement | None, scene: SlideScene) -> None:
    """Count a picture if it can be shown, else warn; those of the notes are not on the slide."""
    if scene.ground is None:
        return
    fault = picture_fault(fill, scene.relations, scene.types)
    if fault is None:
        scene.page.picture_count += 1
    else:
        scene.warn(name, f"the picture {fault}")


def _add_body(body: XmlElement, shape: Shape, kind: str | None, scene: SlideScene) -> bool:
    """Add the paragraphs of a text body; return whether it says anything."""
    fixed_class = "furniture" if kind in _FURNITURE_TYPES else shape.place_class
    is_invisible = _run_test(shape, scene)
    page = scene.page
    before = len(page.passages)
    title = []
    for paragraph in body.iterchildren(P_TAG):
        for segment_class, text in read_paragraph(paragraph, is_invisible):
            page.add(fixed_class or segment_class or scene.body_class, text)
            # A title goes to judges: what nobody sees of it is none.
            if segment_class is None and shape.place_class is None:
                title.append(text)
    if kind in _TITLE_TYPES and page.title is None:
        page.title = " ".join(" ".join(title).split()) or None
    return len(page.passages) > before


def _run_test(shape: Shape, scene: SlideScene) -> RunTest:
    ground = scene.ground
    return see_every_run if ground is None else ground.run_test(shape.element, shape.box)


def _take_apart(
    element: XmlElement, transform: Transform | None, is_hidden: bool, scene: SlideScene
) -> Shape:
    holder = properties = body = frame = None
    for part in element:
        tag = part.tag
        if holder is None:
            holder = part  # `p:nvSpPr` and its like come first
        elif tag == _PROPERTIES:
            properties = part
        elif tag == _BODY:
            body = part
        elif tag in _FRAMES:
            frame = part
    named, own_hidden, placeholder = _read_name(holder, scene)
    if properties is not None and len(properties) and properties[0].tag in _FRAMES:
        frame = properties[0]
    if frame is None and placeholder is not None and scene.ground is not None:
        frame = scene.ground.layout.frame(placeholder, scene.slide_size)
    box, place_class = _find_place(frame, transform, scene)
    if is_hidden or own_hidden:
        place_class = "invisible"
    return Shape(element, named, placeholder, properties, body, box, place_class)


def _find_place(
    frame: XmlElement | None, transform: Transform | None, scene: SlideScene
) -> tuple[Box | None, str | None]:
    box = read_box(frame)
    if box is None:
        return None, None
    if transform is None:
        # Inside a turned group places are unknown, sizes are not.
        return None, classify_place(box, None)
    if transform is not IDENTITY:
        box = transform.apply(box)
    return box, classify_place(box, scene.slide_size)


def _read_name(
    holder: XmlElement | None, scene: SlideScene
) -> tuple[XmlElement | None, bool, XmlElement | None]:
    """Read the `p:nv…Pr` of a shape: its `p:cNvPr`, whether it is hidden, its `p:ph`.

    Its alternative text goes to the page.
    """
    named = None if holder is None or not len(holder) else holder[0]
    if holder is None or named is None or named.tag != _NAMED:
        return None, False, None
    for text in (named.get("title"), named.get("descr")):
        if text:
            scene.page.add("alt_text", text)
    placeholder = None
    if len(holder) > 1:
        # A loop, because most of these elements are empty and `child` costs more than it finds.
        for part in holder[-1]:
            if part.tag == _PLACEHOLDER:
                placeholder = part
                break
    return named, named.get("hidden") in _TRUE, placeholder
