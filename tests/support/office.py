"""LibreOffice for the tests that need the real one: found, installed where it can be, or a skip."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from ingest.documents.office import office_program

PACKAGE = "libreoffice-impress"


def installed_office() -> str:
    """Return the path of LibreOffice; install it on a CI machine where we are root."""
    found = office_program()
    if found is None and os.environ.get("CI") and os.geteuid() == 0 and shutil.which("apt-get"):
        for command in (
            ["apt-get", "update"],
            ["apt-get", "install", "-y", "--no-install-recommends", PACKAGE],
        ):
            subprocess.run(command, capture_output=True, timeout=600, check=False)
        found = office_program()
    if found is None:
        pytest.skip(f"LibreOffice is not installed and cannot be: apt-get install {PACKAGE}")
    return found
