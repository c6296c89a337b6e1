"""Parts and slices of the prompts: stated ones are kept, others follow from ids and labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ingest.searchgen.model_registry import SliceRule
from warehouse.landing import Row

NO_SEARCH, SEARCH_INTENSIVE = "NoSearch", "SearchIntensive"
VISUAL, TEXTUAL = "VisualSearch", "TextualSearch"
# The benchmark tells its textual prompts by their ids, upper and lower case apart.
_TEXTUAL_MARKS = ("texthard", "text_rendering")


def derive(sample_id: str, subsets: Iterable[str]) -> tuple[str, str]:
    """Return stratum and search type as the benchmark derives them (seed section 3).

    Args:
        sample_id: id of the prompt.
        subsets: all its subset labels; one of them is `NoSearch`, or it needs search.
    """
    if NO_SEARCH in subsets:
        return NO_SEARCH, NO_SEARCH
    is_textual = any(mark in sample_id for mark in _TEXTUAL_MARKS)
    return SEARCH_INTENSIVE, TEXTUAL if is_textual else VISUAL


def completed(
    sample_id: str, subsets: list[str], stratum: str | None, search_type: str | None
) -> tuple[str, str]:
    """Return both parts of a prompt: what is stated stays, what is not follows from it."""
    if search_type is not None:
        implied = NO_SEARCH if search_type == NO_SEARCH else SEARCH_INTENSIVE
        return stratum or implied, search_type
    if stratum == NO_SEARCH:
        return stratum, NO_SEARCH
    rest = [one for one in subsets if stratum is None or one != NO_SEARCH]
    return derive(sample_id, rest)


def slice_members(rows: Iterable[Row], rules: Mapping[str, SliceRule]) -> dict[str, set[str]]:
    """Return the sample ids of each named slice, one prompt for each release row.

    Of prompts that share a release row the one with the first sample id is taken, so that
    the order of lines decides nothing.
    """
    ordered = sorted(rows, key=lambda row: str(row["sample_id"]))
    members: dict[str, set[str]] = {}
    for name, rule in rules.items():
        seen: set[str] = set()
        members[name] = set()
        for row in ordered:
            release_row = row["release_row"]
            if _fits(row["subsets"], rule) and release_row not in seen:
                members[name].add(row["sample_id"])
                if release_row is not None:
                    seen.add(release_row)
    return members


def _fits(subsets: list[str], rule: SliceRule) -> bool:
    wanted, labels = set(rule.include_tags), set(subsets)
    if not wanted:
        return True
    return wanted <= labels if rule.match == "all" else bool(wanted & labels)
