"""Metrics files that another tool wrote: where they lie under a data root, which are ours.

Two layouts (seed: Metrics JSON):

    metrics/<system>/<audience>/<case>.json     compact; neither run nor condition in the path
    any folder with metrics.json beside run_manifest.json     a full evaluate folder

The evaluation folders of an artifact tree are full folders too. A path speaks where it
holds `runs/<run>/`, or ends in `<system>/<condition>/<audience>/<case>/`.
"""

from __future__ import annotations

import csv
import io
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ingest.land_fields import FileReader
from ingest.xslides.land_manifests import UNSTATED, manifest_path
from ingest.xslides.metrics import METRICS_FILE, PRODUCER
from ingest.xslides.tree import CONDITIONS, ArtifactTree, is_plain_file
from warehouse import identity, jsonl, manifests
from warehouse.contracts.xslides_imported import IMPORTED_METRICS
from warehouse.jsonl import StrictJsonError
from warehouse.paths import WarehousePaths

COMPACT_FOLDER = "metrics"
MAPPING_FILE = "system_mapping.csv"
MAPPING_COLUMNS = ("system_id", "mapped_system_id", "condition")
# Folders that hold no results: inputs of the judge, decks, raw replies, caches.
_SKIPPED_FOLDERS = frozenset({"raw", "correctness_cache", "deck_generation"})
_SKIPPED_AT_TOP = frozenset({"sources", "probes"})

Mapping = dict[str, tuple[str, str]]


@dataclass(frozen=True)
class ImportedFile:
    """One foreign metrics file.

    Attributes:
        path: the file.
        parts: its path below the data root.
        manifest: the run manifest beside it, or None.
        run: run that path or manifest name; None when neither does.
    """

    path: Path
    parts: tuple[str, ...]
    manifest: Path | None
    run: str | None

    @property
    def is_compact(self) -> bool:
        """Return whether the file belongs to the compact layout."""
        return self.manifest is None and self.parts[0] == COMPACT_FOLDER and len(self.parts) > 1

    @property
    def path_run(self) -> str | None:
        """Return the run that the path names."""
        return self.parts[1] if self.parts[0] == "runs" and len(self.parts) > 2 else None

    @property
    def path_key(self) -> tuple[str, str, str, str] | None:
        """Return system, condition, audience and case folder when the path names them."""
        folders = self.parts[:-1]
        if len(folders) < 4 or folders[-3] not in CONDITIONS:
            return None
        return folders[-4], folders[-3], folders[-2], folders[-1]


def find_imported(tree: ArtifactTree) -> list[ImportedFile]:
    """Return the foreign metrics files below a data root, sorted by path; ours are left out."""
    found = []
    for path in sorted(_candidates(tree.root)):
        if not is_own(path):
            beside = manifest_path(path.parent)
            manifest = beside if path.name == METRICS_FILE and is_plain_file(beside) else None
            parts = path.relative_to(tree.root).parts
            one = ImportedFile(path, parts, manifest, None)
            run = one.path_run or (_manifest_run(manifest) if manifest else None)
            found.append(ImportedFile(path, parts, manifest, run))
    return found


def by_run(files: list[ImportedFile]) -> dict[str, list[ImportedFile]]:
    """Return files by the name of their run, `unstated` where none is named."""
    groups: dict[str, list[ImportedFile]] = {}
    for one in files:
        groups.setdefault(one.run or UNSTATED, []).append(one)
    return groups


def is_own(path: Path) -> bool:
    """Return whether Podium wrote a metrics file: our numbers never come back as imported."""
    try:
        return jsonl.read_json(path).get("producer") == PRODUCER
    except (StrictJsonError, OSError):
        return False


def input_paths(tree: ArtifactTree, files: list[ImportedFile]) -> list[Path]:
    """Return all files that the rows of some metrics files hang on, sorted."""
    paths = {one.path for one in files} | {one.manifest for one in files if one.manifest}
    paths |= {tree.source_metadata(label) for label in tree.case_labels()}
    paths.add(tree.root / MAPPING_FILE)
    return sorted(path for path in paths if path.is_file())


def unit_of(dataset_id: str, run: str) -> str:
    """Return the landing unit of the imported metrics of one run."""
    return f"{dataset_id}/metrics/{run}"


def landed_runs(paths: WarehousePaths, dataset_id: str) -> set[str]:
    """Return the runs whose imported metrics are landed: files that vanished are a loss."""
    units = [one.unit for one in manifests.read_all(paths) if one.benchmark == "xslides"]
    prefix = unit_of(dataset_id, "")
    return {unit.removeprefix(prefix) for unit in units if unit.startswith(prefix)}


def read_mapping(reader: FileReader) -> Mapping:
    """Return (system, condition) by the system id that encodes both.

    A row that lacks a value, names another condition or repeats a system id is a reject.
    """
    path = reader.root / MAPPING_FILE
    if not path.is_file():
        return {}
    try:
        lines = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig")))
        if tuple(lines.fieldnames or ()) != MAPPING_COLUMNS:
            raise ValueError(f"columns are not {', '.join(MAPPING_COLUMNS)}")
        rows = [(lines.line_num, row) for row in lines]
    except (OSError, ValueError, csv.Error) as error:
        reader.reject(IMPORTED_METRICS.table, path, "unreadable_file", MAPPING_FILE, str(error))
        return {}
    found: list[tuple[int, list[str]]] = []
    for line, row in rows:
        cells = [identity.normalize_label((row.get(one) or "").strip()) for one in MAPPING_COLUMNS]
        if all(cells) and cells[2] in CONDITIONS:
            found.append((line, cells))
        else:
            message = f"expected {', '.join(MAPPING_COLUMNS)}, condition one of {CONDITIONS}"
            _reject_row(reader, "invalid_mapping", cells[0] or f"line {line}", message, line)
    counts = Counter(cells[0] for _, cells in found)
    for line, cells in found:
        if counts[cells[0]] > 1:
            message = f"{counts[cells[0]]} rows map this system; none of them counts"
            _reject_row(reader, "duplicate_row", cells[0], message, line)
    return {cells[0]: (cells[1], cells[2]) for _, cells in found if counts[cells[0]] == 1}


def _candidates(root: Path) -> Iterator[Path]:
    for folder, names, files in os.walk(root):
        here = Path(folder)
        parts = here.relative_to(root).parts
        names[:] = [name for name in names if not _is_skipped(parts, name)]
        is_compact = parts[:1] == (COMPACT_FOLDER,)
        for name in files:
            is_result = name == METRICS_FILE or (
                is_compact and name.endswith(".json") and name != manifest_path(here).name
            )
            if is_result and is_plain_file(here / name):
                yield here / name


def _is_skipped(parts: tuple[str, ...], name: str) -> bool:
    at_top = not parts and name in _SKIPPED_AT_TOP
    decks = len(parts) == 2 and parts[0] == "runs" and name == "decks"
    return name.startswith(".") or name in _SKIPPED_FOLDERS or at_top or decks


def _manifest_run(path: Path) -> str | None:
    try:
        run = jsonl.read_json(path).get("run")
    except (StrictJsonError, OSError):
        return None
    return identity.normalize_label(run) if isinstance(run, str) and run.strip() else None


def _reject_row(reader: FileReader, reason: str, subject: str, message: str, line: int) -> None:
    path = reader.root / MAPPING_FILE
    reader.reject(IMPORTED_METRICS.table, path, reason, subject, message, line)
