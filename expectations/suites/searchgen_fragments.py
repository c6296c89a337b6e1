"""SQL fragments that the rules of `searchgen` share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from warehouse.contracts.searchgen_values import (
    ALL_GROUP,
    COMPONENTS,
    SEARCH_TYPES,
    STRATA,
    WHOLE_SLICE,
)

NOWHERE = "null as source_file, null as source_line"
PAIR = "concat_ws('/', run_id, sample_id, source_id, lane)"
SPLITS = ((ALL_GROUP, STRATA), (STRATA[1], SEARCH_TYPES[1:]))
"""Groups of the stratum view that are made of others, and those others."""
COUNTS = tuple(f"{name}_count" for name in COMPONENTS)


def each(names: Iterable[str], text: str, joiner: str = " or ") -> str:
    """Return SQL with `{name}` put once for each name."""
    return joiner.join(text.format(name=name) for name in names)


def told(names: Iterable[str], condition: str, text: str) -> str:
    """Return SQL that tells, joined by commas, `text` of each name that `condition` holds for."""
    cases = (
        f"case when {condition.format(name=name)} then {text.format(name=name)} end"
        for name in names
    )
    return f"concat_ws(', ', {', '.join(cases)})"


def groups_of(prompts: str) -> str:
    """Return SQL of (run_id, slice, view, group_name, sample_id): who is in which group.

    Args:
        prompts: relation of landed prompts, tags and slices as lists.
    """
    # A union without `all` takes NoSearch, stratum and search type, and repeated tags once.
    return f"""
        select viewed.run_id, slices.slice, viewed.view, viewed.group_name, viewed.sample_id
        from (
            select run_id, sample_id, 'overall' as view, '{ALL_GROUP}' as group_name from {prompts}
            union select run_id, sample_id, 'stratum', '{ALL_GROUP}' from {prompts}
            union select run_id, sample_id, 'stratum', stratum from {prompts}
            union select run_id, sample_id, 'stratum', search_type from {prompts}
            union select run_id, sample_id, 'domain', unnest(domains) from {prompts}
            union select run_id, sample_id, 'failure_mode', unnest(failure_modes) from {prompts}
        ) as viewed
        inner join (
            select run_id, sample_id, '{WHOLE_SLICE}' as slice from {prompts}
            union select run_id, sample_id, unnest(slices) from {prompts}
        ) as slices
            on viewed.run_id = slices.run_id and viewed.sample_id = slices.sample_id
    """


def parted(rows: str, keys: Iterable[str], columns: Mapping[str, str]) -> str:
    """Return SQL that sets each group that is made of others beside them, one row a whole.

    A part that is not there is empty.

    Args:
        rows: relation with the keys, `view` and `group_name`.
        keys: what whole and parts share, beside the view.
        columns: aggregates over `wholes` and `parts` by name.
    """
    shared = list(keys)
    pairs = " or ".join(
        f"(wholes.group_name = '{whole}' and parts.group_name in {names})"
        for whole, names in SPLITS
    )
    return f"""
        select {each(shared, "wholes.{name}", ", ")}, wholes.group_name,
            {", ".join(f"{text} as {name}" for name, text in columns.items())}
        from {rows} as wholes
        left join {rows} as parts
            on {each(shared, "wholes.{name} = parts.{name}", " and ")}
            and parts.view = 'stratum' and ({pairs})
        where wholes.view = 'stratum'
            and wholes.group_name in {tuple(whole for whole, _ in SPLITS)}
        group by {each(shared, "wholes.{name}", ", ")}, wholes.group_name
    """


def counts_that_differ(rows: str, keys: Iterable[str], counts: Iterable[str]) -> str:
    """Return SQL of groups whose parts do not add up, with `differences` in words.

    Args:
        rows: as in `parted`.
        keys: as in `parted`.
        counts: columns that add up; one that is NULL everywhere is not there.
    """
    checked = list(counts)
    columns = {
        **{name: f"any_value(wholes.{name})" for name in checked},
        **{f"{name}_of_parts": f"coalesce(sum(parts.{name}), 0)" for name in checked},
    }
    differ = "{name} <> {name}_of_parts"
    text = "concat('{name} is ', {name}, ', of its parts ', {name}_of_parts)"
    return f"""
        select *, {told(checked, differ, text)} as differences
        from ({parted(rows, keys, columns)})
        where {each(checked, differ)}
    """
