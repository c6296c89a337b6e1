"""Decks and files of any kind: nothing is lost silently, nothing raises (catalogue X, E)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ingest.documents.document import DocumentStatus
from tests.support.mapped_pdf import mapped_pdf
from tests.unit.documents import document_builders as build
from tests.unit.documents.document_builders import (
    box,
    frame,
    paragraph,
    picture,
    read_bytes,
    read_slides,
    slide,
    words,
)

DAMAGES = 150


def chart_part(kind: str, *, title: str = "") -> str:
    series = (
        "<c:ser><c:tx><c:strRef><c:strCache><c:pt><c:v>Net sales</c:v></c:pt></c:strCache>"
        "</c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:pt><c:v>North</c:v></c:pt>"
        "</c:strCache></c:strRef></c:cat></c:ser>"
    )
    return (
        f"<c:chartSpace {build.NAMESPACES}><c:chart>{title}<c:plotArea><c:{kind}>{series}"
        f"</c:{kind}></c:plotArea></c:chart></c:chartSpace>"
    )


@pytest.mark.parametrize("kind", ["surface3DChart", "ofPieChart", "chartOfTomorrow"])
def test_a_chart_of_a_kind_nobody_can_name_keeps_its_words(tmp_path: Path, kind: str) -> None:
    document = read_slides(
        tmp_path,
        slide(frame('<c:chart r:id="rId3"/>') + box(paragraph("beside it"))),
        slide_relations={1: {"rId3": ("chart", "../charts/chart1.xml")}},
        extra={"ppt/charts/chart1.xml": chart_part(kind)},
    )
    assert document.status is DocumentStatus.OK
    assert words(document) == {"body": 2, "chart": 3}


def test_a_slide_that_a_diagram_fills_is_not_empty(tmp_path: Path) -> None:
    nodes = "".join(
        f'<dgm:pt modelId="{number}"><dgm:t>{paragraph(text)}</dgm:t></dgm:pt>'
        for number, text in enumerate(("plan it", "do", "check"))
    )
    document = read_slides(
        tmp_path,
        slide(frame('<dgm:relIds r:dm="rId3"/>')),
        slide_relations={1: {"rId3": ("diagramData", "../diagrams/data1.xml")}},
        extra={
            "ppt/diagrams/data1.xml": (
                f"<dgm:dataModel {build.NAMESPACES}><dgm:ptLst>{nodes}</dgm:ptLst></dgm:dataModel>"
            )
        },
    )
    assert document.status is DocumentStatus.OK
    assert document.visible_word_count == 4


def test_a_linked_picture_is_no_fault_and_stops_nothing(tmp_path: Path) -> None:
    linked = picture(None).replace(
        "<p:spPr/>", '<p:blipFill><a:blip r:link="rId9"/></p:blipFill><p:spPr/>'
    )
    parts = build.deck_parts([slide(linked + box(paragraph("two words")))])
    parts["ppt/slides/_rels/slide1.xml.rels"] = build.relations(
        {"rId9": ("image", "http://pictures.example/a.png")}
    ).replace("/>", ' TargetMode="External"/>')
    document = read_bytes(tmp_path, build.zip_bytes(parts))
    assert document.status is DocumentStatus.OK, document.warnings
    assert document.visible_word_count == 2
    assert document.pages[0].picture_count == 1


@pytest.mark.parametrize(
    ("part", "kept"),
    [("_rels/.rels", "ppt/presentation.xml"), ("ppt/_rels/presentation.xml.rels", "slides/slide1")],
)
def test_a_relation_to_null_anywhere_leaves_the_deck_readable(
    tmp_path: Path, part: str, kept: str
) -> None:
    parts = build.deck_parts([slide(box(paragraph("two words")))])
    null = f'<Relationship Id="rId99" Type="{build.KINDS}/theme" Target="NULL"/>'
    parts[part] = str(parts[part]).replace("</Relationships>", f"{null}</Relationships>")
    assert kept in str(parts[part])
    document = read_bytes(tmp_path, build.zip_bytes(parts))
    assert document.status.is_readable, document.warnings
    assert document.visible_word_count == 2


def test_the_presentation_is_found_when_its_relation_leads_nowhere(tmp_path: Path) -> None:
    parts = build.deck_parts([slide(box(paragraph("two words")))])
    parts["_rels/.rels"] = build.relations({"rId1": ("officeDocument", "NULL")})
    assert read_bytes(tmp_path, build.zip_bytes(parts)).visible_word_count == 2


def test_a_file_that_is_no_package_is_named_for_what_it_is(tmp_path: Path) -> None:
    messages = {
        "legacy_binary": build.compound_file("PowerPoint Document"),
        "encrypted": build.compound_file("EncryptedPackage"),
        "not_a_zip": b"a lock file",
        "damaged": b"",
    }
    found = {name: read_bytes(tmp_path, data) for name, data in messages.items()}
    assert {name: one.status.value for name, one in found.items()} == {n: n for n in messages}
    assert len({one.warnings for one in found.values()}) == len(messages)


def test_pages_of_pictures_among_pages_of_text_are_named(tmp_path: Path) -> None:
    shown = slide(picture())
    document = read_slides(
        tmp_path,
        shown,
        slide(box(paragraph("text"))),
        shown,
        shown,
        slide_relations={number: {"rId9": ("image", "../media/a.png")} for number in (1, 3, 4)},
        extra={"ppt/media/a.png": b"png"},
    )
    assert document.status is DocumentStatus.OK_WITH_WARNINGS
    assert document.warnings == ("pages 1, 3-4: pictures alone, no text layer",)
    assert document.visible_word_count == 1


def test_words_of_a_chinese_slide_are_its_characters(tmp_path: Path) -> None:
    text = "第一章 研究方法与结果"
    document = read_slides(tmp_path, slide(box(paragraph(text))))
    assert len(text.split()) == 2
    assert document.visible_word_count == 10
    assert document.word_rule == "unicode-words-1"


def damaged(data: bytes, draw: random.Random) -> bytes:
    """Return a file cut off, overwritten or lacking a piece, at random."""
    content = bytearray(data)
    for _ in range(draw.randrange(1, 6)):
        start = draw.randrange(len(content))
        kind = draw.randrange(3)
        if kind == 0:
            content[start : start + 8] = draw.randbytes(8)
        elif kind == 1:
            del content[start : start + draw.randrange(1, 200)]
        else:
            content[start] = draw.randrange(256)
        if not content:
            break
    return bytes(content[: draw.randrange(len(content) + 1)] if draw.random() < 0.2 else content)


@pytest.mark.parametrize("suffix", [".pptx", ".pdf", ".html", ".md"])
def test_whatever_is_damaged_ends_in_a_status_of_the_list(tmp_path: Path, suffix: str) -> None:
    draw = random.Random(suffix)
    whole = {
        ".pptx": build.zip_bytes(build.deck_parts([slide(box(paragraph("some words")))] * 3)),
        ".pdf": build.pdf_bytes([[(50, 50, f"page {number}", {})] for number in range(3)]),
        ".html": "<html><meta charset=utf-16><table><td>näh</td><p>x &amp; y</table>".encode(),
        ".md": "# Ünder\n\n| a | b |\n|---|---|\n\n```\ncode\n```\n<div>x</div>\n".encode(),
    }[suffix]
    statuses = set()
    for _ in range(DAMAGES):
        document = read_bytes(tmp_path, damaged(whole, draw), f"file{suffix}")
        statuses.add(document.status)
        assert document.status.is_readable or document.visible_word_count is None
        assert document.status.is_readable or document.warnings
        assert not any(one.startswith("unforeseen") for one in document.warnings)
    assert len(statuses) > 1 or suffix == ".md"


def test_a_pdf_whose_page_tree_is_gone_is_no_empty_success(tmp_path: Path) -> None:
    whole = build.pdf_bytes([[(50, 50, "text", {})]])
    for lost in (b"/Pages", b"/Root", b"/Kids"):
        assert lost in whole
        document = read_bytes(tmp_path, whole.replace(lost, b"/Xxxxx"), "a.pdf")
        if document.status.is_readable:  # MuPDF has found the page all the same
            assert document.visible_word_count == 1
        else:
            assert document.status is DocumentStatus.DAMAGED
            assert document.warnings


def test_a_change_of_direction_ends_a_word(tmp_path: Path) -> None:
    document = read_bytes(tmp_path, mapped_pdf("\u0645\u0631\u062d\u0628\u0627abc"), "a.pdf")
    assert document.visible_word_count == 2
