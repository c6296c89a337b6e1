"""A published release of aggregates: its manifest and its boards, row by row as they stand.

What is landed here is what others published, rounded and all; it stands beside our numbers
and never among them. The slice file repeats the other boards, and both are landed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingest import land_fields as fields
from ingest.land_fields import FieldError, FileReader
from ingest.searchgen.release_manifest import ReleaseManifest
from ingest.searchgen.release_rows import RunIdentity
from warehouse import identity, jsonl
from warehouse.contracts.searchgen import PUBLISHED_AGGREGATES
from warehouse.contracts.searchgen_values import (
    ALL_GROUP,
    COMPONENTS,
    COMPONENTS_9,
    MISSING_POLICIES,
    MODEL_TYPES,
    WHOLE_SLICE,
)
from warehouse.errors import InputError
from warehouse.landing import Row, keep_unique

TABLE = PUBLISHED_AGGREGATES.table
BOARDS = {
    "leaderboard_overall.json": "overall",
    "leaderboard_by_stratum.json": "stratum",
    "leaderboard_by_domain.json": "domain",
    "leaderboard_by_failure_mode.json": "failure_mode",
}
SLICE_BOARD = "leaderboard_by_slice.json"
_SLICE_VIEWS = {
    "overall": "overall",
    "strata": "stratum",
    "domains": "domain",
    "failure_modes": "failure_mode",
}
_OVERALL = "overall"
_ROW_KEYS = frozenset(
    {
        "component_counts",
        "components",
        "coverage",
        "display_name",
        "missing_policy",
        "model_id",
        "n_included",
        "n_scored",
        "n_total",
        "overall_10",
        "overall_9",
        "type",
    }
)
_COMPONENT_SETS = (frozenset(COMPONENTS_9), frozenset(COMPONENTS))


@dataclass(frozen=True)
class _Group:
    """Where rows of a board stand."""

    artifact: str
    slice: str
    view: str
    name: str


@dataclass(frozen=True)
class PublishedBoards:
    """Rows of all boards of a release, the files they came from, and what shapes these have."""

    rows: list[Row]
    files: list[Path]
    fingerprint: str


def read_boards(
    reader: FileReader, folder: Path, manifest: ReleaseManifest, run: RunIdentity
) -> PublishedBoards:
    """Read the boards of a published release.

    Args:
        reader: keeps rejects.
        folder: holds the manifest and the boards.
        manifest: the manifest.
        run: which release.

    Raises:
        InputError: when a board is absent or has a shape that is not known.
    """
    names = [*BOARDS, *([SLICE_BOARD] if SLICE_BOARD in manifest.artifacts else [])]
    sources = {one.model_id: one.source_id for one in manifest.release.models}
    rows, files = [], []
    shapes: set[tuple[str, ...]] = set()
    for name in names:
        path = folder / name
        files.append(path)
        for group, found in _groups(name, _read(path), manifest.release.whole_slice_name):
            for position, one in enumerate(found, start=1):
                shapes.add(_shape(one, group))
                try:
                    row = _row(one, group, position, run, sources)
                except FieldError as error:
                    subject = f"{group.slice}/{group.name}/{one.get('model_id')}"[:200]
                    raw = jsonl.dumps(one)[: jsonl.RAW_TEXT_LIMIT]
                    reader.reject(TABLE, path, error.reason, subject, str(error), None, raw)
                else:
                    rows.append(row)
    unique = keep_unique(PUBLISHED_AGGREGATES, rows, reader.log, subject="model_id")
    return PublishedBoards(unique, files, _fingerprint(manifest.content, names, shapes))


def release_row(run: RunIdentity, manifest: ReleaseManifest, fingerprint: str) -> Row:
    """Return the row of `searchgen/published_releases`."""
    release = manifest.release
    exceptions = {name: one.record for name, one in sorted(manifest.exceptions.items())}
    return {
        "run_id": run.run_id,
        "dataset_id": run.dataset_id,
        "release": run.release,
        "schema_version": manifest.schema_version,
        "shape_fingerprint": fingerprint,
        "primary_metric": release.primary_metric,
        "missing_policy_default": manifest.stated_default,
        "missing_policy_exceptions": jsonl.canonical(exceptions),
        "scoring_source": release.judge.scoring_source or "unstated",
        "prompts_file": release.prompts_file or "unstated",
        "prompts_sha256": release.prompts_sha256 or "unstated",
        "prompt_count": manifest.prompt_count,
        "partition": jsonl.canonical(manifest.partition),
        "whole_slice_name": release.whole_slice_name,
        "generated_at": manifest.generated_at,
        "rounding_decimals": manifest.rounding_decimals,
        "manifest": jsonl.canonical(manifest.content),
        "source_file": release.file,
        "source_line": None,
    }


def _read(path: Path) -> Any:
    try:
        if path.stat().st_size > jsonl.MAX_LINE_BYTES:
            raise OSError(f"more than {jsonl.MAX_LINE_BYTES} bytes")
        return jsonl.parse(path.read_bytes())
    except FileNotFoundError:
        raise InputError(
            f"`{path.parent}` lacks `{path.name}`",
            expected=f"{', '.join(BOARDS)}, and {SLICE_BOARD} where the manifest lists it",
        ) from None
    except (OSError, jsonl.StrictJsonError) as error:
        raise InputError(f"`{path}` cannot be read", got=str(error)) from None


def _groups(name: str, content: Any, whole_slice: str) -> Iterator[tuple[_Group, list[Row]]]:
    """Yield each group of a board file with its rows."""
    if name != SLICE_BOARD:
        yield from _view_groups(name, WHOLE_SLICE, BOARDS[name], content)
        return
    for slice_name, views in _object(content, name).items():
        views = _object(views, f"{name}, {slice_name}")
        if set(views) != set(_SLICE_VIEWS):
            raise _unknown(f"{name}, {slice_name}", ", ".join(_SLICE_VIEWS), ", ".join(views))
        shown = WHOLE_SLICE if slice_name == whole_slice else identity.normalize_label(slice_name)
        for view_name, view in _SLICE_VIEWS.items():
            yield from _view_groups(name, shown, view, views[view_name])


def _view_groups(
    artifact: str, slice_name: str, view: str, content: Any
) -> Iterator[tuple[_Group, list[Row]]]:
    where = f"{artifact}, {slice_name}, {view}"
    groups = {ALL_GROUP: content} if view == _OVERALL else _object(content, where)
    for name, rows in groups.items():
        if not isinstance(rows, list) or not all(isinstance(one, dict) for one in rows):
            raise _unknown(f"{where}, {name}", "a list of rows", fields.kind(rows))
        yield _Group(artifact, slice_name, view, identity.normalize_label(name)), rows


def _object(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _unknown(where, "groups by name", fields.kind(value))
    return value


def _shape(row: Row, group: _Group) -> tuple[str, ...]:
    """Return the keys of a row, sorted.

    Raises:
        InputError: when they are those of no known shape.
    """
    where = f"{group.artifact}, {group.slice}, {group.name}"
    if row.keys() != _ROW_KEYS:
        odd = sorted(row.keys() ^ _ROW_KEYS)
        raise _unknown(f"a row of {where}", ", ".join(sorted(_ROW_KEYS)), f"odd: {odd}"[:300])
    names = [row["components"], row["component_counts"]]
    if not all(isinstance(one, dict) and one.keys() in _COMPONENT_SETS for one in names):
        raise _unknown(f"components of a row of {where}", ", ".join(COMPONENTS), str(names)[:300])
    if names[0].keys() != names[1].keys():
        raise _unknown(f"components of a row of {where}", "a count for each", str(names)[:300])
    return tuple(sorted(names[0]))


def _unknown(where: str, expected: str, got: str) -> InputError:
    return InputError(
        f"{where} has a shape that is not known",
        expected=expected,
        got=got,
        fix="docs/searchgen-files.md describes the shapes that are read",
    )


def _row(
    row: Row, group: _Group, position: int, run: RunIdentity, sources: Mapping[str, str]
) -> Row:
    model_id = fields.label(row, "model_id")
    components, counts = row["components"], row["component_counts"]
    return {
        "run_id": run.run_id,
        "dataset_id": run.dataset_id,
        "artifact": group.artifact,
        "slice": group.slice,
        "view": group.view,
        "group_name": group.name,
        "row_position": position,
        "model_id": model_id,
        "source_id": sources.get(model_id),
        "display_name": fields.text(row, "display_name"),
        "model_type": fields.choice(fields.text(row, "type"), MODEL_TYPES, "type"),
        "missing_policy": fields.choice(
            fields.text(row, "missing_policy"), MISSING_POLICIES, "missing_policy"
        ),
        "n_total": _count(row, "n_total"),
        "n_scored": _count(row, "n_scored"),
        "n_included": _count(row, "n_included"),
        "coverage": fields.optional_number(row, "coverage"),
        "overall_9": fields.optional_number(row, "overall_9"),
        "overall_10": fields.optional_number(row, "overall_10"),
        **{name: fields.optional_number(components, name) for name in COMPONENTS},
        **{
            f"{name}_count": _count(counts, name) if name in counts else None for name in COMPONENTS
        },
        "source_file": group.artifact,
        "source_line": None,
    }


def _count(row: Row, name: str) -> int:
    value = fields.optional_integer(row, name)
    if value is None or value < 0:
        raise FieldError("wrong_type", f"field `{name}` is no count")
    return value


def _fingerprint(content: Row, names: list[str], shapes: set[tuple[str, ...]]) -> str:
    """Return one id for the key sets of a release: what it is to a reader."""
    scoring, models = content.get("scoring", {}), content.get("models", {})
    keys = {key for one in models.values() for key in one}
    exceptions = type(scoring.get("missing_policy_exceptions")).__name__
    return identity.content_id(
        "shape",
        sorted(content),
        sorted(scoring),
        sorted(keys),
        exceptions,
        names,
        sorted(_ROW_KEYS),
        sorted(map(list, shapes)),
    )
