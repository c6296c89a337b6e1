"""Lookup tables of the offline judge: CSV files under `seeds/registries/`, read and hashed."""

from __future__ import annotations

import csv
import functools
import hashlib
from pathlib import Path

from warehouse.errors import InputError

REGISTRIES = Path(__file__).resolve().parents[2] / "seeds" / "registries"


def registry_path(name: str) -> Path:
    """Return the path of a registry, e.g. `audiences`."""
    return REGISTRIES / f"{name}.csv"


@functools.cache
def read_registry(name: str) -> tuple[dict[str, str], ...]:
    """Return the rows of a registry in file order; empty cells are empty strings.

    Raises:
        InputError: when the registry is not there or a row has another width than its header.
    """
    path = registry_path(name)
    try:
        with path.open(encoding="utf-8", newline="") as handle:
            rows = tuple(csv.DictReader(handle))
    except OSError as error:
        raise InputError(
            f"registry `{name}` cannot be read", got=str(error), fix="run from a full checkout"
        ) from None
    for number, row in enumerate(rows, start=2):
        if None in row or None in row.values():
            raise InputError(f"registry `{name}` line {number} has not as many cells as its header")
    return rows


@functools.cache
def word_list(kind: str) -> tuple[str, ...]:
    """Return the words of one kind out of the registry `offline_words`, in their order.

    Raises:
        InputError: when the registry has no such kind.
    """
    for row in read_registry("offline_words"):
        if row["kind"] == kind:
            return tuple(row["words"].split())
    raise InputError(f"registry `offline_words` has no kind `{kind}`")


def words_of(kind: str) -> frozenset[str]:
    """Return `word_list` as a set."""
    return frozenset(word_list(kind))


def registries_sha256(*names: str) -> str:
    """Return one hash over the bytes of several registries, in the order given."""
    digest = hashlib.sha256()
    for name in names:
        digest.update(name.encode("utf-8"))
        digest.update(hashlib.sha256(registry_path(name).read_bytes()).digest())
    return digest.hexdigest()
