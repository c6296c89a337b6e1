"""Small decks and PDFs for the tests of the document readers, written part by part."""

from __future__ import annotations

import struct
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pymupdf

from ingest.documents.document import Document
from ingest.documents.read import read_document

NAMESPACES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
    'xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex" '
    'xmlns:cx1="http://schemas.microsoft.com/office/drawing/2015/9/8/chartex" '
    'xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main" '
    'xmlns:unknown="urn:example:unknown"'
)
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def run(text: str, properties: str = "") -> str:
    return f"<a:r><a:rPr>{properties}</a:rPr><a:t>{text}</a:t></a:r>"


def paragraph(text: str) -> str:
    return f"<a:p>{run(text)}</a:p>"


def box(
    body: str,
    *,
    name: str = "Box",
    at: tuple[int, int, int, int] | None = (100, 100, 400, 300),
    fill: str = "",
    named: str = "",
    mark: str = "",
) -> str:
    """Return a `p:sp`; `body` is its paragraphs."""
    frame = ""
    if at is not None:
        frame = (
            f'<a:xfrm><a:off x="{at[0]}" y="{at[1]}"/><a:ext cx="{at[2]}" cy="{at[3]}"/></a:xfrm>'
        )
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="{name}" {named}/><p:cNvSpPr/>'
        f"<p:nvPr>{mark}</p:nvPr></p:nvSpPr><p:spPr>{frame}{fill}</p:spPr>"
        f"<p:txBody><a:bodyPr/>{body}</p:txBody></p:sp>"
    )


def group(shapes: str, *, at: str = "", named: str = "") -> str:
    return (
        f'<p:grpSp><p:nvGrpSpPr><p:cNvPr id="9" name="Group" {named}/><p:cNvGrpSpPr/><p:nvPr/>'
        f"</p:nvGrpSpPr><p:grpSpPr>{at}</p:grpSpPr>{shapes}</p:grpSp>"
    )


def frame(content: str, name: str = "Frame") -> str:
    return (
        f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="7" name="{name}"/>'
        "<p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm>"
        '<a:off x="10" y="10"/><a:ext cx="500" cy="500"/></p:xfrm><a:graphic>'
        f'<a:graphicData uri="x">{content}</a:graphicData></a:graphic></p:graphicFrame>'
    )


def picture(embed: str | None = "rId9", name: str = "Picture 1", described: str = "") -> str:
    fill = "" if embed is None else f'<p:blipFill><a:blip r:embed="{embed}"/></p:blipFill>'
    return (
        f'<p:pic><p:nvPicPr><p:cNvPr id="5" name="{name}" descr="{described}"/><p:cNvPicPr/>'
        f"<p:nvPr/></p:nvPicPr>{fill}<p:spPr/></p:pic>"
    )


def slide(shapes: str, *, attributes: str = "", ground: str = "") -> str:
    return (
        f"<p:sld {NAMESPACES} {attributes}><p:cSld>{ground}<p:spTree><p:nvGrpSpPr>"
        '<p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
        f"{shapes}</p:spTree></p:cSld></p:sld>"
    )


def relations(entries: dict[str, tuple[str, str]]) -> str:
    body = "".join(
        f'<Relationship Id="{key}" Type="{KINDS}/{kind}" Target="{target}"/>'
        for key, (kind, target) in entries.items()
    )
    return f'<Relationships xmlns="{RELATIONS}">{body}</Relationships>'


def deck_parts(
    slides: list[str], slide_relations: dict[int, dict[str, tuple[str, str]]] | None = None
) -> dict[str, str | bytes]:
    """Return the parts of a minimal presentation by name."""
    numbers = range(1, len(slides) + 1)
    ids = "".join(f'<p:sldId id="{255 + n}" r:id="rId{n}"/>' for n in numbers)
    parts: dict[str, str | bytes] = {
        "_rels/.rels": relations({"rId1": ("officeDocument", "ppt/presentation.xml")}),
        "ppt/presentation.xml": (
            f"<p:presentation {NAMESPACES}><p:sldIdLst>{ids}</p:sldIdLst>"
            '<p:sldSz cx="1000" cy="800"/></p:presentation>'
        ),
        "ppt/_rels/presentation.xml.rels": relations(
            {f"rId{n}": ("slide", f"slides/slide{n}.xml") for n in numbers}
        ),
    }
    for number, content in zip(numbers, slides, strict=True):
        parts[f"ppt/slides/slide{number}.xml"] = content
        entries = (slide_relations or {}).get(number)
        if entries:
            parts[f"ppt/slides/_rels/slide{number}.xml.rels"] = relations(entries)
    return parts


def zip_bytes(parts: dict[str, str | bytes]) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def read_bytes(folder: Path, data: bytes, name: str = "deck.pptx", **options: Any) -> Document:
    path = folder / name
    path.write_bytes(data)
    return read_document(path, **options)


def read_slides(
    folder: Path,
    *slides: str,
    slide_relations: dict[int, dict[str, tuple[str, str]]] | None = None,
    extra: dict[str, str | bytes] | None = None,
    **options: Any,
) -> Document:
    """Write a deck of the given slides and read it back."""
    parts = deck_parts(list(slides), slide_relations) | (extra or {})
    return read_bytes(folder, zip_bytes(parts), **options)


def words(document: Document) -> dict[str, int]:
    """Return the classes that have words."""
    return {name: count for name, count in document.words_by_class.items() if count}


def compound_file(stream: str) -> bytes:
    """Return the beginning of an OLE compound file whose directory names one stream."""
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)
    return header + stream.encode("utf-16-le").ljust(64, b"\0") + struct.pack("<H", 0) + bytes(448)


def pdf_bytes(pages: list[list[tuple[float, float, str, dict[str, Any]]]], **save: Any) -> bytes:
    """Return a PDF; a page is a list of (x, y, text, options of `insert_text`)."""
    with pymupdf.open() as document:
        for lines in pages:
            page = document.new_page(width=640, height=360)
            for x, y, text, options in lines:
                page.insert_text((x, y), text, **options)
        return bytes(document.tobytes(**save))
