"""Numbers that moved between two states or releases, by metric and slice."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from warehouse import releases, states
from warehouse.errors import InputError
from warehouse.paths import WarehousePaths

SUMMARIES = "rpt_metric_summaries"
KEY = (
    "benchmark",
    "run_id",
    "metric",
    "slice_type",
    "slice",
    "system_id",
    "condition",
    "audience",
    "tau_a_thousandths",
    "policy",
    "judge_id",
    "judge_kind",
    "evaluation_config_id",
    "weight_scope",
    "variant",
)
"""Key of the summaries: what makes two figures the same figure (decision 0001)."""
FIGURES = (
    "estimate",
    "micro_estimate",
    "standard_error",
    "percentile_low",
    "percentile_high",
    "expanded_low",
    "expanded_high",
    "n_total",
    "n_scored",
    "n_included",
    "n_undefined",
    "method_version",
)

# A folder of the warehouse whose name holds an equals sign is a folder, no column.
_SUMMARY_FILE = "read_parquet({}, hive_partitioning = false)"

Row = dict[str, Any]


@dataclass(frozen=True)
class Change:
    """One cell that holds other figures than before.

    Attributes:
        key: the cell.
        figures: (old, new) of each figure that moved.
        old: old estimate, in the metric's unit; None when undefined.
        new: new estimate.
    """

    key: Row
    figures: dict[str, tuple[Any, Any]]
    old: float | None
    new: float | None

    @property
    def difference(self) -> float | None:
        """Return new - old, or None when one of them is undefined."""
        return None if self.old is None or self.new is None else self.new - self.old

    def as_record(self) -> Row:
        """Return the change as JSON-serialisable fields."""
        moved = {name: {"old": old, "new": new} for name, (old, new) in self.figures.items()}
        estimates = {"old": self.old, "new": self.new, "difference": self.difference}
        return {**self.key, **estimates, "moved": moved}


@dataclass(frozen=True)
class Group:
    """What moved in one metric and slice."""

    metric: str
    slice_type: str
    slice: str
    changed_count: int
    added_count: int
    removed_count: int
    largest_difference: float | None


@dataclass(frozen=True)
class Diff:
    """All that differs between two states, in the order of the key."""

    old_name: str
    new_name: str
    changed: tuple[Change, ...]
    added: tuple[Row, ...]
    removed: tuple[Row, ...]

    @property
    def has_changes(self) -> bool:
        """Return whether any figure moved, came or went."""
        return bool(self.changed or self.added or self.removed)

    def groups(self) -> list[Group]:
        """Return the changes by metric and slice, sorted."""
        counts: dict[tuple[str, str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
        largest: dict[tuple[str, str, str], float] = {}
        rows = [[one.key for one in self.changed], self.added, self.removed]
        for position, members in enumerate(rows):
            for row in members:
                counts[_group(row)][position] += 1
        for change in self.changed:
            group, difference = _group(change.key), change.difference
            if difference is not None and abs(difference) >= abs(largest.get(group, 0.0)):
                largest[group] = difference
        return [
            Group(*key, counts[key][0], counts[key][1], counts[key][2], largest.get(key))
            for key in sorted(counts)
        ]

    def as_record(self) -> Row:
        """Return the difference as JSON-serialisable fields."""
        return {
            "old": self.old_name,
            "new": self.new_name,
            "has_changes": self.has_changes,
            "groups": [vars(one) for one in self.groups()],
            "changed": [one.as_record() for one in self.changed],
            "added": list(self.added),
            "removed": list(self.removed),
        }


def compare(paths: WarehousePaths, old: str, new: str, tolerance: float = 0.0) -> Diff:
    """Return the figures that differ between two states or releases.

    Args:
        paths: the warehouse.
        old: id or name as `releases.resolve` takes it.
        new: likewise.
        tolerance: largest absolute difference that counts as none, 0 or more. A figure that
            became undefined or defined always counts.

    Raises:
        InputError: when one is unknown or its summaries have another key.
    """
    folders = [releases.resolve(paths, name) for name in (old, new)]
    files = [folder / "marts" / f"{SUMMARIES}.parquet" for folder in folders]
    first, second = (states.read_state(folder).release_id for folder in folders)
    names = (folders[0].name, folders[1].name)
    if first == second:
        # One id is one content.
        return Diff(*names, (), (), ())
    with duckdb.connect() as connection:
        figures = _common_figures(connection, files)
        found = _differing(connection, files, figures, tolerance)
    changed, added, removed = [], [], []
    for row in found:
        key = {name: row[name] for name in KEY}
        if not row["in_old"]:
            added.append({**key, "estimate": row["new_estimate"]})
        elif not row["in_new"]:
            removed.append({**key, "estimate": row["old_estimate"]})
        else:
            pairs = {name: (row[f"old_{name}"], row[f"new_{name}"]) for name in figures}
            moved = {name: pair for name, pair in pairs.items() if _moved(*pair, tolerance)}
            changed.append(Change(key, moved, *pairs["estimate"]))
    return Diff(*names, tuple(changed), tuple(added), tuple(removed))


def _group(row: Row) -> tuple[str, str, str]:
    return row["metric"], row["slice_type"], row["slice"]


def _moved(old: Any, new: Any, tolerance: float) -> bool:
    if old is None or new is None:
        return old is not new
    return bool(abs(new - old) > tolerance)


def _common_figures(connection: duckdb.DuckDBPyConnection, files: list[Path]) -> list[str]:
    """Return the figures that both summaries hold: an older state may lack a newer one."""
    found = []
    for file in files:
        table = _SUMMARY_FILE.format("?")
        cursor = connection.execute(f"describe select * from {table}", [str(file)])
        columns = {row[0] for row in cursor.fetchall()}
        missing = [name for name in (*KEY, "estimate") if name not in columns]
        if missing:
            raise InputError(
                f"`{file.parent.parent.name}` cannot be compared",
                expected=f"{SUMMARIES} with {', '.join(KEY)}",
                got=f"no {', '.join(missing)}",
            )
        found.append(columns)
    return [name for name in FIGURES if name in found[0] & found[1]]


def _differing(
    connection: duckdb.DuckDBPyConnection, files: list[Path], figures: list[str], tolerance: float
) -> list[Row]:
    keys = ", ".join(f"coalesce(old.{name}, new.{name}) as {name}" for name in KEY)
    values = ", ".join(f"old.{name} as old_{name}, new.{name} as new_{name}" for name in figures)
    match = " and ".join(f"old.{name} is not distinct from new.{name}" for name in KEY)
    moves = " or ".join(
        f"(old.{name} is null) <> (new.{name} is null) or abs(new.{name} - old.{name}) > $tolerance"
        for name in figures
    )
    cursor = connection.execute(
        f"with old as (select *, true as is_there from {_SUMMARY_FILE.format('$old')}), "
        f"new as (select *, true as is_there from {_SUMMARY_FILE.format('$new')}) "
        f"select {keys}, {values}, coalesce(old.is_there, false) as in_old, "
        "coalesce(new.is_there, false) as in_new "
        f"from old full outer join new on {match} "
        f"where old.is_there is null or new.is_there is null or {moves} "
        f"order by {', '.join(f'{position + 1} nulls first' for position in range(len(KEY)))}",
        {"old": str(files[0]), "new": str(files[1]), "tolerance": tolerance},
    )
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, values, strict=True)) for values in cursor.fetchall()]
