"""What MinerU made of a file, kept for good: a file that was parsed once is never sent again.

One file an entry, named by its key and written whole; it carries a hash of its content, so that
a torn or altered entry is known and made anew. Beside the entries stand the batches that were
handed in and not fetched yet, so that a killed run goes on waiting instead of paying twice.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ingest.documents.policy import MIB
from ingest.mineru.outcome import Parsed
from ingest.mineru.settings import ParseOptions
from warehouse import jsonl, storage
from warehouse.paths import WarehousePaths

ENTRY_VERSION = 1
# Text of 16 MiB, every character escaped.
_MOST_BYTES = 100 * MIB


@dataclass(frozen=True)
class Batch:
    """A batch of the hosted API that is not fetched yet.

    Attributes:
        batch_id: as the API told it.
        base_url: the address that knows it.
        is_uploaded: whether the upload was seen to end well.
    """

    batch_id: str
    base_url: str
    is_uploaded: bool


class MarkdownCache:
    """The entries of one folder; made with the first one.

    Processes may share it: entries of one key are alike, and the last one written stays.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, source_sha256: str, options: ParseOptions) -> Parsed | None:
        """Return what was made of a file; None when nothing is kept, or it is damaged."""
        entry = _checked(self._entry_file(source_sha256, options))
        if entry is None or {name: entry.get(name) for name in _KEY} != _key(
            source_sha256, options
        ):
            return None
        markdown, version = entry.get("markdown"), entry.get("version")
        if not isinstance(markdown, str) or not isinstance(version, str):
            return None
        return Parsed(markdown, version)

    def put(self, source_sha256: str, options: ParseOptions, parsed: Parsed) -> None:
        """Keep what was made of a file, and forget its batch.

        Raises:
            OSError: when the disk does not take it.
        """
        entry = {**_key(source_sha256, options), **asdict(parsed)}
        _write(self._entry_file(source_sha256, options), entry)
        self.forget_batch(source_sha256, options)

    def batch(self, source_sha256: str, options: ParseOptions, base_url: str) -> Batch | None:
        """Return the batch of a file that an address knows and nobody has fetched."""
        entry = _checked(self._batch_file(source_sha256, options))
        if entry is None or entry.get("base_url") != base_url:
            return None
        batch_id, is_uploaded = entry.get("batch_id"), entry.get("is_uploaded")
        if not isinstance(batch_id, str) or not isinstance(is_uploaded, bool):
            return None
        return Batch(batch_id, base_url, is_uploaded)

    def note_batch(self, source_sha256: str, options: ParseOptions, batch: Batch) -> None:
        """Note a batch durably.

        Raises:
            OSError: when the disk does not take it.
        """
        _write(self._batch_file(source_sha256, options), asdict(batch))

    def forget_batch(self, source_sha256: str, options: ParseOptions) -> None:
        """Forget the batch of a file, if there is one."""
        self._batch_file(source_sha256, options).unlink(missing_ok=True)

    def __bool__(self) -> bool:
        """Return whether anything is kept."""
        return self.folder.is_dir() and any(self.folder.glob("*.json"))

    def _entry_file(self, source_sha256: str, options: ParseOptions) -> Path:
        return self.folder / f"{_name(source_sha256, options)}.json"

    def _batch_file(self, source_sha256: str, options: ParseOptions) -> Path:
        return self.folder / f"{_name(source_sha256, options)}.batch"


def default_folder(paths: WarehousePaths) -> Path:
    """Return where a warehouse keeps what MinerU made; no tree, since several may share it."""
    return paths.root / "mineru_cache"


_KEY = ("entry_version", "source_sha256", "api", "model", "language")


def _key(source_sha256: str, options: ParseOptions) -> dict[str, Any]:
    values = (ENTRY_VERSION, source_sha256, options.api.value, options.model, options.language)
    return dict(zip(_KEY, values, strict=True))


def _name(source_sha256: str, options: ParseOptions) -> str:
    return storage.sha256_bytes(jsonl.canonical(_key(source_sha256, options)).encode("utf-8"))


def _write(path: Path, entry: dict[str, Any]) -> None:
    jsonl.write_json(path, {"sha256": _digest(entry), "entry": entry})


def _digest(entry: dict[str, Any]) -> str:
    return storage.sha256_bytes(jsonl.canonical(entry).encode("utf-8"))


def _checked(path: Path) -> dict[str, Any] | None:
    """Return the content of a file of ours; None when it is absent, torn or altered."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            return None
        held = jsonl.parse(path.read_bytes())
    except (OSError, jsonl.StrictJsonError):
        return None
    entry = held.get("entry") if isinstance(held, dict) else None
    if not isinstance(entry, dict) or held.get("sha256") != _digest(entry):
        return None
    return entry
