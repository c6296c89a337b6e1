"""Manifests: the commit points of imports.

One manifest per (benchmark, unit, shard) names all files of an import. It is written last
and renamed into place, so all tables of an import become visible together or not at all.
Relations are built from manifests, never from a glob: a file that no manifest names does
not exist for a reader. Decision: docs/decisions/0008-file-manifests.md.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from warehouse import jsonl, storage
from warehouse.errors import InputError
from warehouse.paths import WarehousePaths

MANIFEST_VERSION = 1
WHOLE = "0-of-1"


@dataclass(frozen=True, order=True)
class InputFile:
    """One file that an import read: path relative to its root, SHA-256, size in bytes."""

    file: str
    sha256: str
    bytes: int


@dataclass(frozen=True, order=True)
class LandedFile:
    """One Parquet file of an import: path relative to the landing folder.

    `contract_version` repeats the file's footer, so that a reader who knows that version
    need not open the file to learn it.
    """

    table: str
    file: str
    rows: int
    sha256: str
    contract_version: int


@dataclass(frozen=True)
class Manifest:
    """All that one import landed.

    Attributes:
        unit: what was imported together, e.g. `my_cases/probes` or `my_cases/runs/run`.
        source_root: folder that was landed; volatile, never part of a state id.
        input_sha256: hash over all inputs and the settings of the import.
    """

    benchmark: str
    unit: str
    shard: str
    dataset_id: str
    source_root: str
    code_version: str
    input_sha256: str
    inputs: tuple[InputFile, ...]
    files: tuple[LandedFile, ...]

    @property
    def row_counts(self) -> dict[str, int]:
        """Return the rows per table."""
        counts: dict[str, int] = {}
        for one in self.files:
            counts[one.table] = counts.get(one.table, 0) + one.rows
        return counts


def manifest_path(paths: WarehousePaths, benchmark: str, unit: str, shard: str) -> Path:
    """Return where the manifest of a unit stands; any unit name maps to one safe file name."""
    return paths.manifests / benchmark / f"{quote(unit, safe='')}.{shard}.json"


def write(paths: WarehousePaths, manifest: Manifest) -> None:
    """Commit an import: after this returns all its tables are visible."""
    target = manifest_path(paths, manifest.benchmark, manifest.unit, manifest.shard)
    jsonl.write_json(target, {"manifest_version": MANIFEST_VERSION, **asdict(manifest)})


def read(paths: WarehousePaths, benchmark: str, unit: str, shard: str = WHOLE) -> Manifest | None:
    """Return the manifest of a unit, or None when it was never landed."""
    path = manifest_path(paths, benchmark, unit, shard)
    return _parse(path) if path.exists() else None


def read_all(paths: WarehousePaths) -> list[Manifest]:
    """Return all manifests of a warehouse, sorted by benchmark, unit and shard."""
    found = [_parse(path) for path in sorted(paths.manifests.glob("*/*.json"))]
    return sorted(found, key=lambda one: (one.benchmark, one.unit, one.shard))


def state_id(manifests: list[Manifest]) -> str:
    """Return the id of a landing state: same inputs, same id, on any machine.

    Results of gates are left out, since they are made from the state that they check.
    """
    parts = [
        (one.benchmark, one.unit, one.shard, one.input_sha256, sorted(map(asdict_row, one.files)))
        for one in manifests
        if not one.unit.startswith("gates/")
    ]
    return "state_" + hashlib.sha256(jsonl.canonical(parts).encode()).hexdigest()[:20]


def asdict_row(landed: LandedFile) -> list[Any]:
    """Return what a state id takes of one file."""
    return [landed.table, landed.rows, landed.sha256, landed.contract_version]


def _parse(path: Path) -> Manifest:
    try:
        content = jsonl.read_json(path)
        if content.pop("manifest_version") != MANIFEST_VERSION:
            raise KeyError("manifest_version")
        inputs = tuple(InputFile(**one) for one in content.pop("inputs"))
        files = tuple(LandedFile(**one) for one in content.pop("files"))
        return Manifest(**content, inputs=inputs, files=files)
    except (jsonl.StrictJsonError, KeyError, TypeError) as error:
        raise InputError(
            f"manifest `{path.name}` cannot be read",
            expected=f"a manifest of version {MANIFEST_VERSION}",
            got=str(error),
            fix="remove that file and land its unit again",
        ) from error


def hash_inputs(inputs: list[InputFile], settings: dict[str, Any]) -> str:
    """Return one hash over all input files and the settings of an import."""
    parts = [[one.file, one.sha256] for one in sorted(inputs)]
    return hashlib.sha256(jsonl.canonical([parts, settings]).encode()).hexdigest()


def hash_file(path: Path, root: Path) -> InputFile:
    """Return the input record of one file, its path relative to `root`."""
    return InputFile(
        path.relative_to(root).as_posix(), storage.sha256_file(path), path.stat().st_size
    )
