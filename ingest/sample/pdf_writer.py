"""PDF documents and PDF decks, made with PyMuPDF, identical on every run."""

import io
from typing import Any

import pymupdf

from ingest.sample.deckfile import Slide
from ingest.sample.markup import inline_html

PAGE_WIDTH, PAGE_HEIGHT = 960.0, 540.0  # points, 16:9
_DATE = "D:20250101000000Z"
_DOCUMENT_CSS = """
body {{ font-family: {font}; font-size: 10.5pt; line-height: 1.4; color: #1c1c1c; }}
h1 {{ font-size: 19pt; line-height: 1.2; color: {ink}; margin: 0 0 6pt 0; }}
h2 {{ font-size: 13pt; color: {ink}; margin: 15pt 0 4pt 0; }}
h3 {{ font-size: 11pt; color: {ink}; margin: 10pt 0 3pt 0; }}
p {{ margin: 0 0 7pt 0; }}
li {{ margin: 0 0 3pt 0; }}
blockquote {{ font-style: italic; margin: 6pt 18pt 8pt 18pt; }}
table {{ margin: 4pt 0 10pt 0; }}
th {{ text-align: left; background-color: #e6e9ee; padding: 3pt 9pt 3pt 5pt; }}
td {{ padding: 3pt 9pt 3pt 5pt; border-bottom: 0.5pt solid #b8bec8; }}
"""
_DECK_CSS = """
body { font-family: serif; color: #24303c; line-height: 1.35; }
h1 { font-size: 34pt; color: #7a2e1d; line-height: 1.15; margin: 0 0 18pt 0; }
p { font-size: 22pt; margin: 0 0 13pt 0; }
td, th { font-size: 18pt; padding: 4pt 14pt 4pt 4pt; text-align: left; }
.cover h1 { font-size: 40pt; margin-bottom: 16pt; }
.cover p { font-size: 20pt; color: #5a6672; }
"""


def _finish(document: Any, title: str, author: str) -> bytes:
    document.subset_fonts()
    document.set_metadata(
        {
            "title": title,
            "author": author,
            "creator": "Podium sample",
            "producer": "Podium sample",
            "creationDate": _DATE,
            "modDate": _DATE,
        }
    )
    # A file id is derived from the clock: none at all keeps two runs identical.
    data = document.tobytes(garbage=4, deflate=True, no_new_id=True)
    document.close()
    return bytes(data)


def document_pdf(body: str, *, title: str, author: str, font: str, ink: str) -> bytes:
    """Lay out HTML blocks on A4 pages.

    Args:
        body: HTML blocks.
        title: Title for the metadata.
        author: Author for the metadata.
        font: ``serif`` or ``sans-serif``.
        ink: Colour of the headings, ``#rrggbb``.

    Returns:
        The PDF file.
    """
    story = pymupdf.Story(html=body, user_css=_DOCUMENT_CSS.format(font=font, ink=ink))
    sheet = pymupdf.paper_rect("a4")
    frame = pymupdf.Rect(sheet.x0 + 64, sheet.y0 + 60, sheet.x1 - 64, sheet.y1 - 60)
    buffer = io.BytesIO()
    writer = pymupdf.DocumentWriter(buffer)
    more = 1
    while more:
        device = writer.begin_page(sheet)
        more, _ = story.place(frame)
        story.draw(device)
        writer.end_page()
    writer.close()
    return _finish(pymupdf.open("pdf", buffer.getvalue()), title, author)


def _slide_html(slide: Slide, is_cover: bool) -> str:
    parts = [f"<h1>{inline_html(slide.title)}</h1>"]
    if slide.subtitle:
        parts.append(f"<p>{inline_html(slide.subtitle)}</p>")
    parts.extend(f"<p>{inline_html(line)}</p>" for line in slide.lines)
    for position, row in enumerate(slide.table):
        tag = "th" if position == 0 else "td"
        cells = "".join(f"<{tag}>{inline_html(cell)}</{tag}>" for cell in row)
        parts.append(("<table>" if position == 0 else "") + f"<tr>{cells}</tr>")
    if slide.table:
        parts.append("</table>")
    return f'<div class="{"cover" if is_cover else "page"}">{"".join(parts)}</div>'


def _draw(document: Any, slides: tuple[Slide, ...]) -> None:
    for position, slide in enumerate(slides):
        page = document.new_page(width=PAGE_WIDTH, height=PAGE_HEIGHT)
        is_cover = position == 0
        if is_cover:
            page.draw_rect(page.rect, color=None, fill=(0.97, 0.95, 0.91))
            page.draw_rect((0, 0, PAGE_WIDTH, 18), color=None, fill=(0.48, 0.18, 0.11))
        else:
            page.draw_rect((40, 44, 46, PAGE_HEIGHT - 40), color=None, fill=(0.48, 0.18, 0.11))
        box = pymupdf.Rect(70, 170 if is_cover else 40, PAGE_WIDTH - 70, PAGE_HEIGHT - 36)
        spare, _ = page.insert_htmlbox(box, _slide_html(slide, is_cover), css=_DECK_CSS)
        if spare < 0:
            raise ValueError(f"slide {position + 1} ({slide.title}) holds more than fits")


def deck_pdf(slides: tuple[Slide, ...], *, author: str) -> bytes:
    """Draw slides as 16:9 pages with running text.

    Args:
        slides: At least one slide; the first is the cover.
        author: Author for the metadata.

    Returns:
        The PDF file.

    Raises:
        ValueError: A slide holds more than fits on a page.
    """
    document = pymupdf.open()
    _draw(document, slides)
    return _finish(document, slides[0].title, author)


def slide_pictures(slides: tuple[Slide, ...], *, zoom: float = 0.9) -> tuple[bytes, ...]:
    """Render slides as grey PNG pictures, as a system that exports screenshots would.

    Args:
        slides: The slides.
        zoom: Pixels per point, greater than 0.

    Returns:
        One PNG per slide.
    """
    document = pymupdf.open()
    _draw(document, slides)
    matrix = pymupdf.Matrix(zoom, zoom)
    pictures = [
        page.get_pixmap(matrix=matrix, colorspace=pymupdf.csGRAY).tobytes("png")
        for page in document
    ]
    document.close()
    return tuple(bytes(picture) for picture in pictures)
