"""Decks written and walked by python-pptx: no word that it sees is missing here."""

from __future__ import annotations

from pathlib import Path

import pptx
import pytest
from document_builders import words
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Emu, Inches

from ingest.documents.read import read_document
from ingest.documents.words import count_words
from tests.corpus.check_documents import presentation_texts

HERE = (Inches(1), Inches(1), Inches(3), Inches(2))


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    """A deck with every kind of text that python-pptx can write."""
    presentation = pptx.Presentation()
    first = presentation.slides.add_slide(presentation.slide_layouts[0])
    first.shapes.title.text = "Title with\vsoft break"
    first.placeholders[1].text = "Subtitle 你好"
    second = presentation.slides.add_slide(presentation.slide_layouts[5])
    outer = second.shapes.add_group_shape()
    inner = outer.shapes.add_group_shape()
    inner.shapes.add_textbox(*HERE).text_frame.text = "nested group text"
    outer.shapes.add_textbox(*HERE).text_frame.text = "outer text"
    grid = second.shapes.add_table(2, 3, *HERE).table
    for index, cell in enumerate(grid.iter_cells()):
        cell.text = f"cell {index}"
    grid.cell(0, 0).merge(grid.cell(1, 1))
    second.notes_slide.notes_text_frame.text = "notes of the speaker"
    third = presentation.slides.add_slide(presentation.slide_layouts[6])
    data = CategoryChartData()
    data.categories = ["North side", "South side"]
    data.add_series("Net sales", (1, 2))
    data.add_series("Costs", (3, 4))
    chart = third.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *HERE, data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Sales by side"
    third.shapes.add_textbox(Emu(-9_000_000), 0, Inches(1), Inches(1)).text_frame.text = "off slide"
    path = tmp_path / "deck.pptx"
    presentation.save(str(path))
    return path


def test_every_word_lands_in_its_class(deck: Path) -> None:
    document = read_document(deck)
    assert document.status == "ok", document.warnings
    found = words(document)
    # The merged cell holds the text of all four cells that it covers.
    assert found == {"body": 12, "table": 12, "chart": 10, "notes": 4, "off_slide": 2}
    assert document.visible_word_count == 34
    assert document.pages[0].title == "Title with soft break"


def test_no_word_of_the_reference_is_missing(deck: Path) -> None:
    reference = sum(count_words(text) for text in presentation_texts(deck))
    assert sum(read_document(deck).words_by_class.values()) == reference
