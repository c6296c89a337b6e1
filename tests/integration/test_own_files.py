"""`podium xslides run` on a user's own folders, with bad decks among the good ones."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pptx
import pymupdf
import pytest
from pptx.util import Inches

from tests.integration.test_demo import podium

STUDY = """# Bridge sensors

## Background

A strain gauge is a sensor that measures how much a beam bends under load.
The old bridge at Ferrol carried 9,400 vehicles a day in 2024.

## Method

We fitted 32 gauges to four beams and recorded them for 90 days.

## Results

The gauges found 14 events above 60% of the design load.
Repair costs fell by 21% because cracks were seen early.

## Limitations

Gauges below the water line failed after 40 days, so flood loads are not known.
"""


def write_pptx(path: Path, lines: list[str]) -> None:
    deck = pptx.Presentation()
    for line in lines:
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        slide.shapes.add_textbox(Inches(1), Inches(1), Inches(8), Inches(2)).text_frame.text = line
    path.parent.mkdir(parents=True, exist_ok=True)
    deck.save(str(path))


def write_pdf(path: Path, lines: list[str], *, password: str | None = None) -> None:
    document = pymupdf.open()
    for line in lines:
        document.new_page(width=960, height=540).insert_text((60, 100), line, fontsize=20)
    path.parent.mkdir(parents=True, exist_ok=True)
    options = (
        {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "user_pw": password, "owner_pw": password}
        if password
        else {}
    )
    document.save(path, **options)


def write_picture_pdf(path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page(width=960, height=540)
    pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 64, 64), False)
    pixels.clear_with(120)
    page.insert_image(page.rect, pixmap=pixels)
    path.parent.mkdir(parents=True, exist_ok=True)
    document.save(path)


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    root = tmp_path_factory.mktemp("own_files")
    cases, decks = root / "my_cases", root / "my_decks"
    cases.mkdir()
    for label in ("bridge", "tunnel", "dam", "pier"):
        (cases / f"{label}.md").write_text(STUDY.replace("Ferrol", label.title()))
    good = [
        "14 events above 60% of the design load",
        "Repair costs fell by 21% because cracks were seen early",
    ]
    write_pptx(decks / "acme" / "bridge.pptx", good)
    write_pdf(decks / "acme" / "tunnel.pdf", good)
    (decks / "acme" / "dam.pptx").write_bytes(b"PK\x03\x04 torn")
    write_pdf(decks / "beta" / "agnostic" / "bridge.pdf", good, password="secret")
    write_picture_pdf(decks / "beta" / "agnostic" / "tunnel.pdf")
    write_pptx(decks / "beta" / "conditioned" / "learners" / "dam.pptx", good[:1])
    write_pptx(decks / "beta" / "agnostic" / "unheard_of.pptx", good)
    return podium(
        "xslides", "run", "my_cases", "--decks", "my_decks", "--warehouse", "wh", cwd=root
    )


def test_bad_decks_do_not_stop_the_board(ran: subprocess.CompletedProcess[str]) -> None:
    assert "acme" in ran.stdout
    assert "beta" in ran.stdout
    assert "HEURISTIC JUDGE" in ran.stdout


def test_bad_decks_give_exit_code_4(ran: subprocess.CompletedProcess[str]) -> None:
    assert ran.returncode == 4, ran.stderr


@pytest.mark.parametrize(
    ("file", "word"),
    [
        ("dam.pptx", "damaged"),
        ("bridge.pdf", "encrypted"),
        ("tunnel.pdf", "pictures"),
        ("unheard_of.pptx", "matches no case"),
    ],
)
def test_each_bad_deck_is_named_with_its_trouble(
    file: str, word: str, ran: subprocess.CompletedProcess[str]
) -> None:
    assert any(file in line and word in line for line in ran.stderr.splitlines()), ran.stderr
