"""Hold published releases of SearchGen-Bench against their identities, and our landing of them.

    python -m tests.corpus.check_searchgen DIR

Every folder of DIR with a manifest.json is a release of aggregates. Its numbers must agree with
each other as `searchgen_identities` says; landed, they must be the numbers of the files. Exits
with 1 on any failure, and where there is no release.
"""

from __future__ import annotations

import sys
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any, TextIO

from ingest.searchgen.land import LandOptions, land_published
from tests.corpus.published_boards import (
    NINE,
    OVERALLS,
    TENTH,
    PublishedRelease,
    read_releases,
)
from tests.corpus.searchgen_identities import IDENTITIES, Check
from tests.support.landed import read_landed
from warehouse.paths import WarehousePaths

_SHOWN_FAILURES = 20
_AS_STATED = (
    "display_name",
    "missing_policy",
    "n_total",
    "n_scored",
    "n_included",
    "coverage",
    *OVERALLS,
)
Key = tuple[Any, ...]


def say(line: str, stream: TextIO | None = None) -> None:
    (stream or sys.stdout).write(line + "\n")


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        say("usage: python -m tests.corpus.check_searchgen DIR", sys.stderr)
        return 2
    releases = read_releases(Path(arguments[0]))
    failures: list[str] = []
    for release in releases:
        for identity in IDENTITIES:
            failures += tell(release, identity(release))
        failures += tell(release, landed_as_published(release))
    say(f"{len(releases)} releases, {len(failures)} failures")
    for failure in failures[:_SHOWN_FAILURES]:
        say(f"  {failure}")
    return 1 if failures or not releases else 0


def tell(release: PublishedRelease, check: Check) -> list[str]:
    """Print the line of one check and return its failures with the release's name."""
    largest = f"largest {float(check.largest):.4f}" if check.largest else ""
    verdict = f"{len(check.failures)} FAILED" if check.failures else "ok"
    if not check.compared:
        verdict = "nothing to compare"
    notes = ", ".join(part for part in (largest, check.note) if part)
    say(f"{release.name:<10} {check.name:<58} {check.compared:>6}  {verdict}  {notes}".rstrip())
    return [f"{release.name}: {check.name}: {one}" for one in check.failures]


def landed_as_published(release: PublishedRelease) -> Check:
    """Land the folder and compare every landed row with the row of the file."""
    check = Check("landed rows are those of the files")
    with tempfile.TemporaryDirectory(prefix="podium-published-") as folder:
        paths = WarehousePaths(Path(folder))
        report = land_published(paths, folder=release.folder, options=LandOptions())
        check.failures += [str(one) for one in (*report.rejects, *report.findings)]
        landed = read_landed(paths, "searchgen.published_aggregates")
    keys = ("artifact", "slice", "view", "group_name", "row_position")
    found = {tuple(row[key] for key in keys): _landed_row(row) for row in landed}
    wanted = dict(_published_rows(release))
    check.same(len(landed), len(wanted), "number of rows")
    for key in sorted(set(found) | set(wanted)):
        check.same(found.get(key), wanted.get(key), " ".join(map(str, key)))
    return check


def _published_rows(release: PublishedRelease) -> list[tuple[Key, dict[str, Any]]]:
    models = release.manifest["models"]
    rows = []
    for group in release.groups:
        for position, row in enumerate(group.rows, start=1):
            wanted = {name: row[name] for name in _AS_STATED}
            wanted |= {"model_id": row["model_id"], "model_type": row["type"]}
            wanted["source_id"] = models[row["model_id"]]["source_id"]
            for name in (*NINE, TENTH):
                wanted[name] = row["components"].get(name)
                wanted[f"{name}_count"] = row["component_counts"].get(name)
            rows.append(((group.file, group.slice, group.view, group.name, position), wanted))
    return rows


def _landed_row(row: dict[str, Any]) -> dict[str, Any]:
    names = ("model_id", "model_type", "source_id", *_AS_STATED)
    components = [part for name in (*NINE, TENTH) for part in (name, f"{name}_count")]
    exact = {name: row[name] for name in (*names, *components)}
    return {
        name: Fraction(str(value)) if isinstance(value, float) else value
        for name, value in exact.items()
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
