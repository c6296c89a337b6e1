"""Text of PDF pages: no word cut, joined or seen that nobody sees (catalogue P)."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from ingest.documents.document import Document, DocumentStatus
from ingest.documents.forms import expand_ligatures, fold_compatibility
from ingest.documents.words import normalize_tokens
from tests.support.mapped_pdf import mapped_pdf, raw_pdf
from tests.unit.documents import document_builders as build
from tests.unit.documents.document_builders import read_bytes, words

AREA = pymupdf.Rect(40, 30, 300, 70)
INK = (0.1, 0.2, 0.3)


def read_page(folder: Path, draw: Any) -> Document:
    """Read a page that `draw` paints, with two words of open text at its foot."""
    with pymupdf.open() as document:
        page = document.new_page()
        draw(page)
        page.insert_text((50, 400), "open text")
        return read_bytes(folder, document.tobytes(), "page.pdf")


def paint(page: Any, area: pymupdf.Rect = AREA, fill: Any = INK, **options: Any) -> None:
    page.draw_rect(area, fill=fill, color=None, **options)


def image(page: Any, area: pymupdf.Rect = AREA, alpha: bool = False) -> None:
    pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 4, 4), alpha)
    if alpha:
        pixels.set_alpha(bytes(16))
    page.insert_image(area, pixmap=pixels, keep_proportion=False)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("M\u00a8obius r\u00b4esum\u00b4e", 2),
        ("na\u02d8ive don\u00b4t", 2),
        ("\ufb01nd di\ufb03cult o\ufb00er", 3),
        ("\ufdfa text", 2),
    ],
)
def test_no_form_of_a_letter_cuts_a_word(tmp_path: Path, text: str, count: int) -> None:
    document = read_bytes(tmp_path, mapped_pdf(text), "page.pdf")
    assert document.visible_word_count == count
    assert len(document.visible_text.split()) == count


@pytest.mark.parametrize("text", ["10\u00b2 m\u00b2", "1\u00bd cups", "CO\u2082", "step\u2460"])
def test_raised_digits_and_fractions_keep_their_value(tmp_path: Path, text: str) -> None:
    assert read_bytes(tmp_path, mapped_pdf(text), "page.pdf").visible_text == text


def test_no_expansion_of_any_character_makes_or_loses_a_space() -> None:
    for code in (*range(0xD800), *range(0xE000, 0x30000)):
        character = chr(code)
        for form in (expand_ligatures(character), fold_compatibility(character)):
            assert any(map(str.isspace, form)) == character.isspace(), hex(code)
    assert normalize_tokens("r\u00b4esum\u00b4e \ufb01nal") == ["r\u00b4esum\u00b4e", "final"]
    assert fold_compatibility("\ufb01n") == unicodedata.normalize("NFKC", "\ufb01n") == "fin"


@pytest.mark.parametrize("gap", [200, 250, 333])
def test_gaps_are_spaces_where_there_are_no_space_glyphs(tmp_path: Path, gap: int) -> None:
    line = f"BT /F 12 Tf 50 300 Td [(sure) -{gap} (enough,) -{gap} (both) -{gap} (fell)] TJ ET"
    document = read_bytes(tmp_path, raw_pdf(line), "page.pdf")
    assert document.visible_text == "sure enough, both fell"


def columns(rows: list[tuple[str, str]]) -> bytes:
    return build.pdf_bytes(
        [
            [
                (x, 40 + 14 * number, text, {})
                for number, pair in enumerate(rows)
                for x, text in zip((40, 340), pair, strict=True)
            ]
        ]
    )


def test_columns_that_are_read_across_are_told_and_keep_their_words(tmp_path: Path) -> None:
    rows = [(f"left{n} column of words", f"right{n} column of words") for n in range(8)]
    document = read_bytes(tmp_path, columns(rows), "page.pdf")
    assert document.status is DocumentStatus.OK_WITH_WARNINGS
    assert document.warnings[0].startswith("page 1: lines of two columns alternate")
    assert document.visible_word_count == 64


def test_cells_of_a_table_are_no_columns_of_prose(tmp_path: Path) -> None:
    rows = [(f"item {n}", f"{n}.5 kg") for n in range(12)]
    assert read_bytes(tmp_path, columns(rows), "page.pdf").status is DocumentStatus.OK


def test_scanned_pages_among_others_are_named(tmp_path: Path) -> None:
    with pymupdf.open() as document:
        for number in range(4):
            page = document.new_page()
            if number == 2:
                page.insert_text((50, 50), "one text page")
            else:
                image(page, page.rect)
        data = document.tobytes()
    found = read_bytes(tmp_path, data, "part.pdf")
    assert found.status is DocumentStatus.OK_WITH_WARNINGS
    assert found.warnings == ("pages 1-2, 4: pictures alone, no text layer",)
    assert found.visible_word_count == 3


HIDING: dict[str, Any] = {
    "a rectangle": lambda page: paint(page),
    "a white rectangle": lambda page: paint(page, fill=(1, 1, 1)),
    "a picture": lambda page: image(page),
    "a rectangle with other words on it": lambda page: (
        paint(page),
        page.insert_text((60, 44), "label", color=(1, 1, 1), fontsize=6),
    ),
}
SHOWING: dict[str, Any] = {
    "half a rectangle": lambda page: paint(page, pymupdf.Rect(70, 30, 300, 70)),
    "a rectangle that lets it through": lambda page: paint(page, fill_opacity=0.4),
    "a frame": lambda page: page.draw_rect(AREA, color=INK, width=2),
    "half a picture": lambda page: image(page, pymupdf.Rect(70, 30, 300, 70)),
    "a picture with a mask": lambda page: image(page, alpha=True),
    "nothing": lambda page: None,
}


@pytest.mark.parametrize("cover", HIDING)
def test_text_under_something_opaque_is_invisible(tmp_path: Path, cover: str) -> None:
    def draw(page: Any) -> None:
        page.insert_text((50, 55), "covered words")
        HIDING[cover](page)

    found = words(read_page(tmp_path, draw))
    assert found["invisible"] == 2
    assert found["body"] == (3 if "other words" in cover else 2)


@pytest.mark.parametrize("cover", SHOWING)
def test_text_that_something_lets_through_is_visible(tmp_path: Path, cover: str) -> None:
    def draw(page: Any) -> None:
        page.insert_text((50, 55), "covered words")
        SHOWING[cover](page)

    assert words(read_page(tmp_path, draw)) == {"body": 4}


@pytest.mark.parametrize("ground", ["rectangle", "picture"])
def test_text_on_its_ground_is_visible(tmp_path: Path, ground: str) -> None:
    def draw(page: Any) -> None:
        paint(page) if ground == "rectangle" else image(page)
        page.insert_text((50, 55), "words above", color=(1, 1, 1))

    assert words(read_page(tmp_path, draw)) == {"body": 4}


def test_a_highlight_that_is_multiplied_hides_nothing(tmp_path: Path) -> None:
    content = "BT /F 12 Tf 50 300 Td (marked words) Tj ET /M gs 1 1 0 rg 40 290 200 30 re f"
    assert words(read_bytes(tmp_path, raw_pdf(content), "page.pdf")) == {"body": 2}


@pytest.mark.parametrize(("color", "expected"), [(INK, "invisible"), ((0.9, 0.2, 0.3), "body")])
def test_text_in_the_colour_of_any_ground_is_invisible(
    tmp_path: Path, color: Any, expected: str
) -> None:
    def draw(page: Any) -> None:
        paint(page)
        page.insert_text((50, 55), "hidden words here", color=color)

    found = words(read_page(tmp_path, draw))
    assert found == ({"body": 5} if expected == "body" else {"body": 2, "invisible": 3})


def test_white_text_on_a_white_panel_over_a_dark_one_is_invisible(tmp_path: Path) -> None:
    def draw(page: Any) -> None:
        paint(page, pymupdf.Rect(0, 0, 500, 200))
        paint(page, fill=(1, 1, 1))
        page.insert_text((50, 55), "hidden words", color=(1, 1, 1))

    assert words(read_page(tmp_path, draw)) == {"body": 2, "invisible": 2}


def test_a_rule_between_its_lines_ends_no_paragraph(tmp_path: Path) -> None:
    def draw(page: Any) -> None:
        page.insert_text((50, 55), "see the words that are")
        paint(page, pymupdf.Rect(50, 58, 200, 59))
        page.insert_text((50, 68), "underlined in this sentence")

    text = read_page(tmp_path, draw).visible_text
    assert text == "see the words that are underlined in this sentence\nopen text"


def test_page_labels_tell_no_overlay_step(tmp_path: Path) -> None:
    lines = [(50, 50 + 30 * n, text, {}) for n, text in enumerate(["Title", "first", "second"])]
    data = build.pdf_bytes([lines[:2], lines, [(50, 50, "Other", {})], [(50, 50, "Words", {})]])
    with pymupdf.open(stream=data) as document:
        document.set_page_labels(
            [{"startpage": 0, "style": "D"}, {"startpage": 2, "prefix": "5", "style": ""}]
        )
        labelled = document.tobytes()
        assert [page.get_label() for page in document] == ["1", "2", "5", "5"]
    found = read_bytes(tmp_path, labelled, "deck.pdf")
    assert [page.is_overlay_step for page in found.pages] == [True, False, False, False]
