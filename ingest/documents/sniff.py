"""What a file is, by its bytes. A suffix only breaks ties between kinds of plain text."""

from __future__ import annotations

import re
from pathlib import PurePath

from ingest.documents.document import DocumentStatus
from ingest.documents.failures import FileFailureError

_ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PDF_HEADER = re.compile(rb"(?:\A|[\r\n\x00 ])%PDF-\d")
_PDF_HEADER_WINDOW = 1024  # readers look for the header this far into a file
_HTML_START = re.compile(
    rb"\A\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_PRESENTATION_SUFFIXES = frozenset(
    {".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm", ".ppt", ".pps", ".pot"}
)
_HTML_SUFFIXES = frozenset({".html", ".htm", ".xhtml"})
_MARKDOWN_SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd", ".qmd", ".rmd", ".mdx"})
_BINARY_SUFFIXES = frozenset({".docx", ".xlsx", ".doc", ".xls", ".odp", ".key"})
# Formats made of text that are no documents to read.
_OTHER_TEXT = re.compile(rb"\A\s*(?:\{\\rtf|%!PS|<\?xml|<svg\b)", re.IGNORECASE)
# Control characters that no text holds; a file with one of them is binary.
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def sniff_format(data: bytes, path: PurePath) -> str:
    """Tell the format of a file from its bytes.

    Args:
        data: the whole file.
        path: its path; only the suffix is looked at, and only for text.

    Returns:
        `zip`, `pdf`, `html`, `markdown` or `text`.

    Raises:
        FileFailureError: with the status that fits what the file is instead.
    """
    suffix = path.suffix.lower()
    if not data:
        raise FileFailureError(DocumentStatus.DAMAGED, "the file has zero bytes")
    if data.startswith(_ZIP_MAGIC):
        return "zip"
    if data.startswith(_OLE_MAGIC):
        raise _explain_compound_file(data)
    if _is_pdf(data):
        return "pdf"
    if _HTML_START.search(_without_nulls(data[:4096])):
        return "html"
    return _sniff_text(data, suffix)


def _sniff_text(data: bytes, suffix: str) -> str:
    if suffix in _PRESENTATION_SUFFIXES or suffix in _BINARY_SUFFIXES:
        raise FileFailureError(
            DocumentStatus.NOT_A_ZIP
            if suffix in _PRESENTATION_SUFFIXES
            else DocumentStatus.UNSUPPORTED,
            f"the file is named `{suffix}` and is not a ZIP package",
        )
    if suffix == ".pdf":
        raise FileFailureError(DocumentStatus.DAMAGED, "the file has no PDF header")
    is_text = data.startswith(_BOMS) or not _CONTROL.search(data[:65536])
    if suffix in _HTML_SUFFIXES and is_text:
        return "html"
    if not is_text or _OTHER_TEXT.search(data[:64]):
        raise FileFailureError(DocumentStatus.UNSUPPORTED, "the bytes are no format that is read")
    return "markdown" if suffix in _MARKDOWN_SUFFIXES else "text"


def _is_pdf(data: bytes) -> bool:
    match = _PDF_HEADER.search(data[:_PDF_HEADER_WINDOW])
    if match is None:
        return False
    # A text about PDF may quote the header; only a PDF has objects behind it.
    return match.start() == 0 or b"endobj" in data or b"startxref" in data


def _without_nulls(head: bytes) -> bytes:
    """Strip a byte order mark and the zero bytes of UTF-16, so that one pattern fits all."""
    for bom in _BOMS:
        head = head.removeprefix(bom)
    return head.replace(b"\x00", b"")


def _explain_compound_file(data: bytes) -> FileFailureError:
    """Tell an encrypted package from the old binary format by the streams of the OLE file."""
    if _has_stream(data, "PowerPoint Document") or not (
        _has_stream(data, "EncryptedPackage") or _has_stream(data, "EncryptionInfo")
    ):
        return FileFailureError(
            DocumentStatus.LEGACY_BINARY, "an OLE compound file of the old binary formats"
        )
    return FileFailureError(DocumentStatus.ENCRYPTED, "an Office package locked by a password")


def _has_stream(data: bytes, name: str) -> bool:
    return name.encode("utf-16-le") in data
