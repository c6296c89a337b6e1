"""Graphic frames of a slide: tables, charts, SmartArt and embedded objects."""

from __future__ import annotations

from ingest.documents.failures import PartFailureError
from ingest.documents.ooxml import (
    CX,
    DGM,
    MC,
    A,
    C,
    P,
    R,
    XmlElement,
    child,
    choose_alternative,
    descend,
    first_of_kind,
    read_relations,
    read_xml,
)
from ingest.documents.pptx_graphics import (
    read_chart,
    read_diagram,
    read_drawing,
    read_extended_chart,
)
from ingest.documents.pptx_shapes import Shape, SlideScene, count_picture
from ingest.documents.pptx_text import P_TAG, RunTest, read_paragraph, see_every_run

_TRUE = frozenset({"1", "true"})
_CELL_SEPARATOR = " | "
_ROW = f"{A}tr"
_CELL = f"{A}tc"


def read_frame(shape: Shape, scene: SlideScene) -> None:
    """Add what a `p:graphicFrame` shows to the page."""
    data = descend(shape.element, f"{A}graphic", f"{A}graphicData")
    if data is None:
        scene.warn(shape.name, "the frame has no content")
        return
    for content in data:
        _read_content(content, shape, scene)


def _read_content(content: XmlElement, shape: Shape, scene: SlideScene) -> None:
    tag = content.tag
    if tag == f"{A}tbl":
        _read_table(content, shape, scene)
    elif tag == f"{C}chart":
        _read_chart_part(content.get(f"{R}id"), shape, scene, is_extended=False)
    elif tag == f"{CX}chart":
        _read_chart_part(content.get(f"{R}id"), shape, scene, is_extended=True)
    elif tag == f"{DGM}relIds":
        _read_diagram_part(content.get(f"{R}dm"), shape, scene)
    elif tag == f"{MC}AlternateContent":
        branch = choose_alternative(content)
        for inner in () if branch is None else branch:
            _read_content(inner, shape, scene)
    elif tag == f"{P}oleObj":
        picture = child(content, f"{P}pic")
        if picture is not None:
            count_picture(shape.name, child(picture, f"{P}blipFill"), scene)
    elif isinstance(tag, str):
        _read_unknown(content, shape, scene)


def _read_unknown(content: XmlElement, shape: Shape, scene: SlideScene) -> None:
    texts = 0
    for paragraph in content.iter(P_TAG):
        for segment_class, text in read_paragraph(paragraph, see_every_run):
            scene.page.add(shape.place_class or segment_class or scene.body_class, text)
            texts += 1
    kind = content.tag.rpartition("}")[2]
    if texts or kind not in ("model3d", "slideZoom", "sectionZoom", "summaryZoom"):
        scene.warn(shape.name, f"the frame holds a `{kind}`, which is not known")


def _read_table(table: XmlElement, shape: Shape, scene: SlideScene) -> None:
    """Add a table row by row; what lies under a merged cell is stored but never painted."""
    for row in table.iterchildren(_ROW):
        cells: dict[str, list[str]] = {}
        for cell in row.iterchildren(_CELL):
            _read_cell(cell, shape, scene, cells)
        for word_class, texts in cells.items():
            scene.page.add(word_class, _CELL_SEPARATOR.join(texts))


def _read_cell(
    cell: XmlElement, shape: Shape, scene: SlideScene, cells: dict[str, list[str]]
) -> None:
    is_covered = cell.get("hMerge") in _TRUE or cell.get("vMerge") in _TRUE
    is_invisible = _cell_test(cell, scene)
    pieces: dict[str, list[str]] = {}
    for paragraph in cell.iter(P_TAG):
        for segment_class, text in read_paragraph(paragraph, is_invisible):
            word_class = "invisible" if is_covered else segment_class or "table"
            pieces.setdefault(shape.place_class or word_class, []).append(text)
    for word_class, texts in pieces.items():
        text = " ".join(texts)
        if text and not text.isspace():
            cells.setdefault(word_class, []).append(text)


def _cell_test(cell: XmlElement, scene: SlideScene) -> RunTest:
    ground = scene.ground

    def is_invisible(properties: XmlElement) -> bool:
        return ground is not None and ground.is_invisible_cell_run(properties, cell)

    return is_invisible


def _read_part(
    relation_id: str | None, what: str, shape: Shape, scene: SlideScene
) -> tuple[str, XmlElement] | None:
    """Return the name and root of the part a frame points at; warn and return None if broken."""
    relation = scene.relations.get(relation_id or "")
    if relation is None or relation.is_external:
        scene.warn(shape.name, f"a {what} was not read: relation `{relation_id}` is not there")
        return None
    try:
        return relation.target, read_xml(scene.package, relation.target)
    except PartFailureError as error:
        scene.warn(shape.name, f"a {what} was not read: {error}")
        return None


def _read_chart_part(
    relation_id: str | None, shape: Shape, scene: SlideScene, *, is_extended: bool
) -> None:
    part = _read_part(relation_id, "chart", shape, scene)
    if part is None:
        return
    name, root = part
    texts = read_extended_chart(root) if is_extended else read_chart(root)
    if root.find(f"{C}userShapes") is not None:
        try:
            drawing = first_of_kind(read_relations(scene.package, name), "chartUserShapes")
            if drawing is not None:
                texts.extend(read_drawing(read_xml(scene.package, drawing)))
        except PartFailureError as error:
            scene.warn(shape.name, f"the drawing on a chart was not read: {error}")
    for text in texts:
        scene.page.add(shape.place_class or "chart", text)


def _read_diagram_part(relation_id: str | None, shape: Shape, scene: SlideScene) -> None:
    part = _read_part(relation_id, "diagram", shape, scene)
    if part is None:
        return
    shown, unseen = read_diagram(part[1])
    for text in shown:
        scene.page.add(shape.place_class or "smartart", text)
    for text in unseen:
        scene.page.add("invisible", text)
