"""PPTX decks, made with python-pptx, identical on every run."""

import io
from typing import Any

from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_SHAPE
from pptx.util import Inches, Pt

from ingest.sample.archive import settle
from ingest.sample.deckfile import Chart, Slide
from ingest.sample.pptx_theme import (
    HEIGHT,
    LOOKS,
    TITLE_AND_CONTENT,
    TITLE_ONLY,
    TITLE_SLIDE,
    WIDTH,
    Look,
    blank_presentation,
    colour,
)

_BODY_TOP = 1.75
_WIDE = (0.9, 11.5)  # left and width in inches of a figure that has the slide to itself
_RIGHT = (7.0, 5.5)


def _body_size(lines: tuple[str, ...], is_narrow: bool) -> int:
    words = sum(len(line.split()) for line in lines) * (2 if is_narrow else 1)
    steps = ((30, 28), (60, 24), (110, 20))
    return next((points for most, points in steps if words <= most), 17)


def _fill_body(slide: Any, lines: tuple[str, ...], *, is_narrow: bool) -> None:
    body = slide.placeholders[1]
    if is_narrow:
        body.left, body.top = Inches(0.9), Inches(1.7)
        body.width, body.height = Inches(5.8), Inches(5.0)
    frame = body.text_frame
    # Sizes belong on runs: PowerPoint passes over those in a paragraph's properties.
    size = Pt(_body_size(lines, is_narrow))
    for number, line in enumerate(lines):
        paragraph = frame.paragraphs[0] if number == 0 else frame.add_paragraph()
        paragraph.text = line
        paragraph.space_after = Pt(8)
        paragraph.runs[0].font.size = size


def _add_table(slide: Any, rows: tuple[tuple[str, ...], ...], box: tuple[float, float]) -> None:
    left, width = box
    height = Inches(0.48 * len(rows))
    frame = slide.shapes.add_table(
        len(rows), len(rows[0]), Inches(left), Inches(_BODY_TOP), Inches(width), height
    )
    for row_number, row in enumerate(rows):
        for column, text in enumerate(row):
            cell = frame.table.cell(row_number, column)
            cell.text = text
            for run in cell.text_frame.paragraphs[0].runs:  # none in an empty cell
                run.font.size = Pt(16)


def _add_chart(slide: Any, chart: Chart, look: Look, box: tuple[float, float]) -> None:
    make_data: Any = CategoryChartData  # the library leaves it untyped
    data = make_data()
    data.categories = [name for name, _ in chart.points]
    data.add_series(chart.series, [value for _, value in chart.points])
    left, width = box
    frame = slide.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED,
        Inches(left),
        Inches(_BODY_TOP),
        Inches(width),
        Inches(4.7),
        data,
    )
    frame.chart.has_title = True
    frame.chart.chart_title.text_frame.text = chart.title
    frame.chart.has_legend = False
    frame.chart.font.size = Pt(14)
    plot = frame.chart.plots[0]
    plot.has_data_labels = True
    plot.gap_width = 70
    fill = plot.series[0].format.fill
    fill.solid()
    fill.fore_color.rgb = colour(look.accent)


def _add_group(slide: Any, texts: tuple[str, ...], look: Look, box: tuple[float, float]) -> None:
    left, width = box
    group = slide.shapes.add_group_shape()
    step = width / len(texts) if box == _WIDE else 0.0
    for number, text in enumerate(texts):
        x = left + step * number
        y = _BODY_TOP + (0.4 if box == _WIDE else 1.35 * number)
        size = (step - 0.25 if step else width, 2.6 if step else 1.15)
        shape = group.shapes.add_shape(
            MSO_SHAPE.ROUNDED_RECTANGLE, Inches(x), Inches(y), Inches(size[0]), Inches(size[1])
        )
        shape.fill.solid()
        shape.fill.fore_color.rgb = colour(look.ink)
        shape.line.fill.background()
        shape.text_frame.word_wrap = True
        shape.text_frame.text = text
        shape.text_frame.paragraphs[0].runs[0].font.size = Pt(22 if step else 18)


def _add_box(slide: Any, text: str, left: float, code: str) -> None:
    box = slide.shapes.add_textbox(Inches(left), Inches(5.9), Inches(6), Inches(0.8))
    box.text_frame.word_wrap = True
    box.text_frame.text = text
    font = box.text_frame.paragraphs[0].runs[0].font
    font.size = Pt(14)
    font.color.rgb = colour(code)


def _add_unseen(slide: Any, content: Slide) -> None:
    for text in content.off_slide:
        _add_box(slide, text, 15.0, "1A1A1A")  # the slide ends at 13.333 inches
    for text in content.pale:
        _add_box(slide, text, 0.9, "FFFFFF")
    if content.notes:
        slide.notes_slide.notes_text_frame.text = content.notes
    if content.is_hidden:
        slide._element.set("show", "0")


def _add_slide(presentation: Any, content: Slide, look: Look, *, is_cover: bool) -> None:
    has_figure = bool(content.table or content.group or content.chart)
    untouched = not content.title
    number = TITLE_SLIDE if is_cover else TITLE_AND_CONTENT
    if not is_cover and not content.lines and not untouched:
        number = TITLE_ONLY
    slide = presentation.slides.add_slide(presentation.slide_layouts[number])
    if content.title:
        slide.shapes.title.text = content.title
    if is_cover and content.subtitle:
        slide.placeholders[1].text = content.subtitle
    if content.lines:
        _fill_body(slide, content.lines, is_narrow=has_figure)
    box = _RIGHT if content.lines else _WIDE
    if content.table:
        _add_table(slide, content.table, box)
    if content.chart:
        _add_chart(slide, content.chart, look, box)
    if content.group:
        _add_group(slide, content.group, look, box)
    _add_unseen(slide, content)


def _saved(presentation: Any) -> bytes:
    buffer = io.BytesIO()
    presentation.save(buffer)
    return settle(buffer.getvalue())


def deck_pptx(slides: tuple[Slide, ...], *, system: str) -> bytes:
    """Write slides as a PPTX deck.

    Args:
        slides: At least one slide; the first is the title slide.
        system: A key of ``LOOKS``; also the author in the core properties.

    Returns:
        The PPTX file.

    Raises:
        KeyError: The system has no look.
    """
    look = LOOKS[system]
    presentation = blank_presentation(look, title=slides[0].title, author=system)
    for number, content in enumerate(slides):
        _add_slide(presentation, content, look, is_cover=number == 0)
    return _saved(presentation)


def picture_pptx(pictures: tuple[bytes, ...], *, system: str, title: str) -> bytes:
    """Write a PPTX deck whose slides are full-page pictures and carry no text.

    Args:
        pictures: One PNG per slide.
        system: A key of ``LOOKS``.
        title: Title for the core properties.

    Returns:
        The PPTX file.
    """
    presentation = blank_presentation(LOOKS[system], title=title, author=system)
    for picture in pictures:
        slide = presentation.slides.add_slide(presentation.slide_layouts[TITLE_ONLY])
        for placeholder in list(slide.placeholders):
            placeholder._element.getparent().remove(placeholder._element)
        slide.shapes.add_picture(io.BytesIO(picture), 0, 0, WIDTH, HEIGHT)
    return _saved(presentation)
