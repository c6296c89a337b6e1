"""PDFs whose layout is known: headers, columns, a ruled table, a drawing, a note, markers."""

from __future__ import annotations

from pathlib import Path

import pymupdf

WIDTH, HEIGHT = 595, 842
LEFT = "The harbour was built of stone. Its northern wall is older than the town."
RIGHT = "Ships of grain come in spring. They leave with timber before the ice."
ROWS = (("Year", "Ships"), ("1998", "412"), ("1999", "455"))
LABELS = ("North quay 17", "South quay 21", "Mole 9")
LITERAL = "It says [[table:x]] and [TABLE START] on the wall."


def report(path: Path, pages: int = 3) -> Path:
    """Write a report in portrait with all of it on every page."""
    document = pymupdf.open()
    for number in range(1, pages + 1):
        page = document.new_page(width=WIDTH, height=HEIGHT)
        page.insert_text((60, 40), "Harbour office, yearly report", fontsize=8)
        page.insert_text((60, 110), f"Chapter {number} of the harbour", fontsize=18)
        page.insert_textbox((60, 130, 280, 260), LEFT, fontsize=11)
        page.insert_textbox((310, 130, 530, 260), RIGHT, fontsize=11)
        _table(page, 280)
        page.insert_textbox((60, 380, 530, 420), LITERAL, fontsize=11)
        _drawing(page, 440)
        page.insert_text((60, 720), "1 Counted at noon, from the wall.", fontsize=7)
        page.insert_text((290, 815), f"Page {number} of {pages}", fontsize=8)
    document.save(path)
    document.close()
    return path


def slides(path: Path, pages: int = 3) -> Path:
    """Write slides of a talk in 16:9."""
    document = pymupdf.open()
    for number in range(1, pages + 1):
        page = document.new_page(width=960, height=540)
        page.insert_text((60, 90), f"Stone quays {number}", fontsize=40)
        for place, label in enumerate(("Built of stone", "Older than the town")):
            page.insert_text((80, 180 + 60 * place), f"\u2022 {label}", fontsize=26)
    document.save(path)
    document.close()
    return path


def _table(page: pymupdf.Page, top: float) -> None:
    for place in range(len(ROWS) + 1):
        y = top + 24 * place
        page.draw_line((60, y), (260, y))
    for place in range(3):
        x = 60 + 100 * place
        page.draw_line((x, top), (x, top + 24 * len(ROWS)))
    for row, cells in enumerate(ROWS):
        for column, cell in enumerate(cells):
            page.insert_text((66 + 100 * column, top + 24 * row + 16), cell, fontsize=11)


def _drawing(page: pymupdf.Page, top: float) -> None:
    for place, label in enumerate(LABELS):
        x = 60 + 110 * place
        page.draw_rect((x, top, x + 110, top + 60 + 20 * place), fill=(0.8, 0.9, 1))
        page.draw_circle((x + 50, top + 30), 20)
        page.insert_text((x + 6, top + 20), label, fontsize=9)
