"""What must hold of each prompt and record of a published searchgen folder (seed section 11)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from expectations.searchgen.folder import PROMPT_SCORES, SCORED, Folder, Prompt, Row
from warehouse.findings import Finding, Outcome

IDS = "prompt_ids_are_unique"
COUNT = "prompt_count_is_stated"
PARTITIONS = "partition_counts_are_stated"
PARTITION_RULE = "search_types_lie_in_their_stratum"
SLICES = "slices_have_their_expected_rows"
TAGS = "tags_are_lists_without_duplicates"
GRID = "every_prompt_has_every_model"
RANGE = "components_are_within_scale"
STATUSES = "null_missing_invalid_and_zero_differ"
OVERALLS = "prompt_overalls_recompute"
ORDER = "prompts_are_in_order"
CHECKS = (
    IDS,
    COUNT,
    PARTITIONS,
    PARTITION_RULE,
    SLICES,
    TAGS,
    GRID,
    RANGE,
    STATUSES,
    OVERALLS,
    ORDER,
)
TAG_NAMES = ("domains", "failure_modes", "slices")
TOLERANCE = 1e-12
_STRATA = {
    "NoSearch": ("NoSearch",),
    "SearchIntensive": ("VisualSearch", "TextualSearch"),
}


def check(folder: Folder) -> Iterator[Finding]:
    """Yield what is wrong with the prompts, by the names in CHECKS."""
    yield from _identity(folder)
    yield from _partitions(folder)
    for prompt in folder.prompts:
        yield from _tags(prompt)
        yield from _records(folder, prompt)


def is_number(value: Any) -> bool:
    """Return whether a value is a JSON number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def slice_counts(folder: Folder) -> dict[str, Counter[str]]:
    """Return the prompts by part of every slice that has prompts."""
    counts: dict[str, Counter[str]] = {}
    for prompt in folder.prompts:
        for name in dict.fromkeys((folder.rules.whole_slice, *map(str, prompt.tags("slices")))):
            counts.setdefault(name, Counter()).update(parts(prompt))
    return counts


def parts(prompt: Prompt) -> tuple[str, ...]:
    """Return the groups of the strata that hold a prompt, without that of all."""
    stratum, search_type = prompt.content.get("stratum"), prompt.content.get("search_type")
    return tuple(dict.fromkeys((str(stratum), str(search_type))))


def _identity(folder: Folder) -> Iterator[Finding]:
    seen: dict[str, int] = {}
    for prompt in folder.prompts:
        first = seen.setdefault(prompt.sample_id, prompt.line)
        if first != prompt.line:
            yield _finding(IDS, prompt, f"line {first} holds it already")
        if not isinstance(prompt.content.get("sample_id"), str):
            yield _finding(IDS, prompt, "`sample_id` is no text")
    stated = folder.manifest.get("dataset")
    expected = stated.get("n_prompts") if isinstance(stated, dict) else None
    if not folder.prompts:
        message = "no prompt could be read"
        yield Finding(COUNT, PROMPT_SCORES, message, PROMPT_SCORES)
    elif expected != len(seen):
        message = f"{len(seen)} prompts, the manifest says {expected}"
        yield Finding(COUNT, PROMPT_SCORES, message, PROMPT_SCORES)
    keys = [_order(prompt) for prompt in folder.prompts]
    for before, after, prompt in zip(keys, keys[1:], folder.prompts[1:], strict=False):
        if after < before:
            yield _finding(ORDER, prompt, "it belongs before the line above it")
            break


def _order(prompt: Prompt) -> tuple[bool, int, str]:
    index = prompt.content.get("prompt_index")
    if isinstance(index, int) and is_number(index):
        return False, index, prompt.sample_id
    return True, 0, prompt.sample_id


def _partitions(folder: Folder) -> Iterator[Finding]:
    found = slice_counts(folder)
    stated = folder.manifest.get("slice_partitions")
    stated = stated if isinstance(stated, dict) else {}
    whole = folder.rules.whole_slice
    if folder.manifest.get("partition") != dict(found.get(whole, {})):
        message = (
            f"{dict(sorted(found.get(whole, {}).items()))}, the manifest says "
            f"{folder.manifest.get('partition')}"
        )
        yield Finding(PARTITIONS, whole, message, "manifest.json")
    for name in sorted({*found, *stated} - {whole}):
        if stated.get(name) != dict(found.get(name, {})):
            message = (
                f"{dict(sorted(found.get(name, {}).items()))}, the manifest says {stated.get(name)}"
            )
            yield Finding(PARTITIONS, name, message, "manifest.json")
    yield from _expected_rows(folder, found)
    for prompt in folder.prompts:
        stratum, search_type = prompt.content.get("stratum"), prompt.content.get("search_type")
        if search_type not in _STRATA.get(str(stratum), ()):
            yield _finding(PARTITION_RULE, prompt, f"{search_type} is no part of {stratum}")


def _expected_rows(folder: Folder, found: dict[str, Counter[str]]) -> Iterator[Finding]:
    slices = folder.manifest.get("evaluation_slices")
    named = slices.get("named") if isinstance(slices, dict) else None
    for name, one in sorted(named.items()) if isinstance(named, dict) else ():
        expected = one.get("expected_rows") if isinstance(one, dict) else None
        strata = found.get(name, Counter())
        count = strata["NoSearch"] + strata["SearchIntensive"]
        if expected is not None and expected != count:
            message = f"{count} prompts, the manifest expects {expected}"
            yield Finding(SLICES, name, message, "manifest.json")


def _tags(prompt: Prompt) -> Iterator[Finding]:
    for name in TAG_NAMES:
        tags = prompt.content.get(name)
        if not isinstance(tags, list) or not all(isinstance(one, str) for one in tags):
            yield _finding(TAGS, prompt, f"`{name}` is no list of texts")
        elif len(set(tags)) != len(tags):
            twice = sorted({one for one in tags if tags.count(one) > 1})
            yield _finding(TAGS, prompt, f"`{name}` holds {', '.join(twice)} twice")


def _records(folder: Folder, prompt: Prompt) -> Iterator[Finding]:
    known = {model.source_id for model in folder.rules.models}
    for source_id in sorted(known - set(prompt.records)):
        missing = _finding(GRID, prompt, "it has no record", source_id)
        yield replace(missing, outcome=Outcome.INCOMPLETE)
    for source_id in sorted(set(prompt.records) - known):
        yield _finding(GRID, prompt, "the manifest has no such model", source_id)
    for source_id, record in prompt.records.items():
        yield from _record(folder, prompt, source_id, record)


def _record(folder: Folder, prompt: Prompt, source_id: str, record: Row) -> Iterator[Finding]:
    rules = folder.rules
    components = record.get("components_raw_0to3")
    if not isinstance(components, dict) or set(components) != set(rules.ten):
        yield _finding(STATUSES, prompt, "its components are not the ten", source_id)
        return
    for name, value in components.items():
        if value is not None and not (is_number(value) and rules.low <= value <= rules.high):
            message = f"{name} is {value!r}, beyond {rules.low:g} to {rules.high:g}"
            yield _finding(RANGE, prompt, message, source_id)
    status = record.get("status")
    if status not in rules.statuses:
        yield _finding(STATUSES, prompt, f"status `{status}` is unknown", source_id)
    values = [*components.values(), record.get("overall_9_raw"), record.get("overall_10_raw")]
    if status != SCORED and any(value is not None for value in values):
        yield _finding(STATUSES, prompt, f"{status}, and yet it has scores", source_id)
    for metric, names in (("overall_9_raw", rules.nine), ("overall_10_raw", rules.ten)):
        yield from _overall(prompt, source_id, record, metric, [components[one] for one in names])


def _overall(
    prompt: Prompt, source_id: str, record: Row, metric: str, values: list[Any]
) -> Iterator[Finding]:
    """Compare a stated overall with the mean of its components."""
    stated = record.get(metric)
    numbers = [one for one in values if is_number(one)]
    if not numbers or not is_number(stated):
        if numbers or stated is not None:
            message = f"{metric} is {stated!r} over {len(numbers)} components"
            yield _finding(OVERALLS, prompt, message, source_id)
        return
    # The sum is that of the fractions, rounded once.
    mean = math.fsum(numbers) / len(numbers)
    if not abs(stated - mean) <= TOLERANCE:  # type: ignore[operator]
        message = f"{metric} is {stated}, its components give {mean}"
        yield _finding(OVERALLS, prompt, message, source_id)


def _finding(check: str, prompt: Prompt, message: str, source_id: str | None = None) -> Finding:
    subject = prompt.sample_id if source_id is None else f"{prompt.sample_id}/{source_id}"
    return Finding(check, subject, message, PROMPT_SCORES, prompt.line)
