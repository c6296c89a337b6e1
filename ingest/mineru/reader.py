"""A reader of source documents that has PDF read by MinerU and everything else read here."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import stat
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from ingest.documents.document import Document, DocumentStatus, Page
from ingest.documents.failures import FileFailureError
from ingest.documents.policy import Limits
from ingest.documents.read import read_document
from ingest.documents.sniff import sniff_format
from ingest.documents.words import count_words
from ingest.mineru.asker import Asker
from ingest.mineru.cache import MarkdownCache
from ingest.mineru.outcome import Outcome, Parsed, ParseFailureError
from ingest.mineru.settings import MineruSettings, ParseOptions
from warehouse.errors import InputError

PARSER = "mineru"
# Raised when the same answer of MinerU becomes another text.
PARSER_VERSION = "1"


class MineruReader:
    """Reads documents, in several threads if need be; a bad one never raises.

    Args:
        cache: what was parsed before.
        lookups: options whose kept results may be used, best first.
        settings: whom to ask for the rest; None asks nobody.
    """

    def __init__(
        self,
        cache: MarkdownCache,
        lookups: tuple[ParseOptions, ...],
        settings: MineruSettings | None,
    ) -> None:
        self._cache = cache
        self._lookups = lookups
        self._asker = None if settings is None else Asker(settings, cache)
        self._guard = threading.Lock()
        # Two cases may hold the same file: it is handed in once.
        self._at_work: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._counts: Counter[str] = Counter()

    def __call__(self, path: Path) -> Document:
        """Read a document.

        A PDF becomes one page, MinerU's markdown. Where MinerU gives none, `failure` says why
        and there is no text: that of another parser would pass for MinerU's.

        Raises:
            InputError: when the cache cannot be written.
        """
        data = _pdf_bytes(path)
        if data is None:
            return read_document(path)
        sha256 = hashlib.sha256(data).hexdigest()
        with self._guard:
            one_at_a_time = self._at_work[sha256]
        try:
            with self._cache_errors(), one_at_a_time:
                options, parsed = self._parsed(data, sha256)
        except ParseFailureError as failure:
            self._count("failed")
            return _failed_document(path, data, sha256, failure)
        return _parsed_document(path, data, sha256, options, parsed)

    def read_ahead(self, paths: Sequence[Path]) -> None:
        """Have files parsed together that are to be read one by one next.

        Raises:
            InputError: when the cache cannot be written.
        """
        if self._asker is None or self._asker.settings.in_flight <= 1 or len(paths) <= 1:
            return
        with self._cache_errors():
            asyncio.run(self._ask_together(self._asker, paths))

    def take_counts(self) -> dict[str, int]:
        """Return how many PDF were parsed, kept from before and failed since the last time."""
        with self._guard:
            counts = {name: self._counts[name] for name in ("parsed", "kept", "failed")}
            self._counts.clear()
        return counts

    async def _ask_together(self, asker: Asker, paths: Sequence[Path]) -> None:
        room = asyncio.Semaphore(asker.settings.in_flight)
        begun: set[str] = set()

        async def ask(path: Path) -> None:
            async with room:
                data = _pdf_bytes(path)
                sha256 = "" if data is None else hashlib.sha256(data).hexdigest()
                if data is None or sha256 in begun or self._kept(sha256) is not None:
                    return
                begun.add(sha256)
                # Told when the file is read; it is not sent again for that.
                with contextlib.suppress(ParseFailureError):
                    await asker.ask(data, sha256)
                    self._count("parsed")

        broken: Exception | None = None
        try:
            async with asyncio.TaskGroup() as group:
                for path in paths:
                    group.create_task(ask(path))
        except* OSError as errors:
            broken = errors.exceptions[0]
        if broken is not None:
            raise broken

    def _parsed(self, data: bytes, sha256: str) -> tuple[ParseOptions, Parsed]:
        kept = self._kept(sha256)
        if kept is not None:
            if self._asker is None or not self._asker.has_parsed(sha256):
                self._count("kept")
            return kept
        if self._asker is None:
            message = "nothing is kept for this file; set MINERU_API_KEY or MINERU_API_URL"
            raise ParseFailureError(Outcome.NOT_KEPT, message)
        parsed = asyncio.run(self._asker.ask(data, sha256))
        self._count("parsed")
        return self._asker.settings.options, parsed

    def _kept(self, sha256: str) -> tuple[ParseOptions, Parsed] | None:
        for options in self._lookups:
            parsed = self._cache.get(sha256, options)
            if parsed is not None:
                return options, parsed
        return None

    def _count(self, name: str) -> None:
        with self._guard:
            self._counts[name] += 1

    @contextlib.contextmanager
    def _cache_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise InputError(
                f"the cache of MinerU in `{self._cache.folder}` cannot be used",
                got=type(error).__name__,
                fix="set XSLIDESBENCH_MINERU_CACHE_DIR",
            ) from None


def fingerprint(options: ParseOptions, version: str) -> str:
    """Return the parser in one word: `mineru:<api or version>:<model>:<language>`."""
    source = options.api.value + (f"-{version}" if version else "")
    return f"{PARSER}:{source}:{options.model}:{options.language}"


def _pdf_bytes(path: Path) -> bytes | None:
    """Return the bytes of a PDF; None for what the other readers tell more about."""
    try:
        state = path.stat()
        if not stat.S_ISREG(state.st_mode) or state.st_size > Limits().file_bytes:
            return None
        data = path.read_bytes()
        return data if sniff_format(data, path) == "pdf" else None
    except (OSError, ValueError, FileFailureError):
        return None


def _parsed_document(
    path: Path, data: bytes, sha256: str, options: ParseOptions, parsed: Parsed
) -> Document:
    words = {"body": count_words(parsed.markdown)}
    return Document(
        path=str(path),
        status=DocumentStatus.OK,
        format="pdf",
        pages=(Page(1, text=parsed.markdown, words_by_class=words),),
        parser=fingerprint(options, parsed.version),
        parser_version=PARSER_VERSION,
        sha256=sha256,
        byte_count=len(data),
    )


def _failed_document(path: Path, data: bytes, sha256: str, failure: ParseFailureError) -> Document:
    why = f"MinerU: {failure.outcome.value}: {failure.message}"
    return Document(
        path=str(path),
        status=DocumentStatus.UNSUPPORTED,
        format="pdf",
        warnings=(why,),
        parser=PARSER,
        parser_version=PARSER_VERSION,
        sha256=sha256,
        byte_count=len(data),
        failure=why,
    )
