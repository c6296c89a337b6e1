"""Slides as pictures: how many, how large, and what is told when they cannot be drawn."""

from __future__ import annotations

import io
import time
from pathlib import Path

import pytest
from PIL import Image

from ingest.documents import office, render
from ingest.documents.office import OfficeError, to_pdf
from ingest.documents.render import RenderError, render_slides
from tests.support.office import installed_office
from tests.support.pictured_decks import write_pictured_pdf, write_pictured_pptx

RED, GREEN, BLUE = (200, 10, 10), (10, 200, 10), (10, 10, 200)


def colors(pngs: tuple[bytes, ...]) -> list[tuple[int, int, int]]:
    """Return the colour in the middle of each picture, to the nearest ten."""
    found = []
    for png in pngs:
        picture = Image.open(io.BytesIO(png)).convert("RGB")
        pixel = picture.getpixel((picture.width // 2, picture.height // 2))
        assert isinstance(pixel, tuple)
        found.append((round(pixel[0], -1), round(pixel[1], -1), round(pixel[2], -1)))
    return found


def stand_in(folder: Path, script: str) -> None:
    """Put a program of the name of LibreOffice in a folder."""
    program = folder / "soffice"
    program.write_text(f'#!/bin/sh\n[ "$1" = --version ] && exit 0\n{script}\n')
    program.chmod(0o755)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setattr(office, "PROGRAMS", ("soffice",))
    monkeypatch.setattr("shutil.which", lambda name: _which(folder, name))
    office.office_version.cache_clear()
    return folder


def _which(folder: Path, name: str) -> str | None:
    path = folder / name
    return str(path) if path.is_file() else None


def test_each_page_becomes_one_picture_of_a_fixed_size(tmp_path: Path) -> None:
    deck = write_pictured_pdf(tmp_path / "deck.pdf", (RED, GREEN, BLUE))
    drawn = render_slides(deck, "pdf")
    assert colors(drawn.pngs) == [RED, GREEN, BLUE]
    assert {Image.open(io.BytesIO(png)).size for png in drawn.pngs} == {(1280, 720)}
    assert drawn.renderer.startswith("pymupdf/")
    assert render_slides(deck, "pdf") == drawn


def test_a_deck_beyond_the_bounds_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = write_pictured_pdf(tmp_path / "deck.pdf", (RED, GREEN))
    monkeypatch.setattr(render, "MAX_SLIDES", 1)
    with pytest.raises(RenderError, match="2 slides are more than 1"):
        render_slides(deck, "pdf")
    monkeypatch.setattr(render, "MAX_SLIDES", 2)
    monkeypatch.setattr(render, "MAX_BYTES", 1000)
    with pytest.raises(RenderError, match="more than 1000 bytes"):
        render_slides(deck, "pdf")


def test_a_file_that_cannot_be_drawn_says_so(tmp_path: Path) -> None:
    path = tmp_path / "deck.pdf"
    path.write_bytes(b"%PDF-1.7\nnothing")
    with pytest.raises(RenderError, match="cannot be drawn"):
        render_slides(path, "pdf")
    with pytest.raises(RenderError, match="format html"):
        render_slides(path, "html")


def test_without_libreoffice_the_message_says_what_to_install(
    tmp_path: Path, programs: Path
) -> None:
    deck = write_pictured_pptx(tmp_path / "deck.pptx", (RED,))
    with pytest.raises(RenderError, match="libreoffice-impress"):
        render_slides(deck, "pptx")


def test_the_given_name_never_reaches_the_program_and_nothing_is_left(
    tmp_path: Path, programs: Path
) -> None:
    pdf = write_pictured_pdf(tmp_path / "made.pdf", (BLUE,))
    stand_in(
        programs,
        f'printf "%s\\n" "$@" > {tmp_path}/told; cp {pdf} "$7/deck.pdf"; pwd > {tmp_path}/where',
    )
    deck = write_pictured_pptx(tmp_path / "--evil $(touch x).pptx", (BLUE,))
    assert colors(render_slides(deck, "pptx").pngs) == [BLUE]
    told = (tmp_path / "told").read_text()
    assert "evil" not in told
    assert "-env:UserInstallation=file://" in told
    assert not Path((tmp_path / "where").read_text().strip()).exists()


def test_a_program_that_fails_or_makes_nothing_is_told(tmp_path: Path, programs: Path) -> None:
    deck = write_pictured_pptx(tmp_path / "deck.pptx", (RED,))
    stand_in(programs, "exit 3")
    with pytest.raises(OfficeError, match="exit code 3"):
        to_pdf(deck)
    stand_in(programs, "exit 0")
    with pytest.raises(OfficeError, match="made no PDF"):
        to_pdf(deck)


def test_a_program_that_hangs_is_ended_with_its_children(tmp_path: Path, programs: Path) -> None:
    deck = write_pictured_pptx(tmp_path / "deck.pptx", (RED,))
    stand_in(programs, f"sleep 300 & echo $! > {tmp_path}/child; wait")
    with pytest.raises(OfficeError, match=r"in 1 seconds"):
        to_pdf(deck, timeout_seconds=1)
    child = int((tmp_path / "child").read_text())
    until = time.monotonic() + 5
    while _is_alive(child) and time.monotonic() < until:
        time.sleep(0.02)
    assert not _is_alive(child)


def _is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_macros_and_links_are_off_in_the_profile(tmp_path: Path, programs: Path) -> None:
    pdf = write_pictured_pdf(tmp_path / "made.pdf", (RED,))
    stand_in(
        programs,
        f'profile="${{1#-env:UserInstallation=file://}}"; '
        f'cp "$profile/user/registrymodifications.xcu" {tmp_path}/profile.xml; '
        f'cp {pdf} "$7/deck.pdf"',
    )
    to_pdf(write_pictured_pptx(tmp_path / "deck.pptx", (RED,)))
    profile = (tmp_path / "profile.xml").read_text()
    for name in ("DisableMacrosExecution", "BlockUntrustedRefererLinks"):
        assert f'oor:name="{name}" oor:op="fuse"><value>true</value>' in profile


def test_libreoffice_itself_draws_the_visible_slides(tmp_path: Path) -> None:
    installed_office()
    deck = write_pictured_pptx(tmp_path / "deck.pptx", (RED, GREEN, BLUE), hidden=(2,))
    office.office_version.cache_clear()
    drawn = render_slides(deck, "pptx")
    assert colors(drawn.pngs) == [RED, BLUE]
    assert drawn.renderer.startswith("libreoffice/")
