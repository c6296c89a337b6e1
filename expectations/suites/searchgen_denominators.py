"""Mart rules of `searchgen` that count again, from landed rows, what means are divided by."""

from __future__ import annotations

from collections.abc import Mapping

from expectations.rules import RowRule
from expectations.suites.searchgen_boards import CELL, RELATION
from expectations.suites.searchgen_fragments import NOWHERE, each, groups_of, told
from warehouse.contracts.searchgen_values import (
    COMPONENTS,
    COMPONENTS_9,
    MISSING_STATUSES,
    SCORED,
    ZERO_FILL,
)

_PROMPTS = "staging.stg_searchgen__prompts"
_OVERALLS = {"overall_9": COMPONENTS_9, "overall_10": COMPONENTS}
_STATUSES = (SCORED, *MISSING_STATUSES)
_MISSING = " + ".join(f"n_{status}" for status in MISSING_STATUSES)
_FILLING = " ".join(f"when '{status}' then {status}_policy" for status in MISSING_STATUSES)
# One row a prompt and model in the lane that boards show: whether its own policy fills it,
# whether all models have scored the prompt, and which components any model has there.
_RESULTS = f"""
    select *,
        coalesce(case status {_FILLING} end = '{ZERO_FILL}', false) as is_filled,
        model_count = count_if(status = '{SCORED}') over prompts as is_common,
        {each(COMPONENTS, "count({name}) over prompts > 0 as applies_{name}", ", ")}
    from staging.stg_searchgen__prompt_scores as scores
    inner join (
        select run_id, source_id, lane, {", ".join(f"{one}_policy" for one in MISSING_STATUSES)},
            count(*) over (partition by run_id) as model_count
        from staging.stg_searchgen__models
    ) as models using (run_id, source_id, lane)
    window prompts as (partition by run_id, sample_id)
"""


def _counted_rule(name: str, counts: Mapping[str, str], figures: Mapping[str, str]) -> RowRule:
    """Return the rule that figures of boards are what landed results count.

    Args:
        name: the claim.
        counts: conditions that results are counted by, by the name of the count.
        figures: what columns of a board must be, made of its columns and of the counts.
    """
    columns = ", ".join(f"count_if({text}) as {count}" for count, text in counts.items())
    wanted = ", ".join(f"{text} as {column}_wanted" for column, text in figures.items())
    differs = "{name} <> {name}_wanted"
    return RowRule(
        name,
        RELATION,
        f"""
        with counted as (
            select groups.run_id, groups.slice, groups.view, groups.group_name,
                results.source_id, {columns}
            from ({groups_of(_PROMPTS)}) as groups
            inner join ({_RESULTS}) as results
                on groups.run_id = results.run_id and groups.sample_id = results.sample_id
            group by all
        ),
        wanted as (
            select *, {wanted}
            from {{relation}} as boards
            inner join counted using (run_id, slice, view, group_name, source_id)
        )
        select {CELL} as subject,
            {told(figures, differs, "concat('{name} is ', {name}, ' and not ', {name}_wanted)")}
                as message,
            {NOWHERE}
        from wanted
        where {each(figures, differs)}
        order by 1
        """,
    )


def _score_counts() -> dict[str, str]:
    """Return what is counted for each score: scored, common, and filled where it applies."""
    counts = {"common": "is_common", "filled": "is_filled"}
    for name in (*_OVERALLS, *COMPONENTS):
        parts = _OVERALLS.get(name, (name,))
        has = f"coalesce({', '.join(parts)}) is not null"
        applies = f"is_filled and applies_{name}" if name in COMPONENTS else "is_filled"
        counts[f"{name}_scored"] = f"status = '{SCORED}' and {has}"
        counts[f"{name}_common"] = f"is_common and {has}"
        counts[f"{name}_applying"] = applies
    return counts


def _by_policy(common: str, scored: str, filled: str, applying: str) -> str:
    """Return SQL of a denominator under the policy of the row."""
    return (
        f"case policy when 'common_prompts' then {common} when 'all_exclude' then {scored} "
        f"when 'all_zero_fill' then {scored} + {_MISSING} "
        f"when 'applicability_aware' then {scored} + {applying} else {scored} + {filled} end"
    )


DENOMINATORS = (
    RowRule(
        "boards_hold_the_prompts_of_their_group",
        RELATION,
        f"""
        with groups as (
            select run_id, slice, view, group_name, count(*) as prompt_count
            from ({groups_of(_PROMPTS)})
            group by run_id, slice, view, group_name
        ),
        boards as (
            select run_id, slice, view, group_name, min(n_total) as least, max(n_total) as most
            from {{relation}}
            group by run_id, slice, view, group_name
        )
        select concat_ws('/', run_id, slice, view, group_name) as subject,
            concat(coalesce(groups.prompt_count, 0), ' prompts, n_total is ',
                coalesce(boards.least, 0), ' to ', coalesce(boards.most, 0)) as message,
            {NOWHERE}
        from groups
        full outer join boards using (run_id, slice, view, group_name)
        where coalesce(groups.prompt_count, 0) <> coalesce(boards.least, 0)
            or coalesce(groups.prompt_count, 0) <> coalesce(boards.most, 0)
        order by 1
        """,
    ),
    _counted_rule(
        "statuses_of_a_board_are_those_of_its_results",
        {f"{status}_landed": f"status = '{status}'" for status in _STATUSES},
        {f"n_{status}": f"{status}_landed" for status in _STATUSES},
    ),
    _counted_rule(
        "included_counts_follow_the_declared_policy",
        {"common": "is_common", "filled": "is_filled"},
        {"n_included": _by_policy("common", "n_scored", "filled", "filled")},
    ),
    _counted_rule(
        "denominators_follow_the_declared_policy",
        _score_counts(),
        {
            f"{name}_count": _by_policy(
                f"{name}_common", f"{name}_scored", "filled", f"{name}_applying"
            )
            for name in (*_OVERALLS, *COMPONENTS)
        },
    ),
)
