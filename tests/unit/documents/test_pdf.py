"""PDF text: what is seen, what is not, and what a page adds up to (faults P01 to P06)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import document_builders as build
import pymupdf
import pytest
from document_builders import read_bytes, words

from ingest.documents.document import Document, DocumentStatus

FREE: dict[str, Any] = {}
WHITE = {"color": (1, 1, 1)}


def read_page(folder: Path, *lines: tuple[float, float, str, dict[str, Any]]) -> Document:
    return read_bytes(folder, build.pdf_bytes([list(lines)]), "page.pdf")


def test_p01_ligatures_are_expanded(tmp_path: Path) -> None:
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_font(fontname="ligatures", fontbuffer=pymupdf.Font("helv").buffer)
        text = "P\ufb01zer e\ufb00ective di\ufb00erent"
        page.insert_text((50, 50), text, fontname="ligatures")
        data = document.tobytes()
    found = read_bytes(tmp_path, data, "page.pdf")
    assert found.visible_text == "Pfizer effective different"
    assert found.visible_word_count == 3


def test_p02_words_are_told_by_gaps_where_there_are_no_space_glyphs(tmp_path: Path) -> None:
    lines = [(50 + 70 * n, 50, word, FREE) for n, word in enumerate(["sure", "enough,", "both"])]
    assert words(read_page(tmp_path, *lines)) == {"body": 3}


def test_p02_pages_of_glued_words_are_flagged(tmp_path: Path) -> None:
    lines = [(20, 14 * n, "sureenoughbothfellwithoutaspace", FREE) for n in range(1, 24)]
    document = read_page(tmp_path, *lines)
    assert document.status is DocumentStatus.OK_WITH_WARNINGS
    assert document.warnings[0].startswith("page 1: words of 31 letters")


def test_p04_two_columns_keep_their_words(tmp_path: Path) -> None:
    lines = [
        (x, 40 + 20 * n, f"{side}{n} text", FREE)
        for n in range(6)
        for x, side in ((40, "l"), (340, "r"))
    ]
    assert words(read_page(tmp_path, *lines)) == {"body": 24}


def scan(pages: int, stamp: bool) -> bytes:
    pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 40, 40), False)
    pixels.clear_with(120)
    with pymupdf.open() as document:
        for number in range(1, pages + 1):
            page = document.new_page()
            page.insert_image(page.rect, pixmap=pixels)
            if stamp:
                page.insert_text((300, 800), f"{number}/{pages}")
        return bytes(document.tobytes())


@pytest.mark.parametrize("stamp", [False, True])
def test_p05_scanned_pages_are_no_success_with_zero_words(tmp_path: Path, stamp: bool) -> None:
    document = read_bytes(tmp_path, scan(3, stamp), "scan.pdf")
    assert document.status is DocumentStatus.IMAGE_ONLY
    assert document.visible_word_count is None
    assert document.slide_count == 3
    assert [page.picture_count for page in document.pages] == [1, 1, 1]


@pytest.mark.parametrize("options", [WHITE, {"render_mode": 3}, {"fill_opacity": 0}])
def test_p06_text_that_is_not_painted_is_apart(tmp_path: Path, options: dict[str, Any]) -> None:
    document = read_page(
        tmp_path, (50, 50, "one visible line", FREE), (50, 100, "hidden words", options)
    )
    assert words(document) == {"body": 3, "invisible": 2}
    assert document.visible_text == "one visible line"


@pytest.mark.parametrize("cover", ["fill", "image"])
def test_p06_white_text_on_a_dark_ground_is_visible(tmp_path: Path, cover: str) -> None:
    with pymupdf.open() as document:
        page = document.new_page()
        if cover == "fill":
            page.draw_rect((0, 0, 300, 200), fill=(0, 0, 0.4))
        else:
            pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 4, 4), False)
            page.insert_image(pymupdf.Rect(0, 0, 300, 200), pixmap=pixels)
        page.insert_text((50, 50), "white on dark", color=(1, 1, 1))
        page.insert_text((50, 400), "white on white", color=(1, 1, 1))
        data = document.tobytes()
    assert words(read_bytes(tmp_path, data, "page.pdf")) == {"body": 3, "invisible": 3}


def test_p06_a_hidden_layer_is_invisible(tmp_path: Path) -> None:
    with pymupdf.open() as document:
        page = document.new_page()
        layer = document.add_ocg("draft", on=False)
        page.insert_text((50, 50), "shown text")
        page.insert_text((50, 100), "text of the draft", oc=layer)
        data = document.tobytes()
    assert words(read_bytes(tmp_path, data, "page.pdf")) == {"body": 2, "invisible": 4}


def test_overlay_steps_are_told_by_content(tmp_path: Path) -> None:
    lines = [
        (50, 50 + 30 * n, text, FREE)
        for n, text in enumerate(["Title line", "first point", "second point"])
    ]
    other = [(50, 50, "Another slide", FREE), (50, 80, "with words", FREE)]
    data = build.pdf_bytes([lines[:1], lines[:2], lines, other])
    document = read_bytes(tmp_path, data, "deck.pdf")
    assert [page.is_overlay_step for page in document.pages] == [True, True, False, False]
    assert (document.slide_count, document.logical_slide_count) == (4, 2)


def test_a_short_page_whose_words_recur_is_no_overlay_step(tmp_path: Path) -> None:
    data = build.pdf_bytes(
        [[(50, 50, "Results", FREE)], [(50, 50, "All our Results are here", FREE)]]
    )
    assert read_bytes(tmp_path, data, "deck.pdf").logical_slide_count == 2


def test_the_words_are_those_of_pymupdf(tmp_path: Path) -> None:
    lines = [(30, 30 + 14 * n, f"line {n}: naïve café, 3.5 % of words", FREE) for n in range(20)]
    data = build.pdf_bytes([lines])
    with pymupdf.open(stream=data) as document:
        raw = [word[4] for word in document[0].get_text("words")]
    found = read_bytes(tmp_path, data, "page.pdf")
    assert found.visible_text.split() == raw
    assert found.visible_word_count == sum(any(map(str.isalnum, word)) for word in raw)


def test_a_page_that_fails_makes_the_file_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ingest.documents import pdf

    def fail(page: Any, number: int, *rest: Any) -> Any:
        if number == 2:
            raise RuntimeError("broken stream")
        return original(page, number, *rest)

    original = pdf._collect_page
    monkeypatch.setattr(pdf, "_collect_page", fail)
    data = build.pdf_bytes([[(50, 50, "one", FREE)], [(50, 50, "two", FREE)]])
    document = read_bytes(tmp_path, data, "deck.pdf")
    assert document.status is DocumentStatus.DAMAGED
    assert document.warnings == ("RuntimeError: broken stream",)
    assert document.pages == ()


def test_nothing_is_said_on_stderr(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    data = build.pdf_bytes([[(50, 50, "text", FREE)]])
    read_bytes(tmp_path, data[: len(data) - 200], "torn.pdf")
    read_bytes(tmp_path, b"%PDF-1.4 nothing else", "bad.pdf")
    assert capfd.readouterr() == ("", "")
