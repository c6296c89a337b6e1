"""Which parser reads PDF sources: MinerU where it is configured, else PyMuPDF with a notice.

Decks are never given to MinerU: their words are counted by class, which takes the page itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from ingest.documents.document import Document
from ingest.documents.read import read_document
from ingest.endpoint.settings import ApiKey
from ingest.mineru.cache import MarkdownCache, default_folder
from ingest.mineru.reader import MineruReader
from ingest.mineru.settings import HOSTED_BASE_URL, Api, MineruSettings, ParseOptions
from ingest.xslides.source_text import SourceReader
from ingest.xslides.stage import StageReport
from podium import settings
from podium.settings import TOML_FILE, Layers
from warehouse.errors import UsageError
from warehouse.paths import WarehousePaths

AUTO, MINERU, PYMUPDF = "auto", "mineru", "pymupdf"
NAMES = (AUTO, MINERU, PYMUPDF)
KEY, API_URL, BASE_URL = "MINERU_API_KEY", "MINERU_API_URL", "MINERU_BASE_URL"
PARSER, CACHE_DIR = "XSLIDESBENCH_PDF_PARSER", "XSLIDESBENCH_MINERU_CACHE_DIR"
MODEL, LANGUAGE = "PODIUM_MINERU_MODEL", "PODIUM_MINERU_LANGUAGE"
TOTAL_SECONDS = "PODIUM_MINERU_TOTAL_SECONDS"
CONCURRENCY = "PODIUM_MINERU_CONCURRENCY"
HOSTED_IN_FLIGHT = 4
T = TypeVar("T")
_PREFIXES = ("PODIUM_", "XSLIDESBENCH_")


class PdfParser:
    """The reader of sources that a command uses, and what it has to tell.

    Args:
        name: mineru or pymupdf.
        reader: opens a source document.
        notice: told once a PDF was read, blank for nothing.
    """

    def __init__(self, name: str, reader: SourceReader, notice: str = "") -> None:
        self.name = name
        self._reader = reader
        self._notice = notice
        self._has_read_pdf = False

    def read(self, path: Path) -> Document:
        """Read a source document."""
        document = self._reader(path)
        self._has_read_pdf = self._has_read_pdf or document.format == "pdf"
        return document

    def read_ahead(self, paths: Sequence[Path]) -> None:
        """Have documents parsed together that are read one by one next, where that is quicker."""
        if isinstance(self._reader, MineruReader):
            self._reader.read_ahead(paths)

    def told(self, report: StageReport) -> StageReport:
        """Return a stage's report with a note of how its PDF were read."""
        notes: list[str] = []
        if self._notice and self._has_read_pdf:
            notes, self._notice = [self._notice], ""
        if isinstance(self._reader, MineruReader):
            counts = self._reader.take_counts()
            if counts["parsed"] or counts["failed"]:
                told = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
                notes.append(f"MinerU: {told}")
        return replace(report, notes=(*report.notes, *notes))


def offline_parser() -> PdfParser:
    """Return the parser that asks nobody and has nothing to tell."""
    return PdfParser(PYMUPDF, read_document)


def chosen_parser(
    paths: WarehousePaths, flag: str | None = None, *, may_ask: bool = True
) -> PdfParser:
    """Return the parser of PDF sources; nothing is sent yet.

    Args:
        paths: the warehouse, which keeps what MinerU made.
        flag: what `--pdf-parser` said; None takes XSLIDESBENCH_PDF_PARSER, then `auto`.
        may_ask: whether MinerU is asked for what is not kept.

    Raises:
        UsageError: when the parser is not known, MinerU is demanded and neither configured nor
            anything kept, or a setting cannot be used.
    """
    layers = settings.read_layers()
    name = parser_name(layers, flag)
    if name == PYMUPDF:
        return offline_parser()
    configured = read_mineru(layers)
    stated = _text(layers, CACHE_DIR)
    folder = Path(stated).expanduser() if stated else default_folder(paths)
    cache = MarkdownCache(folder.absolute())
    if configured is not None:
        asked = configured if may_ask else None
        return PdfParser(MINERU, MineruReader(cache, (configured.options,), asked))
    if name == AUTO:
        notice = f"PDF was read by PyMuPDF: neither {KEY} nor {API_URL} is set for MinerU"
        return PdfParser(PYMUPDF, read_document, notice)
    if not cache:
        raise UsageError(
            "PDF parser `mineru` is demanded, and nothing of it is configured",
            expected=f"{KEY} for the hosted API, or {API_URL} for a server of your own",
            fix=f"set one of them, or {PARSER}={PYMUPDF}",
        )
    lookups = tuple(_options(layers, api) for api in (Api.OWN, Api.HOSTED))
    return PdfParser(MINERU, MineruReader(cache, lookups, None))


def parser_name(layers: Layers, flag: str | None = None) -> str:
    """Return auto, mineru or pymupdf.

    Raises:
        UsageError: when another one is named.
    """
    name = (flag or _text(layers, PARSER) or AUTO).strip().lower()
    if name not in NAMES:
        raise UsageError(
            f"there is no PDF parser `{name[:40]}`",
            expected=", ".join(NAMES),
            fix=f"set {PARSER}, or give --pdf-parser",
        )
    return name


def read_mineru(layers: Layers) -> MineruSettings | None:
    """Return whom to ask; None when MinerU is not configured.

    With both a server of one's own and a key, the server is asked: who names one means to keep
    documents there, and the key is not sent to it.

    Raises:
        UsageError: when a value cannot be used, or `podium.toml` holds the key.
    """
    if KEY.lower() in {name.lower() for name in layers.toml}:
        raise UsageError(
            f"`{TOML_FILE}` holds a key",
            expected="keys in the environment or in .env only",
            fix=f"take it out of {TOML_FILE}, change the key, and set {KEY}",
        )
    own, key = _text(layers, API_URL), _secret(layers)
    if own:
        found = MineruSettings(_options(layers, Api.OWN), own)
    elif key is not None:
        address = _text(layers, BASE_URL) or HOSTED_BASE_URL
        options = _options(layers, Api.HOSTED)
        found = MineruSettings(options, address, key, in_flight=HOSTED_IN_FLIGHT)
    else:
        return None
    return replace(
        found,
        total_seconds=_number(layers, TOTAL_SECONDS, float, found.total_seconds),
        in_flight=_number(layers, CONCURRENCY, int, found.in_flight),
    )


def _options(layers: Layers, api: Api) -> ParseOptions:
    plain = ParseOptions(api)
    return ParseOptions(
        api,
        _text(layers, MODEL) or plain.model,
        _text(layers, LANGUAGE) or plain.language,
    )


def _number(layers: Layers, variable: str, kind: Callable[[str], T], default: T) -> T:
    text = _text(layers, variable)
    try:
        return default if text is None else kind(text)
    except ValueError:
        raise UsageError(
            f"`{variable}` is no number", got=repr(text)[:40], fix=f"set {variable}"
        ) from None


def _text(layers: Layers, variable: str) -> str | None:
    key = variable
    for prefix in _PREFIXES:
        key = key.removeprefix(prefix)
    text = layers.text(variable, key.lower())
    return text.strip() or None if text is not None else None


def _secret(layers: Layers) -> ApiKey | None:
    for layer in (layers.environment, layers.dotenv):
        if layer.get(KEY, "").strip():
            return ApiKey(layer[KEY], KEY)
    return None
