"""Releases: promoted states that were green, kept under their name for good.

A release is a folder beside the states that holds the same files, as hard links where the
file system has them, and `release.json`, which says when, from which rows and rules, and with
which verdict. `latest` is a link that is replaced in one rename, like `current`. A release is
never changed; only the oldest ones go. Decision: docs/decisions/0013-releases.md.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from warehouse import jsonl, standing, states, storage
from warehouse.errors import InputError, UsageError
from warehouse.findings import Outcome
from warehouse.paths import WarehousePaths
from warehouse.standing import Standing

RELEASE_FILE = "release.json"
RELEASE_VERSION = 1
DEFAULT_KEEP = 10
_READ_ONLY = 0o444


@dataclass(frozen=True)
class Release:
    """One release: its folder and what its `release.json` says."""

    folder: Path
    record: dict[str, Any]

    @property
    def name(self) -> str:
        """Return the folder's name, `<release_id>-<landing suffix>`."""
        return self.folder.name


@dataclass(frozen=True)
class Publication:
    """How publishing ended.

    Attributes:
        release: the release that `latest` names now.
        is_new: whether its folder was made now.
        is_moved: whether `latest` named another one before.
        retired: names of the releases that went.
    """

    release: Release
    is_new: bool
    is_moved: bool
    retired: tuple[str, ...]


def standing_of_current(paths: WarehousePaths) -> Standing:
    """Return what stands about the state that `current` names.

    Raises:
        InputError: when nothing is promoted, or no verdict speaks of this very state.
    """
    state = states.current(paths)
    if state is None:
        raise InputError(
            f"nothing is built in `{paths.root}`",
            fix="podium build, or podium xslides run CASES --decks DECKS",
        )
    known = standing.read(paths)
    # Equal numbers out of other files share a release id, but not a folder.
    if known is None or not state.folder.name.endswith(f"-{known.landing_state_id[-8:]}"):
        raise InputError(
            f"no verdict stands for `{state.folder.name}`",
            expected="a build that ended with its gates",
            fix="podium build --force",
        )
    return known


def is_publishable(verdict: dict[str, Any], *, allow_incomplete: bool) -> bool:
    """Return whether a verdict lets a state become a release."""
    code = verdict["exit_code"]
    return code == 0 or (allow_incomplete and code == Outcome.INCOMPLETE.exit_code)


def publish(
    paths: WarehousePaths,
    known: Standing,
    *,
    code_version: str,
    published_at: str,
    keep: int = DEFAULT_KEEP,
    allow_incomplete: bool = False,
) -> Publication:
    """Make a release of `current`. The caller holds the build lock.

    Args:
        paths: the warehouse.
        known: what `standing_of_current` returned.
        code_version: version of the code that publishes.
        published_at: time in UTC, ISO 8601; the one volatile entry of the release.
        keep: releases that stay, counted from the newest, at least 1. Those that `latest`
            or `current` name stay in any case.
        allow_incomplete: also publish what is incomplete; the release says so.

    Raises:
        UsageError: when the verdict does not allow it.
        InputError: when the state lacks files or rows that its record promises.
    """
    if not is_publishable(known.verdict, allow_incomplete=allow_incomplete):
        raise UsageError(
            f"`{known.release_id}` cannot be published", got=str(known.verdict["outcome"])
        )
    paths.releases.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(paths)
    source = paths.current.resolve()
    final = paths.releases / source.name
    is_new = not (final / RELEASE_FILE).is_file()
    if is_new:
        _make(paths, source, final, _record(paths, known, source, code_version, published_at))
    is_moved = paths.latest.resolve().name != final.name
    if is_moved:
        storage.replace_link(paths.latest, final)
    return Publication(read_release(final), is_new, is_moved, _retire(paths, keep))


def read_release(folder: Path) -> Release:
    """Return one release.

    Raises:
        InputError: when its record cannot be read.
    """
    try:
        return Release(folder, jsonl.read_json(folder / RELEASE_FILE))
    except (OSError, jsonl.StrictJsonError) as error:
        raise InputError(
            f"release `{folder.name}` has no readable {RELEASE_FILE}",
            got=str(error),
            fix=f"remove `{folder}` and publish it again",
        ) from error


def read_all(paths: WarehousePaths) -> list[Release]:
    """Return all releases in the order of their publication.

    The order is a number in the record and no time: clocks are set back.
    """
    found = [read_release(one) for one in paths.releases.glob("release_*")]
    return sorted(found, key=lambda one: (one.record["ordinal"], one.name))


def damaged_files(release: Release) -> list[str]:
    """Return the files of a release that are gone or no longer have their hash, sorted."""
    return [
        name
        for name, content in sorted(release.record["files"].items())
        if not (release.folder / name).is_file()
        or storage.sha256_file(release.folder / name) != content["sha256"]
    ]


def resolve(paths: WarehousePaths, name: str) -> Path:
    """Return the folder of a state or release.

    Args:
        paths: the warehouse.
        name: `current`, `latest`, a folder name, or a release id. Of several folders with one
            id, whose numbers are the same, the current one wins, then the newest.

    Raises:
        InputError: when there is none of this name.
    """
    links = {"current": paths.current, "latest": paths.latest}
    if name in links:
        folder = links[name].resolve()
        if not (folder / states.STATE_FILE).is_file():
            raise InputError(
                f"there is no `{name}` in `{paths.root}`",
                fix="podium build" if name == "current" else "podium publish",
            )
        return folder
    by_age = sorted(paths.states.glob("release_*"), key=lambda one: (promoted_at(one), one.name))
    known = [*by_age, *(one.folder for one in read_all(paths))]
    found = [one for one in known if one.name == name or one.name.startswith(f"{name}-")]
    if not found:
        names = ", ".join(sorted({one.name for one in known}))
        raise InputError(
            f"release `{name}` is not in `{paths.root}`",
            expected=names or "a promoted state",
            fix="podium releases lists them",
        )
    current = paths.states / paths.current.resolve().name
    return current if current in found else found[-1]


def promoted_at(folder: Path) -> int:
    """Return when a state was promoted, in nanoseconds; 0 for a folder that is none."""
    record = folder / states.STATE_FILE
    return record.stat().st_mtime_ns if record.exists() else 0


def _record(
    paths: WarehousePaths, known: Standing, source: Path, code_version: str, published_at: str
) -> dict[str, Any]:
    state = jsonl.read_json(source / states.STATE_FILE)
    before = read_all(paths)
    return {
        "release_version": RELEASE_VERSION,
        "release_id": known.release_id,
        "name": source.name,
        "ordinal": before[-1].record["ordinal"] + 1 if before else 1,
        "published_at": published_at,
        "is_incomplete": known.verdict["exit_code"] != 0,
        "verdict": known.verdict,
        "landing_state_id": known.landing_state_id,
        "project_sha256": known.project_sha256,
        "code_version": code_version,
        "duckdb_version": state["duckdb_version"],
        "marts": state["marts"],
    }


def _make(paths: WarehousePaths, source: Path, final: Path, record: dict[str, Any]) -> None:
    """Fill a temporary folder with the state's files and rename it into place."""
    _check_whole(source, record["marts"])
    if final.exists():
        # A folder without its record is none of ours to keep: it was never complete.
        _remove(paths, final)
    scratch = paths.releases / f"{storage.TEMPORARY_PREFIX}release"
    scratch.mkdir()
    files = {}
    for file in sorted(source.rglob("*")):
        if file.is_file():
            target = scratch / file.relative_to(source)
            _link(file, target)
            files[file.relative_to(source).as_posix()] = {
                "sha256": storage.sha256_file(target),
                "bytes": target.stat().st_size,
            }
    jsonl.write_json(scratch / RELEASE_FILE, {**record, "files": files})
    for folder in (scratch, *(one for one in scratch.rglob("*") if one.is_dir())):
        storage.sync_folder(folder)
    scratch.rename(final)
    storage.sync_folder(paths.releases)


def _check_whole(source: Path, marts: dict[str, Any]) -> None:
    """Refuse a state whose files do not hold what its record promises."""
    for name, content in marts.items():
        path = source / "marts" / f"{name}.parquet"
        found = pq.read_metadata(path).num_rows if path.is_file() else None
        if found != content["rows"]:
            raise InputError(
                f"state `{source.name}` is not whole: mart `{name}`",
                expected=f"{content['rows']} rows",
                got="no file" if found is None else f"{found} rows",
                fix="podium vacuum, then podium build --force",
            )


def _link(file: Path, target: Path) -> None:
    """Give a file a second name; copy it where the file system cannot."""
    target.parent.mkdir(parents=True, exist_ok=True)
    # Both names are one file: writing to the state would write to the release.
    file.chmod(_READ_ONLY)
    try:
        os.link(file, target)
    except OSError:
        shutil.copy2(file, target)
        storage.sync_file(target)


def _retire(paths: WarehousePaths, keep: int) -> tuple[str, ...]:
    """Remove all but the newest releases and those that a link names."""
    named = {paths.latest.resolve().name, paths.current.resolve().name}
    old = [one for one in read_all(paths)[:-keep] if one.name not in named]
    for release in old:
        _remove(paths, release.folder)
    return tuple(one.name for one in old)


def _remove(paths: WarehousePaths, folder: Path) -> None:
    """Remove a folder so that no reader ever finds half of it."""
    doomed = paths.releases / f"{storage.TEMPORARY_PREFIX}{folder.name}"
    folder.rename(doomed)
    shutil.rmtree(doomed)


def _remove_leftovers(paths: WarehousePaths) -> None:
    for leftover in paths.releases.glob(f"{storage.TEMPORARY_PREFIX}*"):
        shutil.rmtree(leftover)
