"""The PPTX reader: slides in the order of the show, every word in one class.

Read are the presentation, its slides and what those point at; pictures, fonts, media, embedded
files and unused layouts are never inflated.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ingest.documents.archive import Package
from ingest.documents.collect import PageCollector
from ingest.documents.document import DocumentStatus, Page
from ingest.documents.failures import FileFailureError, PartFailureError
from ingest.documents.ooxml import (
    A,
    P,
    R,
    Relation,
    XmlElement,
    child,
    descend,
    first_of_kind,
    parse_xml,
    read_relations,
    read_xml,
)
from ingest.documents.policy import Limits, TextPolicy
from ingest.documents.pptx_colors import Ground
from ingest.documents.pptx_frames import read_frame
from ingest.documents.pptx_layouts import SheetShelf
from ingest.documents.pptx_pictures import ContentTypes
from ingest.documents.pptx_shapes import (
    SlideScene,
    count_picture,
    read_text_shape,
    read_unknown_shape,
    walk_shapes,
)

PARSER = "podium-pptx"
PARSER_VERSION = "2"

# Made once: the walk compares them for every shape.
_SHEET = f"{P}cSld"
_BACKGROUND_PICTURE = (f"{P}bg", f"{P}bgPr", f"{A}blipFill")
_TREE = f"{P}spTree"
_TEXT_SHAPE = f"{P}sp"
_FRAME = f"{P}graphicFrame"
_PICTURE = f"{P}pic"
_WORDLESS = frozenset({f"{P}cxnSp", f"{P}contentPart"})
_FALSE = frozenset({"0", "false"})
_EMU = 12_700  # English Metric Units in a point


@dataclass
class Deck:
    """An open presentation and what its slides share."""

    package: Package
    policy: TextPolicy
    shelf: SheetShelf
    types: ContentTypes
    slide_size: tuple[float, float] | None
    pages: list[Page] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    broken_count: int = 0


def read_pptx(data: bytes, policy: TextPolicy, limits: Limits) -> tuple[list[Page], list[str]]:
    """Read a presentation, slide show or template, transitional or strict.

    Args:
        data: the bytes of a ZIP package.
        policy: which classes of words are visible.
        limits: bounds on what is inflated.

    Returns:
        The pages in the order of the show, and warnings that name slide and shape.

    Raises:
        FileFailureError: the package is torn, too large, locked, or no presentation.
    """
    package = Package(data, limits)
    presentation, relations = _open_presentation(package)
    deck = Deck(
        package, policy, SheetShelf(package), ContentTypes(package), _slide_size(presentation)
    )
    deck.warnings.extend(_dangling("presentation", relations))
    slide_ids = [
        entry
        for entries in presentation.iterchildren(f"{P}sldIdLst")
        for entry in entries.iterchildren(f"{P}sldId")
    ]
    if len(slide_ids) > limits.page_count:
        raise FileFailureError(
            DocumentStatus.TOO_LARGE, f"{len(slide_ids)} slides, more than {limits.page_count}"
        )
    for number, entry in enumerate(slide_ids, start=1):
        _read_entry(deck, number, entry.get(f"{R}id") or "", relations)
    has_words = any(page.words_by_class for page in deck.pages)
    if slide_ids and deck.broken_count == len(slide_ids) and not has_words:
        raise FileFailureError(DocumentStatus.DAMAGED, "; ".join(deck.warnings))
    return deck.pages, deck.warnings


def _open_presentation(package: Package) -> tuple[XmlElement, dict[str, Relation]]:
    try:
        name = _find_presentation(package)
        presentation = read_xml(package, name)
        relations = read_relations(package, name)
    except PartFailureError as error:
        raise FileFailureError(DocumentStatus.DAMAGED, str(error)) from error
    if presentation.tag != f"{P}presentation":
        raise FileFailureError(
            DocumentStatus.UNSUPPORTED, f"the main part is `{presentation.tag}`, no presentation"
        )
    return presentation, relations


def _find_presentation(package: Package) -> str:
    name = first_of_kind(read_relations(package, ""), "officeDocument")
    if name is not None:
        return name
    if package.find("ppt/presentation.xml") is not None:
        return "ppt/presentation.xml"
    kind = DocumentStatus.DAMAGED
    if package.find("_rels/.rels") is None and package.find("[Content_Types].xml") is None:
        kind = DocumentStatus.UNSUPPORTED
    raise FileFailureError(kind, "the ZIP package has no presentation in it")


def _slide_size(presentation: XmlElement) -> tuple[float, float] | None:
    size = child(presentation, f"{P}sldSz")
    try:
        return None if size is None else (float(size.get("cx")), float(size.get("cy")))
    except (TypeError, ValueError):
        return None


def _dangling(where: str, relations: dict[str, Relation]) -> list[str]:
    """Name relations that lead to parts that are not there; pictures are named by shape."""
    return [
        f"{where}: relation `{relation_id}` ({relation.kind}) leads to `{relation.target}`, "
        "which is not there"
        for relation_id, relation in relations.items()
        if relation.is_dangling and relation.kind not in ("slide", "chart", "diagramData")
    ]


def _read_entry(deck: Deck, number: int, relation_id: str, relations: dict[str, Relation]) -> None:
    relation = relations.get(relation_id)
    where = f"slide {number}"
    if relation is None or relation.is_dangling or relation.is_external:
        deck.warnings.append(f"{where}: relation `{relation_id}` leads to no slide")
        deck.broken_count += 1
        return
    try:
        root = _read_slide(deck, relation.target, where)
        slide_relations = read_relations(deck.package, relation.target)
    except PartFailureError as error:
        deck.warnings.append(f"{where}: not read: {error}")
        deck.broken_count += 1
        deck.pages.append(Page(number))
        return
    deck.warnings.extend(_dangling(where, slide_relations))
    page = PageCollector(number, is_hidden=root.get("show") in _FALSE)
    if deck.slide_size is not None:
        page.size = (deck.slide_size[0] / _EMU, deck.slide_size[1] / _EMU)
    layout = deck.shelf.layout(first_of_kind(slide_relations, "slideLayout"))
    scene = SlideScene(
        where=where,
        page=page,
        package=deck.package,
        relations=slide_relations,
        ground=Ground(root, layout),
        types=deck.types,
        slide_size=deck.slide_size,
        body_class="body",
        warnings=deck.warnings,
    )
    _walk(root, scene)
    _read_notes(deck, scene)
    deck.pages.append(page.finish(deck.policy))


def _read_slide(deck: Deck, name: str, where: str) -> XmlElement:
    """Parse a slide; of one that is not well-formed, read what stands before the fault."""
    content = deck.package.read(name)
    try:
        return parse_xml(content, name)
    except PartFailureError as error:
        if b"<!" in content or content[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise  # nothing is salvaged from a part that may declare entities
        root = parse_xml(content, name, recover=True)
        deck.warnings.append(f"{where}: read in part: {error}")
        deck.broken_count += 1
        return root


def _walk(root: XmlElement, scene: SlideScene) -> None:
    sheet = child(root, _SHEET)
    picture = descend(sheet, *_BACKGROUND_PICTURE)
    if picture is not None:
        count_picture("background", picture, scene)
    tree = descend(sheet, _TREE)
    if tree is None:
        scene.warnings.append(f"{scene.where}: has no shapes to read")
        return
    for shape in walk_shapes(tree, scene):
        tag = shape.element.tag
        if tag == _TEXT_SHAPE:
            read_text_shape(shape, scene)
        elif tag == _FRAME:
            read_frame(shape, scene)
        elif tag == _PICTURE:
            count_picture(shape.name, child(shape.element, f"{P}blipFill"), scene)
        elif tag not in _WORDLESS:
            read_unknown_shape(shape, scene)


def _read_notes(deck: Deck, scene: SlideScene) -> None:
    """Read the notes page of a slide; an open but empty notes pane adds nothing."""
    name = first_of_kind(scene.relations, "notesSlide")
    if name is None:
        return
    try:
        root = read_xml(deck.package, name)
        has_frames = next(root.iter(f"{P}graphicFrame"), None) is not None
        relations = read_relations(deck.package, name) if has_frames else {}
    except PartFailureError as error:
        deck.warnings.append(f"{scene.where}: notes not read: {error}")
        return
    notes = PageCollector(scene.page.number)
    _walk(
        root,
        SlideScene(
            where=f"notes of {scene.where}",
            page=notes,
            package=deck.package,
            relations=relations,
            ground=None,
            types=deck.types,
            slide_size=None,
            body_class="notes",
            warnings=deck.warnings,
        ),
    )
    for word_class, text, _ in notes.passages:
        scene.page.add("furniture" if word_class == "furniture" else "notes", text)
