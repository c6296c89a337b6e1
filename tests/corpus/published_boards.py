"""Published releases of SearchGen-Bench, read with nothing of the project's own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

NINE = (
    "checklist",
    "rubric_adaptive",
    "prompt_faithfulness",
    "image_quality",
    "text_rendering",
    "ai_naturalness",
    "composition_and_aesthetics",
    "physical_plausibility",
    "visual_reference_evaluation",
)
TENTH = "text_reference_evaluation"
SINGLE_SCORES = (*NINE[2:], TENTH)
"""Components that are one judge score a prompt, not a mean of items."""
OVERALLS = ("overall_9", "overall_10")
FILES = {
    "overall": "leaderboard_overall.json",
    "stratum": "leaderboard_by_stratum.json",
    "domain": "leaderboard_by_domain.json",
    "failure_mode": "leaderboard_by_failure_mode.json",
}
SLICE_FILE = "leaderboard_by_slice.json"
SLICE_VIEWS = {
    "overall": "overall",
    "strata": "stratum",
    "domains": "domain",
    "failure_modes": "failure_mode",
}
WHOLE = "all"


@dataclass(frozen=True)
class Group:
    """Rows of one group: one a model, as they stand in one file."""

    file: str
    slice: str
    view: str
    name: str
    rows: tuple[dict[str, Any], ...]

    def place(self, model: str) -> str:
        return f"{self.file} {self.slice}/{self.view}/{self.name} {model}"


@dataclass(frozen=True)
class PublishedRelease:
    """One folder: its manifest, and its groups file by file."""

    name: str
    folder: Path
    manifest: dict[str, Any]
    groups: tuple[Group, ...]

    @property
    def primary_metric(self) -> str:
        """What rows are ordered by; the first shape does not say it and means Overall-9."""
        return str(self.manifest["scoring"].get("primary_metric", OVERALLS[0]))

    def by_view(self, view: str, *, file: str | None = None) -> Iterator[Group]:
        for group in self.groups:
            if group.view == view and file in (None, group.file):
                yield group

    def strata(self) -> Iterator[dict[str, dict[str, dict[str, Any]]]]:
        """Yield the rows of the five strata by model, file by file and slice by slice."""
        sets: dict[tuple[str, str], dict[str, dict[str, dict[str, Any]]]] = {}
        for group in self.by_view("stratum"):
            rows = {row["model_id"]: row for row in group.rows}
            sets.setdefault((group.file, group.slice), {})[group.name] = rows
        yield from sets.values()


def read_releases(root: Path) -> list[PublishedRelease]:
    """Return the releases below a folder: every folder in it with a manifest.json."""
    folders = sorted(path.parent for path in root.glob("*/manifest.json"))
    return [read_release(folder) for folder in folders]


def read_release(folder: Path) -> PublishedRelease:
    """Return one release; numbers become exact fractions of their decimal text."""
    manifest = _json(folder / "manifest.json")
    groups = []
    for view, file in FILES.items():
        found = _json(folder / file)
        named = {"All": found} if isinstance(found, list) else found
        groups += [Group(file, WHOLE, view, name, tuple(rows)) for name, rows in named.items()]
    if (folder / SLICE_FILE).exists():
        whole = manifest["output_slice"]
        for slice_name, views in _json(folder / SLICE_FILE).items():
            shown = WHOLE if slice_name == whole else slice_name
            for key, found in views.items():
                named = {"All": found} if isinstance(found, list) else found
                groups += [
                    Group(SLICE_FILE, shown, SLICE_VIEWS[key], name, tuple(rows))
                    for name, rows in named.items()
                ]
    return PublishedRelease(folder.name, folder, manifest, tuple(groups))


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"), parse_float=Fraction)
