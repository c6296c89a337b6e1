"""Text of a DrawingML paragraph: runs joined, breaks kept as word boundaries, fields apart."""

from __future__ import annotations

import re
from collections.abc import Callable

from ingest.documents.ooxml import A14, MC, A, M, XmlElement, choose_alternative

P_TAG = f"{A}p"
_RUN = f"{A}r"
_BREAK = f"{A}br"
_FIELD = f"{A}fld"
_TEXT = f"{A}t"
_RUN_PROPERTIES = f"{A}rPr"
_TEXTLESS = frozenset({f"{A}pPr", f"{A}endParaRPr"})
_MATH = f"{A14}m"
_MATH_TEXT = f"{M}t"
_ALTERNATE = f"{MC}AlternateContent"
# Control characters that XML cannot hold are written as `_x000B_`; the white ones split words.
_ESCAPED_SPACE = re.compile(r"_x00(?:09|0[AaBbCcDd])_")

# Says of the run properties `a:rPr` whether the run cannot be seen.
RunTest = Callable[[XmlElement], bool]
# A piece of a paragraph: its class (None is the class of the shape around it) and its text.
Segment = tuple[str | None, str]


def see_every_run(_properties: XmlElement) -> bool:
    """The run test for places where colours are not looked at: nothing is invisible."""
    return False


def read_paragraph(paragraph: XmlElement, is_invisible: RunTest) -> list[Segment]:
    """Read one `a:p`.

    Args:
        paragraph: the `a:p` element.
        is_invisible: asked for each run that has properties of its own.

    Returns:
        At most three segments, which may be blank: visible text, `invisible` text, and
        `furniture`, which is what slide number and date fields show. Runs are joined without a
        space, as they are painted; a break is a space.
    """
    plain = _plain_text(paragraph)
    if plain is not None:
        return [(None, plain)]
    parts: dict[str | None, list[str]] = {}
    _collect(paragraph, is_invisible, parts)
    return [(word_class, _join(pieces)) for word_class, pieces in parts.items()]


def paragraph_text(paragraph: XmlElement) -> str:
    """Return all text of one `a:p`, whatever its colour or kind."""
    return " ".join(text for _, text in read_paragraph(paragraph, see_every_run))


def _plain_text(paragraph: XmlElement) -> str | None:
    """Read a paragraph of nothing but runs without fills; None for any other.

    Most paragraphs are such, and this loop is the hottest of the reader.
    """
    text = ""
    for node in paragraph:
        if node.tag == _RUN:
            for part in node:
                if part.tag == _TEXT:
                    text += part.text or ""
                elif len(part):
                    return None
        elif node.tag not in _TEXTLESS:
            return None
    return None if "_x00" in text else text


def _collect(parent: XmlElement, is_invisible: RunTest, parts: dict[str | None, list[str]]) -> None:
    for node in parent:
        tag = node.tag
        if tag == _RUN:
            _collect_run(node, None, is_invisible, parts)
        elif tag == _FIELD:
            _collect_run(node, "furniture" if _is_furniture(node) else None, is_invisible, parts)
        elif tag == _BREAK:
            for pieces in parts.values():
                pieces.append(" ")
        elif tag == _MATH:
            math = [text.text or "" for text in node.iter(_MATH_TEXT)]
            parts.setdefault(None, []).extend(math)
        elif tag == _ALTERNATE:
            branch = choose_alternative(node)
            if branch is not None:
                _collect(branch, is_invisible, parts)


def _collect_run(
    run: XmlElement,
    word_class: str | None,
    is_invisible: RunTest,
    parts: dict[str | None, list[str]],
) -> None:
    for part in run:
        tag = part.tag
        if tag == _TEXT:
            text = part.text
            if text:
                parts.setdefault(word_class, []).append(text)
        elif tag == _RUN_PROPERTIES and len(part) and is_invisible(part):
            word_class = word_class or "invisible"


def _is_furniture(field: XmlElement) -> bool:
    kind = field.get("type") or ""
    return kind == "slidenum" or kind.startswith("datetime")


def _join(pieces: list[str]) -> str:
    text = pieces[0] if len(pieces) == 1 else "".join(pieces)
    if "_x00" in text:
        text = _ESCAPED_SPACE.sub(" ", text)
    return text
