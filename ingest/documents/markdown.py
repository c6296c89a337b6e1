"""The reader of Markdown and plain text: one paragraph per line, headings with their marks."""

from __future__ import annotations

import html
import re
import unicodedata

from ingest.documents.collect import PageCollector
from ingest.documents.decoding import decode_text
from ingest.documents.document import Page
from ingest.documents.policy import TextPolicy

PARSER = "podium-text"
PARSER_VERSION = "2"

_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\n.*?\n(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_RAW_BLOCK = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n]*\n.*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.M | re.S)
_HTML_IMAGE = re.compile(r"<img\b[^>]*?>", re.IGNORECASE)
_ALT = re.compile(r"\balt\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_INLINE_TAG = re.compile(
    r"</?(?:a|abbr|b|bdi|bdo|cite|code|em|font|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|"
    r"u|var|wbr)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_TAG = re.compile(r"</?[A-Za-z][\w-]*(?:\s[^<>]*)?/?>")
_IMAGE = re.compile(r"!\[([^\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);")
_DEFINITION = re.compile(r"^ {0,3}\[[^\[\]^][^\[\]]*\]:[ \t]*\S+.*$", re.MULTILINE)
_REFERENCE = re.compile(r"\[([^\[\]]+)\]\[[^\[\]]*\]")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)")
_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r"^ {0,3}(=+|-+)[ \t]*$")
_OWN_LINE = re.compile(r"^\s*(?:[-*+][ \t]|\d+[.)][ \t]|>|\|)")


def read_markdown(data: bytes, policy: TextPolicy) -> tuple[list[Page], list[str]]:
    """Read a Markdown file as one page.

    Front matter, comments, tags and link targets are out, `&amp;` and its like are resolved; the
    text of links, code and tables stays, alternative texts of images are `alt_text`.

    Args:
        data: the bytes of the file.
        policy: which classes of words are visible.

    Returns:
        One page, and warnings about its encoding.
    """
    text, warnings = decode_text(data)
    text = _FRONT_MATTER.sub("", _unify_lines(text), count=1)
    page = PageCollector(1)
    position = 0
    for fence in _FENCE.finditer(text):
        _add_prose(text[position : fence.start()], page)
        for line in fence[0].split("\n")[1:]:
            if not line.strip().startswith(fence[1]):
                page.add("body", line)
        position = fence.end()
    _add_prose(text[position:], page)
    return [page.finish(policy)], warnings


def read_text(data: bytes, policy: TextPolicy) -> tuple[list[Page], list[str]]:
    """Read plain text as one page; an empty line ends a paragraph."""
    text, warnings = decode_text(data)
    page = PageCollector(1)
    for paragraph in re.split(r"\n[ \t]*\n", _unify_lines(text)):
        page.add("body", paragraph)
    return [page.finish(policy)], warnings


def _unify_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")


def _add_prose(text: str, page: PageCollector) -> None:
    """Add the paragraphs of Markdown outside code fences."""
    text = _RAW_BLOCK.sub(" ", _COMMENT.sub(" ", text))
    for image in _HTML_IMAGE.findall(text):
        match = _ALT.search(image)
        _add_picture(page, (match[1] or match[2] or "") if match else "")
    for alt in _IMAGE.findall(text):
        _add_picture(page, alt)
    text = _LINK.sub(r"\1", _IMAGE.sub(" ", text))
    text = _REFERENCE.sub(r"\1", _DEFINITION.sub("", text))
    text = _TAG.sub(" ", _INLINE_TAG.sub("", text))
    text = _ENTITY.sub(lambda match: html.unescape(match[0]), text)
    paragraph: list[str] = []
    for line in text.split("\n"):
        _add_line(line, paragraph, page)
    _end_paragraph(paragraph, page)


def _add_line(line: str, paragraph: list[str], page: PageCollector) -> None:
    heading = _HEADING.match(line)
    underline = _UNDERLINE.match(line) if paragraph else None
    if heading is not None:
        _end_paragraph(paragraph, page)
        _add_heading(heading[1], heading[2], page)
    elif underline is not None:
        title = " ".join(paragraph)
        paragraph.clear()
        _add_heading("#" if underline[1].startswith("=") else "##", title, page)
    elif not line.strip():
        _end_paragraph(paragraph, page)
    elif _OWN_LINE.match(line):
        _end_paragraph(paragraph, page)
        if line.lstrip().startswith("|"):
            page.add("body", line)
        else:
            paragraph.append(line)
    else:
        paragraph.append(line)


def _add_heading(marks: str, title: str, page: PageCollector) -> None:
    page.add("body", f"{marks} {title}")
    if page.title is None:
        page.title = " ".join(unicodedata.normalize("NFC", title).split()) or None


def _add_picture(page: PageCollector, alt: str) -> None:
    page.picture_count += 1
    page.add("alt_text", alt)


def _end_paragraph(paragraph: list[str], page: PageCollector) -> None:
    page.add("body", " ".join(paragraph))
    paragraph.clear()
