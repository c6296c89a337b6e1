"""The HTML reader: block tags break, inline tags do not, script and style never count."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml import etree

from ingest.documents.collect import PageCollector
from ingest.documents.decoding import decode_text
from ingest.documents.document import DocumentStatus, Page
from ingest.documents.failures import FileFailureError
from ingest.documents.ooxml import XmlElement
from ingest.documents.policy import TextPolicy

PARSER = "podium-html"
PARSER_VERSION = "2"


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# WHATWG HTML, 15.3: elements that the default style sheet sets in lines of their own.
_BLOCKS = _names(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main "
    "menu nav ol optgroup option p pre search section select summary table tbody tfoot thead tr ul "
    "svg text foreignobject textarea button"
)
_CELLS = frozenset({"td", "th"})
_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
# Elements whose content is no text of the page, or stands in for something that is shown instead.
_SKIPPED = _names(
    "script style template noscript iframe object audio video canvas head annotation "
    "annotation-xml rp datalist noframes"
)
_DESCRIPTIONS = frozenset({"title", "desc"})  # inside SVG
_PICTURES = frozenset({"img", "svg", "image", "canvas", "picture"})
_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
# A style that gives an inline element lines of its own.
_BLOCK_STYLE = re.compile(
    r"display\s*:\s*(?:block|flex|grid|flow-root|list-item|table)\b", re.IGNORECASE
)
# Frameworks that write the text of a page from elsewhere when it is opened.
_TEMPLATES = frozenset({"text/template", "text/x-template", "text/markdown"})
_LOADED_TEXT = ("data-markdown", "data-external")
_XML_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_CELL_SEPARATOR = " | "


@dataclass
class _Flow:
    """The text of the paragraph that is being gathered, and where in the page it stands."""

    page: PageCollector
    pieces: list[str] = field(default_factory=list)
    heading: str = ""
    cell_depth: int = 0
    pre_depth: int = 0
    classes: list[str] = field(default_factory=lambda: ["body"])

    def flush(self) -> None:
        text = "".join(self.pieces)
        self.pieces.clear()
        for line in text.split("\n") if self.pre_depth and not self.cell_depth else [text]:
            if line.strip(" |\t\r\n"):
                self.page.add(self.classes[-1], f"{self.heading} {line}")

    def break_block(self) -> None:
        if self.cell_depth:
            self.pieces.append(" ")
        else:
            self.flush()


def read_html(data: bytes, policy: TextPolicy) -> tuple[list[Page], list[str]]:
    """Read a web page as one page of text; headings become lines that start with `#`.

    Navigation is `furniture`, hidden elements are `invisible`, alternative texts are `alt_text`.

    Args:
        data: the bytes of the file.
        policy: which classes of words are visible.

    Returns:
        One page, and warnings about its encoding.

    Raises:
        FileFailureError: `damaged` when there is no element in it at all.
    """
    text, warnings = decode_text(data, declared=True)
    text = _XML_DECLARATION.sub("", text).replace("\x00", "")
    parser = etree.HTMLParser(
        recover=True, no_network=True, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(text, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise FileFailureError(DocumentStatus.DAMAGED, f"no readable HTML: {error}") from error
    if root is None:
        raise FileFailureError(DocumentStatus.DAMAGED, "there is no HTML element in the file")
    if len(parser.error_log.filter_from_fatals()):
        warnings.append(
            f"the HTML is read in part: {parser.error_log.filter_from_fatals()[0].message}"
        )
    warnings.extend(_loaded_text(root))
    page = PageCollector(1, title=_document_title(root))
    _walk(root, _Flow(page))
    return [page.finish(policy)], warnings


def _loaded_text(root: XmlElement) -> list[str]:
    """Name text that a script puts into the page, which is not in its elements."""
    count = sum(
        1
        for element in root.iter()
        if any(element.get(name) for name in _LOADED_TEXT)
        or (element.tag == "script" and element.get("type") in _TEMPLATES)
    )
    return [f"{count} parts of the page are loaded by script: not read"] if count else []


def _document_title(root: XmlElement) -> str | None:
    title = " ".join((root.findtext(".//head/title") or "").split())
    if not title:
        heading = root.find(".//h1")
        title = "" if heading is None else " ".join("".join(heading.itertext()).split())
    return title or None


def _walk(root: XmlElement, flow: _Flow) -> None:
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        tag = element.tag if isinstance(element.tag, str) else ""
        if event == "start":
            if _is_skipped(tag, element, flow):
                walker.skip_subtree()
            else:
                _open(tag, element, flow)
        else:
            if not _is_skipped(tag, element, None):
                _close(tag, element, flow)
            if element.tail:
                flow.pieces.append(element.tail)
    flow.flush()


def _is_skipped(tag: str, element: XmlElement, flow: _Flow | None) -> bool:
    """Whether an element's content is left out; with a flow, keep what describes it."""
    if tag in _SKIPPED or not tag:
        return True
    if tag in _DESCRIPTIONS:
        if flow is not None:
            flow.page.add("alt_text", "".join(element.itertext()))
        return True
    return False


def _is_block(tag: str, element: XmlElement) -> bool:
    return tag in _BLOCKS or _BLOCK_STYLE.search(element.get("style") or "") is not None


def _open(tag: str, element: XmlElement, flow: _Flow) -> None:
    if _is_block(tag, element):
        flow.break_block()
    elif tag == "br":
        flow.pieces.append("\n" if flow.pre_depth else " ")
    if tag in _PICTURES:
        flow.page.picture_count += 1
        flow.page.add("alt_text", element.get("alt") or "")
    if tag in _CELLS:
        flow.pieces.append(_CELL_SEPARATOR if "".join(flow.pieces[-3:]).strip() else " ")
        flow.cell_depth += 1
    elif tag == "pre":
        flow.pre_depth += 1
    elif tag in _HEADINGS and not flow.cell_depth:
        flow.heading = _HEADINGS[tag]
    region = _region(tag, element)
    if region is not None:
        flow.flush()
        flow.classes.append(region)
    if element.text:
        flow.pieces.append(element.text)


def _close(tag: str, element: XmlElement, flow: _Flow) -> None:
    if _region(tag, element) is not None:
        flow.flush()
        flow.classes.pop()
    if _is_block(tag, element):
        flow.break_block()
    if tag in _CELLS:
        flow.cell_depth -= 1
        flow.pieces.append(" ")
    elif tag == "pre":
        flow.pre_depth -= 1
    elif tag in _HEADINGS and not flow.cell_depth:
        flow.heading = ""


def _region(tag: str, element: XmlElement) -> str | None:
    """Return the class that an element gives to all words inside it, None for that outside."""
    if element.get("hidden") is not None or _HIDING_STYLE.search(element.get("style") or ""):
        return "invisible"
    if tag == "nav" or element.get("role") == "navigation":
        return "furniture"
    return None
