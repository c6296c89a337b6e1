"""What stands where: order, headings, furniture, tables, pictures; no word is lost."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pymupdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.documents.layout.blocks import Block, BlockKind, LaidPage, covers
from ingest.documents.layout.order import reading_order
from ingest.documents.layout.read import read_layout
from ingest.documents.words import split_words
from tests.support import laid_pdfs
from tests.support.project import ROOT

SAMPLE = ROOT / "ingest" / "sample" / "xslides"


def kinds(page: LaidPage, kind: BlockKind) -> list[Block]:
    return [one for one in page.blocks if one.kind is kind]


def test_a_report_is_laid_out(tmp_path: Path) -> None:
    layout = read_layout(laid_pdfs.report(tmp_path / "report.pdf"))
    assert [page.number for page in layout.pages] == [1, 2, 3]
    page = layout.pages[1]
    texts = [one.text for one in kinds(page, BlockKind.FURNITURE)]
    assert texts == ["Harbour office, yearly report", "Page 2 of 3"]
    assert [one.text for one in kinds(page, BlockKind.HEADING)] == ["Chapter 2 of the harbour"]
    assert [one.level for one in kinds(page, BlockKind.HEADING)] == [1]
    (table,) = kinds(page, BlockKind.TABLE)
    assert table.rows == laid_pdfs.ROWS
    (picture,) = kinds(page, BlockKind.PICTURE)
    assert sorted(picture.text.split("\n")) == sorted(laid_pdfs.LABELS)
    (note,) = kinds(page, BlockKind.FOOTNOTE)
    assert note.text.startswith("1 Counted at noon")
    said = [one.text for one in page.blocks]
    order = [said.index(one) for one in said if one.startswith(("The harbour", "Ships", "Year"))]
    assert order == sorted(order)
    assert said.index(laid_pdfs.LEFT) < said.index(laid_pdfs.RIGHT) < said.index(table.text)


def test_a_repeated_page_has_no_furniture_but_its_number(tmp_path: Path) -> None:
    document = pymupdf.open()
    for _ in range(2):
        page = document.new_page()
        page.insert_text((60, 60), "To all staff", fontsize=11)
        page.insert_text((60, 300), "The office moves in May.", fontsize=11)
    document.save(tmp_path / "memo.pdf")
    layout = read_layout(tmp_path / "memo.pdf")
    assert not any(kinds(page, BlockKind.FURNITURE) for page in layout.pages)


@pytest.mark.parametrize("name", ["report", "slides"])
def test_no_word_of_a_pdf_is_lost(tmp_path: Path, name: str) -> None:
    layout = read_layout(getattr(laid_pdfs, name)(tmp_path / f"{name}.pdf"))
    for read, laid in zip(layout.document.pages, layout.pages, strict=True):
        seen = Counter(split_words(read.text))
        kept = Counter(word for one in laid.blocks for word in split_words(one.text))
        assert seen == kept


def test_no_word_of_the_sample_is_lost() -> None:
    paths = [one for one in SAMPLE.rglob("*") if one.suffix in (".pdf", ".pptx", ".html", ".md")]
    assert len(paths) >= 30
    for path in paths:
        layout = read_layout(path)
        for read, laid in zip(layout.document.pages, layout.pages, strict=True):
            seen = Counter(split_words(read.text))
            kept = Counter(word for one in laid.blocks for word in split_words(one.text))
            assert not seen - kept, path.name


def test_markdown_has_headings_and_tables_and_bars_in_words_are_none(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text(
        "# Yard\n\nSome prose.\n\n| Year | Ships |\n|---|---|\n| 1998 | 412 |\n\n"
        "Run `a|b` there.\n\n![North quay](quay.png)\n",
        encoding="utf-8",
    )
    (page,) = read_layout(path).pages
    assert [(one.kind.value, one.text) for one in page.blocks] == [
        ("picture", ""),
        ("heading", "Yard"),
        ("text", "Some prose."),
        ("table", "Year | Ships\n1998 | 412"),
        ("text", "Run `a|b` there."),
    ]
    assert page.blocks[0].alt_text == "North quay"


def test_what_cannot_be_read_has_no_pages(tmp_path: Path) -> None:
    (tmp_path / "torn.pdf").write_bytes(b"%PDF-1.4 torn")
    layout = read_layout(tmp_path / "torn.pdf")
    assert (layout.pages, layout.document.status.value) == ((), "damaged")


BOXES = st.tuples(
    st.integers(0, 500), st.integers(0, 700), st.integers(1, 90), st.integers(1, 90)
).map(lambda one: (float(one[0]), float(one[1]), float(one[0] + one[2]), float(one[1] + one[3])))


@given(st.lists(BOXES, max_size=25))
@settings(max_examples=200, deadline=None)
def test_every_box_has_one_place_in_the_order(
    boxes: list[tuple[float, float, float, float]],
) -> None:
    assert sorted(reading_order(boxes)) == list(range(len(boxes)))


def test_columns_are_read_one_after_the_other() -> None:
    title, foot = (50, 0, 550, 30), (50, 400, 550, 420)
    left = [(50, 50 + 60 * row, 280, 100 + 60 * row) for row in range(4)]
    right = [(320, 40 + 70 * row, 550, 100 + 70 * row) for row in range(3)]
    boxes = [foot, *right, *left, title]
    assert reading_order(boxes) == [8, 4, 5, 6, 7, 1, 2, 3, 0]


def test_boxes_without_area_are_covered_by_their_middle() -> None:
    assert covers((0, 0, 10, 10), (5, 5, 5, 5))
    assert not covers((0, 0, 10, 10), (5, 15, 9, 15))
