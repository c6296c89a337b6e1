"""A reader before a stand-in of MinerU, with waits of milliseconds, and PDF files to read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pymupdf

from ingest.documents.document import Document
from ingest.endpoint.settings import ApiKey
from ingest.mineru.cache import MarkdownCache
from ingest.mineru.reader import MineruReader
from ingest.mineru.settings import Api, MineruSettings, ParseOptions
from tests.support.mineru_server import KEY, Fault, MineruServer


@dataclass
class MineruBench:
    """One server, one cache folder and one PDF. Each `reader` is as a new run would make it."""

    server: MineruServer
    folder: Path
    api: Api

    @property
    def pdf(self) -> Path:
        """Return a PDF whose own text differs from what the stand-in makes of it."""
        path = self.folder / "secret-plan.pdf"
        if not path.exists():
            write_pdf(path, "What PyMuPDF would read")
        return path

    @property
    def cache(self) -> MarkdownCache:
        """Return the cache as it stands in the folder."""
        return MarkdownCache(self.folder / "cache")

    def settings(self, **changes: Any) -> MineruSettings:
        """Return settings that wait for milliseconds only."""
        key = ApiKey(KEY, "MINERU_API_KEY") if self.api is Api.HOSTED else None
        plain = MineruSettings(
            ParseOptions(self.api),
            self.server.url,
            key,
            total_seconds=10.0,
            backoff_seconds=0.01,
            poll_seconds=0.005,
        )
        return replace(plain, **changes)

    def reader(self, **changes: Any) -> MineruReader:
        """Return a fresh reader."""
        settings = self.settings(**changes)
        return MineruReader(self.cache, (settings.options,), settings)

    def read(self, **changes: Any) -> Document:
        """Read the PDF in a run of its own."""
        return self.reader(**changes)(self.pdf)

    def read_until_uploaded(self) -> None:
        """Let a run end right after the upload, as a kill would."""
        self.server.faults["poll"] = [Fault("body", 200, body=b"<html>")]
        assert "invalid_reply" in self.read().failure


def write_pdf(path: Path, line: str) -> Path:
    """Write a PDF of one page with one line."""
    document = pymupdf.open()
    document.new_page().insert_text((60, 100), line, fontsize=16)
    path.parent.mkdir(parents=True, exist_ok=True)
    document.save(path)
    return path
