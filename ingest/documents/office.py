"""LibreOffice without a window: a presentation becomes a PDF, in a profile of its own.

The file is foreign: macros are off, and nothing that it links to is fetched.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

PROGRAMS = ("soffice", "libreoffice")
TIMEOUT_SECONDS = 180.0
MAX_PDF_BYTES = 512 * 1024 * 1024
_SECURITY = "/org.openoffice.Office.Common/Security/Scripting"
_LOCKED = {
    "DisableMacrosExecution": "true",
    "DisableActiveContent": "true",
    "BlockUntrustedRefererLinks": "true",
    "MacroSecurityLevel": "3",
}


class OfficeError(Exception):
    """LibreOffice is absent or failed; the message says what to do."""


def office_program() -> str | None:
    """Return the path of LibreOffice, None when it is not installed."""
    found = (shutil.which(name) for name in PROGRAMS)
    return next((path for path in found if path is not None), None)


@cache
def office_version() -> str:
    """Return name and version of LibreOffice, `libreoffice` alone when it does not tell."""
    program = office_program()
    if program is None:
        return "libreoffice"
    try:
        told = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=60, check=False
        ).stdout.split()
    except (OSError, subprocess.TimeoutExpired):
        return "libreoffice"
    return "/".join(told[:2]).lower() if len(told) > 1 else "libreoffice"


def to_pdf(path: Path, timeout_seconds: float = TIMEOUT_SECONDS) -> bytes:
    """Return a presentation as PDF, one page a visible slide.

    Args:
        path: the presentation.
        timeout_seconds: wall time after which LibreOffice is ended with all its processes.

    Raises:
        OfficeError: when LibreOffice is absent, too slow, or made no PDF.
    """
    program = office_program()
    if program is None:
        raise OfficeError(
            "slides of a PPTX are drawn by LibreOffice, which is not installed; "
            "install it (Debian: apt install libreoffice-impress), or give the deck as PDF"
        )
    with tempfile.TemporaryDirectory(prefix="podium-office-") as scratch:
        return _converted(program, path, Path(scratch), timeout_seconds)


def _converted(program: str, path: Path, scratch: Path, timeout_seconds: float) -> bytes:
    profile = scratch / "profile"
    _write_profile(profile)
    # Under a name of our own: the given one could be taken for an option.
    deck = scratch / "deck.pptx"
    shutil.copyfile(path, deck)
    command = [
        program,
        f"-env:UserInstallation={profile.as_uri()}",
        "--headless",
        "--norestore",
        "--convert-to",
        "pdf:impress_pdf_Export",
        "--outdir",
        str(scratch),
        str(deck),
    ]
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=scratch,
        start_new_session=True,
    ) as running:
        try:
            code = running.wait(timeout_seconds)
        except BaseException as error:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
            if isinstance(error, subprocess.TimeoutExpired):
                raise OfficeError(
                    f"LibreOffice did not draw the slides in {timeout_seconds:g} seconds"
                ) from error
            raise
    pdf = deck.with_suffix(".pdf")
    if code != 0 or not pdf.is_file():
        raise OfficeError(f"LibreOffice made no PDF of the slides (exit code {code})")
    if pdf.stat().st_size > MAX_PDF_BYTES:
        raise OfficeError(f"the slides' PDF has more than {MAX_PDF_BYTES} bytes")
    return pdf.read_bytes()


def _write_profile(profile: Path) -> None:
    items = "\n".join(
        f'<item oor:path="{_SECURITY}"><prop oor:name="{name}" oor:op="fuse">'
        f"<value>{value}</value></prop></item>"
        for name, value in _LOCKED.items()
    )
    folder = profile / "user"
    folder.mkdir(parents=True)
    (folder / "registrymodifications.xcu").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<oor:items xmlns:oor="http://openoffice.org/2001/registry" '
        'xmlns:xs="http://www.w3.org/2001/XMLSchema" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n'
        f"{items}\n</oor:items>\n",
        encoding="utf-8",
    )
