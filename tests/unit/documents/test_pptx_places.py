"""Words that a deck holds and does not show: off the slide, invisible, alternative, prompts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import document_builders as build
import pytest
from document_builders import box, group, paragraph, read_slides, run, slide, words

from ingest.documents.collect import UNSEEN_CHARS_MAX

WHITE = '<a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill>'


@pytest.mark.parametrize(
    ("at", "word_class"),
    [
        ((100, 100, 400, 300), "body"),
        ((1000, 100, 400, 300), "off_slide"),
        ((-400, 100, 400, 300), "off_slide"),
        ((-399, 100, 400, 300), "body"),
        ((100, 800, 400, 300), "off_slide"),
        ((100, 100, 0, 300), "zero_size"),
        ((100, 100, 400, 0), "zero_size"),
    ],
)
def test_place_decides_the_class(
    tmp_path: Path, at: tuple[int, int, int, int], word_class: str
) -> None:
    assert words(read_slides(tmp_path, slide(box(paragraph("two words"), at=at)))) == {
        word_class: 2
    }


def test_a_group_carries_its_shapes_off_the_slide(tmp_path: Path) -> None:
    at = (
        '<a:xfrm><a:off x="5000" y="0"/><a:ext cx="500" cy="500"/>'
        '<a:chOff x="0" y="0"/><a:chExt cx="1000" cy="1000"/></a:xfrm>'
    )
    assert words(read_slides(tmp_path, slide(group(box(paragraph("far")), at=at)))) == {
        "off_slide": 1
    }


@pytest.mark.parametrize(
    ("shape", "word_class"),
    [
        (box(f"<a:p>{run('white', WHITE)}</a:p>"), "invisible"),  # the ground is white by default
        (box(f"<a:p>{run('white', WHITE)}</a:p>", fill=WHITE), "invisible"),
        (box(f"<a:p>{run('white', WHITE)}</a:p>", fill=WHITE.replace("FFFFFF", "003366")), "body"),
        (box(f"<a:p>{run('none', '<a:noFill/>')}</a:p>"), "invisible"),
        (box(paragraph("hidden"), named='hidden="1"'), "invisible"),
        (group(box(paragraph("hidden")), named='hidden="1"'), "invisible"),
        (
            # A picture may lie between the white text and the white ground.
            picture_below := build.picture() + box(f"<a:p>{run('white', WHITE)}</a:p>"),
            "body",
        ),
    ],
)
def test_text_that_cannot_be_seen_is_invisible(tmp_path: Path, shape: str, word_class: str) -> None:
    document = read_slides(
        tmp_path,
        slide(shape),
        slide_relations={1: {"rId9": ("image", "../media/image1.png")}},
        extra={"ppt/media/image1.png": b"png"},
    )
    assert words(document) == {word_class: 1}


def test_alt_text_and_furniture_are_apart(tmp_path: Path) -> None:
    field = '<a:p><a:fld type="slidenum"><a:t>7</a:t></a:fld></a:p>'
    shapes = (
        box(paragraph("Body"), named='descr="what it shows"')
        + box(paragraph("Footer text"), mark='<p:ph type="ftr"/>')
        + box(field, mark='<p:ph type="sldNum"/>')
    )
    assert words(read_slides(tmp_path, slide(shapes))) == {
        "body": 1,
        "alt_text": 3,
        "furniture": 3,
    }


def test_prompt_of_an_empty_placeholder_is_apart(tmp_path: Path) -> None:
    mark = '<p:ph type="body" idx="13"/>'
    prompt = '<p:ph type="body" idx="13" hasCustomPrompt="1"/>'
    document = read_slides(
        tmp_path,
        slide(box("<a:p/>", mark=mark, at=None) + box(paragraph("real"))),
        slide_relations={1: {"rId1": ("slideLayout", "../slideLayouts/slideLayout1.xml")}},
        extra={
            "ppt/slideLayouts/slideLayout1.xml": slide(
                box(paragraph("Name of speaker"), mark=prompt)
            )
            .replace("p:sld ", "p:sldLayout ")
            .replace("/p:sld>", "/p:sldLayout>")
        },
    )
    assert words(document) == {"body": 1, "placeholder_prompt": 3}


def test_place_is_inherited_from_the_layout(tmp_path: Path) -> None:
    mark = '<p:ph type="body" idx="13"/>'
    document = read_slides(
        tmp_path,
        slide(box(paragraph("away"), mark=mark, at=None)),
        slide_relations={1: {"rId1": ("slideLayout", "../slideLayouts/slideLayout1.xml")}},
        extra={
            "ppt/slideLayouts/slideLayout1.xml": slide(
                box("<a:p/>", mark=mark, at=(2000, 0, 100, 100))
            )
        },
    )
    assert words(document) == {"off_slide": 1}


TITLE = '<p:ph type="title"/>'


@pytest.mark.parametrize(
    ("options", "title"),
    [
        ({}, "Seen"),
        ({"at": (5000, 100, 400, 300)}, None),
        ({"at": (100, 100, 0, 0)}, None),
        ({"named": 'hidden="1"'}, None),
    ],
)
def test_a_title_that_nobody_sees_is_none(
    tmp_path: Path, options: dict[str, Any], title: str | None
) -> None:
    shapes = box(paragraph("Seen"), mark=TITLE, **options) + box(paragraph("Body"))
    (page,) = read_slides(tmp_path, slide(shapes)).pages
    assert page.title == title
    assert ("Seen" in page.text) == (title is not None)
    assert ("Seen" in page.unseen_text) == (title is None)


def test_unseen_text_is_kept_apart_and_within_bounds(tmp_path: Path) -> None:
    far = (5000, 100, 400, 300)
    shapes = box(paragraph("Body"), named='descr="Alt"') + box(paragraph("Far"), at=far)
    (page,) = read_slides(tmp_path, slide(shapes)).pages
    assert page.text == "Body"
    assert page.unseen_text.split("\n") == ["Alt", "Far"]
    long = slide(box(paragraph("word " * 30_000), at=far))
    (page,) = read_slides(tmp_path, long).pages
    assert len(page.unseen_text) == UNSEEN_CHARS_MAX
    assert page.words_by_class == {"off_slide": 30_000}


def test_a_hidden_slide_has_unseen_text_alone(tmp_path: Path) -> None:
    (page,) = read_slides(tmp_path, slide(box(paragraph("Body")), attributes='show="0"')).pages
    assert (page.text, page.unseen_text) == ("", "Body")
