"""What counts as visible text of a deck, fault by fault (X01 to X15)."""

from __future__ import annotations

from pathlib import Path

import document_builders as build
import pytest
from document_builders import box, frame, group, paragraph, read_slides, run, slide, words
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.documents.document import DocumentStatus
from ingest.documents.policy import TextPolicy


def table(rows: list[list[str]]) -> str:
    body = "".join(
        "<a:tr>"
        + "".join(f"<a:tc><a:txBody>{paragraph(c)}</a:txBody></a:tc>" for c in row)
        + "</a:tr>"
        for row in rows
    )
    return frame(f"<a:tbl>{body}</a:tbl>")


@pytest.mark.parametrize("depth", [0, 1, 2, 40])
def test_x01_grouping_at_any_depth_loses_no_word(tmp_path: Path, depth: int) -> None:
    shape = box(paragraph("three grouped words"))
    for _ in range(depth):
        shape = group(shape)
    assert words(read_slides(tmp_path, slide(shape))) == {"body": 3}


TEXTS = st.lists(
    st.text(st.characters(categories=["L", "N", "P", "Zs"]), min_size=1, max_size=12), max_size=5
)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(texts=TEXTS, depth=st.integers(0, 5))
def test_grouping_nesting_and_tabling_do_not_change_visible_words(
    tmp_path: Path, texts: list[str], depth: int
) -> None:
    escaped = [text.replace("&", "&amp;").replace("<", "&lt;") for text in texts]
    plain = "".join(box(paragraph(text)) for text in escaped)
    nested = plain
    for _ in range(depth):
        nested = group(nested)
    counts = [
        sum(words(read_slides(tmp_path, slide(shapes))).values())
        for shapes in (plain, nested, table([[text] for text in escaped]))
    ]
    assert counts[0] == counts[1] == counts[2]


def test_x02_smartart_nodes_count_once_in_the_order_of_the_outline(tmp_path: Path) -> None:
    points = "".join(
        f'<dgm:pt modelId="{key}" {kind}><dgm:t>{paragraph(text)}</dgm:t></dgm:pt>'
        for key, kind, text in (
            ("2", "", "second node"),
            ("0", 'type="doc"', ""),
            ("1", 'type="node"', "first"),
            ("7", 'type="pres"', "presentation point"),
        )
    )
    links = "".join(
        f'<dgm:cxn modelId="c{order}" srcId="0" destId="{target}" srcOrd="{order}"/>'
        for order, target in enumerate("12")
    )
    model = (
        f"<dgm:dataModel {build.NAMESPACES}><dgm:ptLst>{points}</dgm:ptLst>"
        f"<dgm:cxnLst>{links}</dgm:cxnLst></dgm:dataModel>"
    )
    document = read_slides(
        tmp_path,
        slide(frame('<dgm:relIds r:dm="rId3"/>')),
        slide_relations={1: {"rId3": ("diagramData", "../diagrams/data1.xml")}},
        extra={"ppt/diagrams/data1.xml": model},
    )
    assert words(document) == {"smartart": 3, "invisible": 2}
    assert document.visible_text == "first\nsecond node"


def test_x02_a_diagram_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    document = read_slides(
        tmp_path, slide(box(paragraph("text")) + frame('<dgm:relIds r:dm="rId3"/>', "Cycle"))
    )
    assert document.status is DocumentStatus.OK_WITH_WARNINGS
    assert "slide 1, shape `Cycle`: a diagram was not read" in document.warnings[0]


def chart_deck(tmp_path: Path, chart: str, reference: str = "c") -> dict[str, int]:
    document = read_slides(
        tmp_path,
        slide(frame(f'<{reference}:chart r:id="rId3"/>')),
        slide_relations={1: {"rId3": ("chart", "../charts/chart1.xml")}},
        extra={"ppt/charts/chart1.xml": chart},
    )
    assert not document.warnings
    return words(document)


def test_x03_chart_without_title_text_keeps_categories_and_series(tmp_path: Path) -> None:
    series = (
        "<c:ser><c:tx><c:strRef><c:strCache><c:pt><c:v>Net sales</c:v></c:pt></c:strCache>"
        "</c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:pt><c:v>North</c:v></c:pt>"
        "<c:pt><c:v>South</c:v></c:pt></c:strCache></c:strRef></c:cat></c:ser>"
    )
    chart = (
        f"<c:chartSpace {build.NAMESPACES}><c:chart><c:title/><c:plotArea><c:barChart>"
        f"{series}{series}</c:barChart></c:plotArea></c:chart></c:chartSpace>"
    )
    # Two series of the same categories: both names, the categories once.
    assert chart_deck(tmp_path, chart) == {"chart": 6}


def test_x03_extended_chart_is_read_and_its_fallback_is_not_added(tmp_path: Path) -> None:
    chart = (
        f'<cx:chartSpace {build.NAMESPACES}><cx:chartData><cx:data id="0"><cx:strDim type="cat">'
        "<cx:lvl><cx:pt>Stem</cx:pt><cx:pt>Stem</cx:pt><cx:pt>Leaf</cx:pt></cx:lvl></cx:strDim>"
        "</cx:data></cx:chartData><cx:chart><cx:title><cx:tx><cx:txData><cx:v>Plain title</cx:v>"
        "</cx:txData></cx:tx></cx:title><cx:plotArea><cx:plotAreaRegion><cx:series><cx:tx>"
        "<cx:txData><cx:v>Depth</cx:v></cx:txData></cx:tx></cx:series></cx:plotAreaRegion>"
        "</cx:plotArea></cx:chart></cx:chartSpace>"
    )
    choice = f'<mc:Choice Requires="cx1">{frame("""<cx:chart r:id="rId3"/>""")}</mc:Choice>'
    fallback = f"<mc:Fallback>{box(paragraph('not available here'))}</mc:Fallback>"
    document = read_slides(
        tmp_path,
        slide(f"<mc:AlternateContent>{choice}{fallback}</mc:AlternateContent>"),
        slide_relations={1: {"rId3": ("chartEx", "../charts/chartEx1.xml")}},
        extra={"ppt/charts/chartEx1.xml": chart},
    )
    assert words(document) == {"chart": 5}


def test_alternate_content_takes_the_fallback_when_the_choice_is_not_understood(
    tmp_path: Path,
) -> None:
    content = (
        f'<mc:AlternateContent><mc:Choice Requires="unknown">{box(paragraph("one"))}</mc:Choice>'
        f"<mc:Fallback>{box(paragraph('two words'))}</mc:Fallback></mc:AlternateContent>"
    )
    assert words(read_slides(tmp_path, slide(content))) == {"body": 2}


def test_x05_a_break_is_a_word_boundary_and_runs_are_joined_without_a_space(
    tmp_path: Path,
) -> None:
    title = f"<a:p>{run('X-Lib')}{run('rary')}<a:br/>{run('')}{run('The fully')}</a:p>"
    document = read_slides(tmp_path, slide(box(title, mark='<p:ph type="title"/>')))
    assert document.visible_text == "X-Library The fully"
    assert document.pages[0].title == "X-Library The fully"
    assert document.visible_word_count == 3


def test_x06_an_escaped_vertical_tab_is_a_word_boundary(tmp_path: Path) -> None:
    document = read_slides(tmp_path, slide(box(paragraph("one_x000B_two"))))
    assert document.visible_text == "one two"
    assert "\v" not in document.visible_text


def test_x11_hidden_slides_are_counted_apart(tmp_path: Path) -> None:
    shown = slide(box(paragraph("two words")))
    hidden = slide(box(paragraph("hidden words here")), attributes='show="0"')
    document = read_slides(tmp_path, shown, hidden, shown)
    assert (document.slide_count, document.hidden_slide_count) == (2, 1)
    assert words(document) == {"body": 4, "hidden_slide": 3}
    assert document.visible_word_count == 4


def test_a_deck_of_hidden_slides_has_no_visible_slide_and_no_visible_word(tmp_path: Path) -> None:
    hidden = slide(box(paragraph("hidden words")), attributes='show="false"')
    document = read_slides(tmp_path, hidden, hidden)
    assert (document.slide_count, document.hidden_slide_count) == (0, 2)
    assert document.visible_word_count == 0
    assert document.status.is_readable


def notes_deck(tmp_path: Path, notes: str) -> tuple[dict[str, int], bytes]:
    number = box(
        '<a:p><a:fld type="slidenum"><a:t>1</a:t></a:fld></a:p>', mark='<p:ph type="sldNum"/>'
    )
    body = box(notes, mark='<p:ph type="body" idx="1"/>')
    parts = build.deck_parts(
        [slide(box(paragraph("on the slide")))],
        {1: {"rId2": ("notesSlide", "../notesSlides/notesSlide1.xml")}},
    ) | {"ppt/notesSlides/notesSlide1.xml": slide(body + number).replace("p:sld", "p:notes")}
    data = build.zip_bytes(parts)
    return words(build.read_bytes(tmp_path, data)), data


def test_x12_an_empty_notes_pane_is_no_notes_and_the_file_stays_as_it_is(tmp_path: Path) -> None:
    found, data = notes_deck(tmp_path, "<a:p/>")
    assert "notes" not in found
    assert (tmp_path / "deck.pptx").read_bytes() == data


def test_x12_notes_are_never_visible(tmp_path: Path) -> None:
    found, _ = notes_deck(tmp_path, paragraph("what to say"))
    assert found == {"body": 3, "notes": 3, "furniture": 1}


def test_x15_an_unknown_shape_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    unknown = f"<unknown:shape>{paragraph('odd text')}</unknown:shape>"
    document = read_slides(tmp_path, slide(unknown + box(paragraph("known"))))
    assert document.status is DocumentStatus.OK_WITH_WARNINGS
    assert words(document) == {"body": 3}
    assert "element `shape` is no known kind" in document.warnings[0]


def test_a_policy_turns_a_rule_and_changes_the_id(tmp_path: Path) -> None:
    hidden = slide(box(paragraph("two words")), attributes='show="0"')
    shown = slide(box(paragraph("shown")))
    default = read_slides(tmp_path, shown, hidden)
    turned = read_slides(tmp_path, shown, hidden, policy=TextPolicy(hidden_slide=True))
    assert (default.visible_word_count, turned.visible_word_count) == (1, 3)
    assert default.text_policy == "visible-1"
    assert turned.text_policy not in ("visible-1", TextPolicy(notes=True).id)
    assert default.words_by_class == turned.words_by_class


def test_visible_words_are_those_of_the_visible_text(tmp_path: Path) -> None:
    from ingest.documents.words import count_words

    document = read_slides(
        tmp_path,
        slide(box(paragraph("Überschrift 你好 a_b —")) + table([["x", "—"], ["1", "y z"]])),
    )
    assert document.visible_word_count == count_words(document.visible_text)


def test_strict_namespaces_read_as_transitional_ones(tmp_path: Path) -> None:
    parts = build.deck_parts([slide(box(paragraph("strict words")) + table([["cell"]]))])
    strict = {
        name: str(content)
        .replace(
            "http://schemas.openxmlformats.org/drawingml/2006/",
            "http://purl.oclc.org/ooxml/drawingml/",
        )
        .replace(
            "http://schemas.openxmlformats.org/presentationml/2006/",
            "http://purl.oclc.org/ooxml/presentationml/",
        )
        .replace(
            "http://schemas.openxmlformats.org/officeDocument/2006/",
            "http://purl.oclc.org/ooxml/officeDocument/",
        )
        for name, content in parts.items()
    }
    assert strict["ppt/slides/slide1.xml"] != parts["ppt/slides/slide1.xml"]
    document = build.read_bytes(tmp_path, build.zip_bytes(dict(strict)))
    assert words(document) == {"body": 2, "table": 1}


def test_slides_come_in_the_order_of_the_show(tmp_path: Path) -> None:
    parts = build.deck_parts([slide(box(paragraph(text))) for text in ("one", "two")])
    parts["ppt/presentation.xml"] = (
        str(parts["ppt/presentation.xml"])
        .replace('"rId1"', '"x"').replace('"rId2"', '"rId1"').replace('"x"', '"rId2"')
    )  # fmt: skip
    document = build.read_bytes(tmp_path, build.zip_bytes(parts))
    assert [page.text for page in document.pages] == ["two", "one"]
