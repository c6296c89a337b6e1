"""Boards of a published searchgen release: the shape of its JSON files, out of the mart.

Nothing is computed here but the one rounding of decision 0017: every figure is a cell of
`rpt_searchgen__leaderboards`. Rows of a board have twelve keys and carry no rank; what is
beside the published policy stands in `leaderboard_policies.jsonl`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from warehouse.contracts.searchgen_values import ALL_GROUP, COMPONENTS, WHOLE_SLICE

Row = dict[str, Any]
Groups = dict[str, list[Row]]

PUBLISHED = "published"
OVERALL, STRATUM, DOMAIN, FAILURE_MODE = "overall", "stratum", "domain", "failure_mode"
GROUPED_VIEWS = {STRATUM: "strata", DOMAIN: "domains", FAILURE_MODE: "failure_modes"}
"""Views that are mappings of groups, and what the file of slices calls them."""
SCORE_DECIMALS = 1
COVERAGE_DECIMALS = 4
_SHARED = (
    "display_name",
    "lane",
    "model_id",
    "n_invalid_evaluation",
    "n_missing_evaluation",
    "n_missing_generation",
    "n_scored",
    "n_total",
    "scored_share",
    "source_id",
)
_BY_POLICY = (
    "missing_policy",
    "n_included",
    "overall_9",
    "overall_9_count",
    "overall_9_low",
    "overall_9_high",
    "overall_9_rounded",
    "overall_9_standard_error",
    "overall_10",
    "overall_10_count",
    "overall_10_low",
    "overall_10_high",
    "overall_10_rounded",
    "overall_10_standard_error",
    "interval_method",
    "is_low_coverage",
    "is_small_sample",
    "model_rank",
    "rank_change",
    "rank_high",
    "rank_low",
    "rank_published",
    "tie_group",
)


def board_row(row: Row) -> Row:
    """Return one row of a published board: twelve keys, scores rounded once."""
    return {
        "component_counts": {name: row[f"{name}_count"] for name in COMPONENTS},
        "components": {name: rounded(row[name]) for name in COMPONENTS},
        "coverage": round(row["n_scored"] / row["n_total"], COVERAGE_DECIMALS),
        "display_name": row["display_name"],
        "missing_policy": row["missing_policy"],
        "model_id": row["model_id"],
        "n_included": row["n_included"],
        "n_scored": row["n_scored"],
        "n_total": row["n_total"],
        "overall_10": rounded(row["overall_10"]),
        "overall_9": rounded(row["overall_9"]),
        "type": row["model_type"],
    }


def rounded(value: float | None) -> float | None:
    """Return a score of 0 to 100 with one decimal, ties to even on the double; None stays."""
    return None if value is None else round(value, SCORE_DECIMALS)


def boards(rows: Iterable[Row]) -> dict[tuple[str, str], Groups]:
    """Return the published boards by (slice, view): groups with their rows, best first."""
    published = [row for row in rows if row["policy"] == PUBLISHED]
    ordered = sorted(published, key=lambda row: row["rank_published"])
    found: dict[tuple[str, str], Groups] = {}
    for row in ordered:
        groups = found.setdefault((row["slice"], row["view"]), {})
        groups.setdefault(row["group_name"], []).append(board_row(row))
    return found


def board_files(rows: list[Row], whole_name: str) -> dict[str, Any]:
    """Return the content of every board file by its name.

    Args:
        rows: all rows of one run in the mart.
        whole_name: what the file of slices calls the slice of all prompts.

    Returns:
        Four files of the slice of all prompts; one of all slices when any is named.
    """
    found = boards(rows)
    files: dict[str, Any] = {
        "leaderboard_overall.json": found.get((WHOLE_SLICE, OVERALL), {}).get(ALL_GROUP, [])
    }
    for view in GROUPED_VIEWS:
        files[f"leaderboard_by_{view}.json"] = found.get((WHOLE_SLICE, view), {})
    slices = sorted({slice_ for slice_, _ in found})
    if slices != [WHOLE_SLICE]:
        files["leaderboard_by_slice.json"] = {
            public_slice(one, whole_name): _slice_content(found, one) for one in slices
        }
    return files


def public_slice(slice_: str, whole_name: str) -> str:
    """Return what files call a slice of the mart."""
    return whole_name if slice_ == WHOLE_SLICE else slice_


def policy_records(rows: Iterable[Row], whole_name: str) -> list[Row]:
    """Return one record a cell of the boards with all policies side by side, unrounded.

    Sorted by slice, view, group and published position.
    """
    cells: dict[tuple[str, str, str, str], dict[str, Row]] = {}
    for row in rows:
        key = (public_slice(row["slice"], whole_name), row["view"], row["group_name"])
        cells.setdefault((*key, row["source_id"]), {})[row["policy"]] = row
    records = [_policy_record(key, by_policy) for key, by_policy in cells.items()]
    return sorted(records, key=_record_order)


def _slice_content(found: dict[tuple[str, str], Groups], slice_: str) -> Row:
    content: Row = {"overall": found.get((slice_, OVERALL), {}).get(ALL_GROUP, [])}
    for view, name in GROUPED_VIEWS.items():
        content[name] = found.get((slice_, view), {})
    return content


def _policy_record(key: tuple[str, str, str, str], by_policy: dict[str, Row]) -> Row:
    slice_, view, group, _ = key
    first = by_policy[PUBLISHED]
    return {
        **{name: first[name] for name in _SHARED},
        "group": group,
        "policies": {policy: _policy_cell(row) for policy, row in by_policy.items()},
        "slice": slice_,
        "type": first["model_type"],
        "view": view,
    }


def _policy_cell(row: Row) -> Row:
    return {
        **{name: row[name] for name in _BY_POLICY},
        "component_counts": {name: row[f"{name}_count"] for name in COMPONENTS},
        "components": {name: row[name] for name in COMPONENTS},
    }


def _record_order(record: Row) -> tuple[Any, ...]:
    position = record["policies"][PUBLISHED]["rank_published"]
    return record["slice"], record["view"], record["group"], position, record["source_id"]
