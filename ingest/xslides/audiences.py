"""Audiences: who decks are judged for, out of the registry or the user's own CSV."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from ingest.judge.exchange import AudienceProfile
from ingest.judge.offline_registry import registry_path
from ingest.xslides.stage import fingerprint
from ingest.xslides.tree import AGNOSTIC, check_name
from warehouse import storage
from warehouse.errors import InputError

COLUMNS = ("audience", "title", "expertise", "minutes", "description")
EXPERTISE = ("expert", "intermediate", "non_technical")


def read_audiences(path: Path | None = None) -> tuple[AudienceProfile, ...]:
    """Read audience profiles from a CSV with the columns `COLUMNS`, in file order.

    Args:
        path: the user's file; None takes the registry that ships with the project.

    Raises:
        InputError: when the file cannot be read, lacks a column or a value, repeats an
            audience, or names an expertise outside `EXPERTISE`.
    """
    path = registry_path("audiences") if path is None else path
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"audiences `{path}` cannot be read", got=str(error)) from None
    reader = csv.DictReader(io.StringIO(text))
    missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
    if missing:
        raise InputError(
            f"audiences `{path}` lack columns", expected=", ".join(COLUMNS), got=", ".join(missing)
        )
    profiles = tuple(_profile(row, path, reader.line_num) for row in reader)
    names = [profile.audience for profile in profiles]
    if not profiles or len(set(names)) != len(names):
        raise InputError(f"audiences `{path}` must hold at least one audience, each once")
    return profiles


def write_audiences(path: Path, profiles: Iterable[AudienceProfile]) -> None:
    """Write profiles as a CSV that `read_audiences` reads, atomically; equal bytes are kept."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for profile in profiles:
        writer.writerow({**asdict(profile), "minutes": f"{profile.minutes:g}"})
    content = buffer.getvalue().encode("utf-8")
    if not path.is_file() or path.read_bytes() != content:
        storage.write_bytes(path, content)


def audience_sha256(profile: AudienceProfile) -> str:
    """Return the hash of everything that a judge is told about an audience."""
    return fingerprint(asdict(profile))


def _profile(row: dict[str, str], path: Path, line: int) -> AudienceProfile:
    name = check_name("audience", row["audience"] or "")
    try:
        minutes = float(row["minutes"])
    except (TypeError, ValueError):
        minutes = math.nan
    if name == AGNOSTIC or row["expertise"] not in EXPERTISE or not 0 < minutes < 1440:
        raise InputError(
            f"audience `{name}` in `{path}` line {line} is not usable",
            expected=f"a name other than `{AGNOSTIC}`, minutes above 0 and an expertise out of "
            + ", ".join(EXPERTISE),
            got=f"minutes `{row['minutes']}`, expertise `{row['expertise']}`",
        )
    return AudienceProfile(
        name, row["title"] or name, row["expertise"], minutes, row["description"] or ""
    )
