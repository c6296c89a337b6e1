"""Where things stand inside one warehouse root."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

PROJECT_ROOT = Path(__file__).resolve().parent.parent
"""Folder of dbt_project.yml, models/, macros/ and seeds/."""


@dataclass(frozen=True)
class WarehousePaths:
    """Folders of one warehouse. Two roots never share a file, so two warehouses never meet."""

    root: Path

    @property
    def landing(self) -> Path:
        """Immutable Parquet files, named by content."""
        return self.root / "landing"

    @property
    def manifests(self) -> Path:
        """Commit points of imports: one JSON file per unit and shard."""
        return self.landing / "_manifests"

    @property
    def trees(self) -> Path:
        """Artifact trees that the pipeline makes from loose documents."""
        return self.root / "trees"

    @property
    def build(self) -> Path:
        """Build file, dbt target, logs: all that a build may leave half-done."""
        return self.root / "build"

    @property
    def build_file(self) -> Path:
        """The one DuckDB file that dbt builds into."""
        return self.build / "build.duckdb"

    @property
    def relations_file(self) -> Path:
        """Which files make up which landing relation, for the build in progress."""
        return self.build / "relations.json"

    @property
    def published(self) -> Path:
        """Promoted states and the `current` link."""
        return self.root / "published"

    @property
    def states(self) -> Path:
        """Complete green builds, one folder each, named by content."""
        return self.published / "states"

    @property
    def current(self) -> Path:
        """Link to the state that readers see."""
        return self.published / "current"

    @property
    def releases(self) -> Path:
        """Published states that stay, one immutable folder each."""
        return self.published / "releases"

    @property
    def latest(self) -> Path:
        """Link to the release that was published last."""
        return self.published / "latest"

    @property
    def lock_file(self) -> Path:
        """Lock of the builder."""
        return self.root / ".build.lock"


def default_root() -> Path:
    """Return the warehouse root of the project itself: `warehouse/`."""
    return PROJECT_ROOT / "warehouse"
