"""What the build file holds, so that a build does again only what its rows touch.

The record is written after a whole green build and removed before dbt touches the file, so a
killed or failed build leaves none and the next one starts from an empty file. The tables of
models that no changed relation feeds are those that a whole build would make, since models
are functions of their relations.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from warehouse import jsonl, storage
from warehouse.paths import WarehousePaths
from warehouse.relations import LandingState

_FILE = "built.json"


@dataclass(frozen=True)
class Built:
    """Rules and rows of the build file.

    Attributes:
        project_sha256: SQL project and settings that built it.
        relations: hash of the files of each relation, by `<schema>.<name>`.
    """

    project_sha256: str
    relations: dict[str, str]


def built_from(project_sha256: str, state: LandingState) -> Built:
    """Return the record of a build of these rules from this landing state."""
    return Built(
        project_sha256,
        {
            f"{one.schema}.{one.name}": storage.sha256_bytes(
                jsonl.canonical([one.files, one.has_older_files]).encode()
            )
            for one in state.relations
        },
    )


def read(paths: WarehousePaths) -> Built | None:
    """Return what the build file holds, or None when that is not known."""
    if not paths.build_file.is_file():
        return None
    try:
        return Built(**jsonl.read_json(paths.build / _FILE))
    except (OSError, TypeError, jsonl.StrictJsonError):
        return None


def forget(paths: WarehousePaths) -> None:
    """Remove the record: what comes now may leave the build file half done."""
    (paths.build / _FILE).unlink(missing_ok=True)


def write(paths: WarehousePaths, built: Built) -> None:
    """Record what the build file holds."""
    jsonl.write_json(paths.build / _FILE, asdict(built))


def changed_sources(before: Built | None, now: Built) -> tuple[str, ...] | None:
    """Return the relations whose files are others now, sorted; None asks for a whole build."""
    if before is None or before.project_sha256 != now.project_sha256:
        return None
    if set(before.relations) != set(now.relations):
        return None
    return tuple(
        name for name, digest in sorted(now.relations.items()) if before.relations[name] != digest
    )
