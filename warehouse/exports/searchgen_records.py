"""`prompt_scores.jsonl` of a searchgen release: one prompt a line, unrounded (seed section 4).

A line holds the prompt, its tags, and under `models` by source_id the record of every model
in the lane that boards show. Records of other lanes stand in `other_lanes` with the reason
why no board counts them. Null is not applicable; what is missing has a status.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from warehouse.contracts.searchgen_values import COMPONENTS

Row = dict[str, Any]

TAG_LISTS = {"domain": "domains", "failure_mode": "failure_modes", "slice": "slices"}
"""Which list of a prompt's line holds tags of which type."""
OTHER_LANE = "lane_is_not_published"
_PROMPT = (
    "difficulty",
    "generation_task_type",
    "is_miniset",
    "language",
    "prompt_index",
    "release_row",
    "sample_id",
    "search_type",
    "stratum",
)


def prompt_records(scores: Iterable[Row], tags: Iterable[Row]) -> list[Row]:
    """Return one record a prompt, by prompt_index, then sample_id; no index comes last.

    Args:
        scores: rows of `fct_searchgen__prompt_scores` of one run.
        tags: rows of `bridge_searchgen__prompt_tags` of that run.
    """
    lists = _tag_lists(tags)
    prompts: dict[str, Row] = {}
    for row in scores:
        sample_id = row["sample_id"]
        prompt = prompts.setdefault(sample_id, _prompt(row, lists))
        if row["is_published_lane"]:
            prompt["models"][row["source_id"]] = _score(row)
        else:
            other = {"source_id": row["source_id"], "excluded_reason": OTHER_LANE, **_score(row)}
            prompt.setdefault("other_lanes", []).append(other)
    for prompt in prompts.values():
        if "other_lanes" in prompt:
            prompt["other_lanes"].sort(key=lambda one: (one["source_id"], one["lane"]))
    return sorted(prompts.values(), key=_order)


def other_lane_records(prompts: Iterable[Row]) -> Iterator[Row]:
    """Yield the records that no board counts because of their lane."""
    for prompt in prompts:
        yield from prompt.get("other_lanes", [])


def _tag_lists(tags: Iterable[Row]) -> dict[tuple[str, str], list[str]]:
    lists: dict[tuple[str, str], list[str]] = {}
    for row in tags:
        lists.setdefault((row["sample_id"], row["tag_type"]), []).append(row["tag"])
    return {key: sorted(found) for key, found in lists.items()}


def _prompt(row: Row, lists: dict[tuple[str, str], list[str]]) -> Row:
    return {
        **{name: row[name] for name in _PROMPT},
        **{
            name: lists.get((row["sample_id"], tag_type), [])
            for tag_type, name in TAG_LISTS.items()
        },
        "models": {},
    }


def _score(row: Row) -> Row:
    return {
        "components_raw_0to3": {name: row[name] for name in COMPONENTS},
        "lane": row["lane"],
        "overall_10_raw": row["overall_10_raw"],
        "overall_9_raw": row["overall_9_raw"],
        "status": row["status"],
        "status_reason": row["status_reason"],
    }


def _order(prompt: Row) -> tuple[bool, int, str]:
    index = prompt["prompt_index"]
    return index is None, index or 0, prompt["sample_id"]
