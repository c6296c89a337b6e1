"""The user's mapping of found decks to cases: `path,system_id,condition,audience,case_label`."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from ingest.xslides.tree import AGNOSTIC, CONDITIONS, DeckKey, check_name
from warehouse.errors import InputError
from warehouse.findings import Finding, Outcome

COLUMNS = ("path", "system_id", "condition", "audience", "case_label")
MAX_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class DeckMapping:
    """What a mapping says.

    Attributes:
        file: the mapping file as given.
        keys: deck keys by path below the imported folder, normalised by `mapped_path`.
        lines: line of each path.
        findings: rows that cannot be used.
    """

    file: str = ""
    keys: dict[str, DeckKey] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()

    def unused(self, used: Collection[str]) -> list[Finding]:
        """Return a finding for each row whose path was not met."""
        return [
            Finding(
                "mapping_row_is_used",
                path,
                "nothing was found at this path",
                self.file,
                self.lines[path],
                Outcome.INCOMPLETE,
            )
            for path in self.keys
            if path not in used
        ]


def read_mapping(path: Path, cases: Collection[str], audiences: Collection[str]) -> DeckMapping:
    """Read a mapping; an empty condition is `agnostic`.

    Args:
        path: the CSV file.
        cases: labels that exist.
        audiences: audiences that exist.

    Raises:
        InputError: when the file cannot be read or lacks a column.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ValueError(f"more than {MAX_BYTES} bytes")
        reader = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig")))
        missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
        if missing:
            raise ValueError(f"columns missing: {', '.join(missing)}")
        rows = [(reader.line_num, row) for row in reader]
    except (OSError, ValueError, csv.Error) as error:
        raise InputError(
            f"mapping `{path}` cannot be read", expected=", ".join(COLUMNS), got=str(error)
        ) from None
    keys: dict[str, DeckKey] = {}
    lines: dict[str, int] = {}
    findings = []
    for line, cells in rows:
        values = {name: (cells.get(name) or "").strip() for name in COLUMNS}
        try:
            place = mapped_path(values["path"])
            if place in keys:
                raise InputError(f"`{place}` stands twice")
            keys[place] = _key(values, cases, audiences)
        except InputError as error:
            subject = values["path"][:200] or "no path"
            findings.append(Finding("mapping_row_is_valid", subject, error.what, str(path), line))
        else:
            lines[place] = line
    return DeckMapping(str(path), keys, lines, tuple(findings))


def mapped_path(text: str) -> str:
    """Return a relative path in the form that mappings are compared in.

    Raises:
        InputError: when it is empty, absolute or leads upwards.
    """
    path = PurePosixPath(unicodedata.normalize("NFC", text.replace("\\", "/")))
    if not text or path.is_absolute() or ".." in path.parts or "\0" in text:
        raise InputError("the path is not one below the imported folder")
    return path.as_posix()


def _key(values: dict[str, str], cases: Collection[str], audiences: Collection[str]) -> DeckKey:
    label = unicodedata.normalize("NFC", values["case_label"])
    found = [case for case in cases if unicodedata.normalize("NFC", case) == label]
    if not found:
        raise InputError(f"`{label}` is no case")
    condition = values["condition"] or AGNOSTIC
    if condition not in CONDITIONS:
        raise InputError(f"`{condition}` is no condition")
    audience = AGNOSTIC if condition == AGNOSTIC else values["audience"]
    if condition != AGNOSTIC and audience not in audiences:
        raise InputError(f"`{audience}` is no audience")
    return DeckKey(check_name("system id", values["system_id"]), condition, audience, found[0])
