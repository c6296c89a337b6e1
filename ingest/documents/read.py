"""Reading any document into pages, words by class and one status. A bad file never raises."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ingest.documents import html, markdown, pptx
from ingest.documents.document import PAGED_FORMATS, Document, DocumentStatus, Page
from ingest.documents.failures import FileFailureError
from ingest.documents.policy import VISIBLE, Limits, TextPolicy
from ingest.documents.sniff import sniff_format

Reading = tuple[list[Page], list[str]]


def read_document(
    path: Path, *, policy: TextPolicy = VISIBLE, limits: Limits | None = None
) -> Document:
    """Read a deck or a source document.

    The bytes decide the format, never the suffix.

    Args:
        path: the file.
        policy: which classes of words count as visible.
        limits: bounds on what the file may cost; the defaults of `Limits` when not given.

    Returns:
        The document. Its status says how reading ended, for a missing or broken file too.
    """
    limits = limits or Limits()
    base = Document(
        path=str(path),
        status=DocumentStatus.MISSING,
        text_policy=policy.id,
        visible_classes=policy.visible_classes,
    )
    data = _load(path, base, limits)
    if isinstance(data, Document):
        return data
    # Made anew where it could be copied: copies are a visible part of what a small deck costs.
    base = Document(
        path=base.path,
        status=base.status,
        text_policy=policy.id,
        visible_classes=policy.visible_classes,
        sha256=hashlib.sha256(data).hexdigest(),
        byte_count=len(data),
    )
    return _read_bytes(data, path, base, policy, limits)


def _load(path: Path, base: Document, limits: Limits) -> bytes | Document:
    """Return the bytes of a file, or the document that says why there are none."""
    try:
        state = path.stat()
        size = state.st_size
        if not stat.S_ISREG(state.st_mode):
            return _fail(base, DocumentStatus.UNSUPPORTED, "the path is no regular file")
        if size > limits.file_bytes:
            base = replace(base, byte_count=size, sha256=_hash_file(path))
            return _fail(
                base,
                DocumentStatus.TOO_LARGE,
                f"the file has {size} bytes, more than {limits.file_bytes}",
            )
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return _fail(base, DocumentStatus.MISSING, "there is no file at this path")
    except (OSError, ValueError) as error:
        return _fail(base, DocumentStatus.DAMAGED, f"the file cannot be read: {error}")


def _read_bytes(
    data: bytes, path: Path, base: Document, policy: TextPolicy, limits: Limits
) -> Document:
    try:
        kind = sniff_format(data, path)
        base, reader = _choose_reader(kind, base)
        pages, warnings = reader(data, policy, limits)
    except FileFailureError as failure:
        return _fail(base, failure.status, failure.message)
    except (MemoryError, RecursionError) as error:
        return _fail(base, DocumentStatus.TOO_LARGE, f"{type(error).__name__}: {error}")
    except Exception as error:
        # One bad file must not end a batch; the message carries what a reader did not foresee.
        return _fail(base, DocumentStatus.DAMAGED, f"unforeseen {type(error).__name__}: {error}")
    if base.format in PAGED_FORMATS:
        warnings = [*warnings, *_name_silent_pages(pages)]
    status = _judge_content(pages, policy, bool(warnings))
    return replace(base, pages=tuple(pages), warnings=tuple(warnings), status=status)


def _choose_reader(
    kind: str, base: Document
) -> tuple[Document, Callable[[bytes, TextPolicy, Limits], Reading]]:
    if kind == "zip":
        return _name_parser(base, "pptx", pptx.PARSER, pptx.PARSER_VERSION), pptx.read_pptx
    if kind == "pdf":
        # PyMuPDF takes longer to import than a deck takes to read.
        from ingest.documents import pdf

        return _name_parser(base, "pdf", pdf.PARSER, pdf.PARSER_VERSION), pdf.read_pdf
    if kind == "html":
        return (
            _name_parser(base, kind, html.PARSER, html.PARSER_VERSION),
            lambda data, policy, _limits: html.read_html(data, policy),
        )
    read = markdown.read_markdown if kind == "markdown" else markdown.read_text
    return (
        _name_parser(base, kind, markdown.PARSER, markdown.PARSER_VERSION),
        lambda data, policy, _limits: read(data, policy),
    )


def _name_parser(base: Document, kind: str, parser: str, version: str) -> Document:
    return replace(base, format=kind, parser=parser, parser_version=version)


def _name_silent_pages(pages: list[Page]) -> list[str]:
    """Name the pages that show pictures and have no text that can be read, such as scans."""
    silent = [
        page.number for page in pages if page.picture_count and not page.text and not page.is_hidden
    ]
    if not silent:
        return []
    spans: list[list[int]] = []
    for number in silent:
        if spans and spans[-1][-1] == number - 1:
            spans[-1][1:] = [number]
        else:
            spans.append([number])
    names = ", ".join("-".join(map(str, span)) for span in spans)
    noun = "page" if len(silent) == 1 else "pages"
    return [f"{noun} {names}: pictures alone, no text layer"]


def _judge_content(pages: list[Page], policy: TextPolicy, has_warnings: bool) -> DocumentStatus:
    """Tell a document with words from one that only shows pictures or nothing at all."""
    present = {name for page in pages for name in page.words_by_class}
    shown = [page for page in pages if not page.is_hidden]
    has_visible_words = not present.isdisjoint(policy.visible_classes)
    if shown and not has_visible_words and any(page.picture_count for page in shown):
        return DocumentStatus.IMAGE_ONLY
    if not has_visible_words and "hidden_slide" not in present:
        return DocumentStatus.EMPTY
    return DocumentStatus.OK_WITH_WARNINGS if has_warnings else DocumentStatus.OK


def _fail(base: Document, status: DocumentStatus, message: str) -> Document:
    is_known = status in (DocumentStatus.ENCRYPTED, DocumentStatus.DAMAGED)
    return replace(
        base,
        status=status,
        warnings=(message,),
        format=base.format if is_known or status is DocumentStatus.TOO_LARGE else None,
    )


def _hash_file(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
