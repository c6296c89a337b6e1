"""Landing rules of `searchgen`: what published boards must agree on with each other.

Published scores have one decimal, so each is known to 0.05, and so is a weighted mean of
them: two figures that must be one are at most 0.1 apart.
"""

from __future__ import annotations

from expectations.rules import RowRule
from expectations.suites.searchgen_fragments import (
    COUNTS,
    counts_that_differ,
    each,
    parted,
    told,
)
from expectations.suites.searchgen_published import GROUP, RELATION, ROW, row_rule
from warehouse.contracts.searchgen_values import (
    ALL_GROUP,
    COMPONENTS,
    COMPONENTS_9,
    EXCLUDED_COMPONENT,
    PRIMARY_METRICS,
    WHOLE_SLICE,
)
from warehouse.findings import Outcome

_APART = "0.1 + 1e-9"
_SLICE_FILE = "leaderboard_by_slice.json"
# In fewer prompts, one tag for each of them may be an accident.
_MANY_PROMPTS = 100
_BOARD = ("run_id", "artifact", "slice", "view")
_CELL = (*_BOARD, "model_id")
_FIGURES = (
    *("display_name", "model_type", "missing_policy", "n_total", "n_scored", "n_included"),
    *("coverage", *PRIMARY_METRICS, *COMPONENTS, *COUNTS),
)
_TEN_MEAN = f"list_avg([{', '.join(COMPONENTS)}])"
_NINE_MEAN = f"list_avg([{', '.join(COMPONENTS_9)}])"


def _weighted_rule(name: str, weights: dict[str, str]) -> RowRule:
    """Return the rule that scores of a whole are weighted means of those of its parts.

    Args:
        name: the claim.
        weights: column of the weight by that of the score.
    """
    columns = {score: f"any_value(wholes.{score})" for score in weights}
    for score, weight in weights.items():
        # A part of no weight has no score, and is neither in the sum nor in the total.
        total = f"nullif(sum(parts.{weight}), 0)"
        columns[f"{score}_of_parts"] = f"sum(parts.{score} * parts.{weight}) / {total}"
    differs = f"abs({{name}} - {{name}}_of_parts) > {_APART}"
    text = "concat('{name} is ', {name}, ', of its parts ', round({name}_of_parts, 4))"
    return RowRule(
        name,
        RELATION,
        f"""
        select {ROW} as subject, {told(weights, differs, text)} as message,
            artifact as source_file, null as source_line
        from ({parted("{relation}", _CELL, columns)})
        where {each(weights, differs)}
        order by 1
        """,
    )


def _repeated_rule() -> RowRule:
    """Return the rule that boards of the same prompts say the same."""
    # The board of all prompts is the first stratum; the slice file repeats all other files.
    view = "case when view = 'overall' then 'stratum' else view end"
    differs = "(min({name}) <> max({name}) or count({name}) not in (0, count(*)))"
    return RowRule(
        "boards_of_the_same_prompts_are_equal",
        RELATION,
        f"""
        select concat_ws('/', run_id, slice, view, group_name, model_id) as subject,
            concat({told(_FIGURES, differs, "'{name}'")}, ' differ between ',
                array_to_string(list_sort(list(artifact || ' ' || stated_view)), ', '))
                as message,
            min(artifact) as source_file, null as source_line
        from (
            select * exclude (view), {view} as view, view as stated_view from {{relation}}
        )
        group by run_id, slice, view, group_name, model_id
        having {each(_FIGURES, differs)}
        order by 1
        """,
    )


IDENTITIES = (
    _repeated_rule(),
    RowRule(
        "the_slice_board_repeats_every_group",
        RELATION,
        f"""
        with groups as (
            select run_id, view, group_name, artifact = '{_SLICE_FILE}' as is_slice_file
            from {{relation}}
            where slice = '{WHOLE_SLICE}'
        )
        select concat_ws('/', run_id, '{WHOLE_SLICE}', view, group_name) as subject,
            case when bool_or(is_slice_file) then 'only in the slice file'
                else 'not in the slice file' end as message,
            '{_SLICE_FILE}' as source_file, null as source_line
        from groups
        where run_id in (
            select run_id from {{relation}} where artifact = '{_SLICE_FILE}'
        )
        group by run_id, view, group_name
        having bool_and(is_slice_file) or not bool_or(is_slice_file)
        order by 1
        """,
    ),
    RowRule(
        "published_counts_of_parts_add_up",
        RELATION,
        f"""
        select {ROW} as subject, differences as message, artifact as source_file,
            null as source_line
        from ({
            counts_that_differ("{relation}", _CELL, ("n_total", "n_scored", "n_included", *COUNTS))
        })
        order by 1
        """,
    ),
    row_rule(
        "coverage_follows_from_counts",
        "concat('coverage is ', coalesce(cast(coverage as varchar), 'null'), ' of ', n_scored, "
        "' in ', n_total)",
        "n_total > 0 and coalesce(abs(coverage - n_scored / n_total) > 5e-5 + 1e-12 "
        "or abs(coverage * 10000 - round(coverage * 10000)) > 1e-9, true)",
    ),
    row_rule(
        "included_counts_follow_the_policy",
        "concat(missing_policy, ' includes ', n_included, ' of ', n_total, ' prompts, ', "
        "n_scored, ' scored')",
        "case missing_policy when 'zero_fill' then n_included <> n_total "
        "when 'exclude' then n_included <> n_scored "
        "else not n_included between n_scored and n_total end",
    ),
    _weighted_rule(
        "published_components_are_means_of_parts",
        {name: f"{name}_count" for name in COMPONENTS},
    ),
    _weighted_rule(
        "published_overalls_are_means_of_parts", dict.fromkeys(PRIMARY_METRICS, "n_included")
    ),
    row_rule(
        "full_counts_make_overall_9_the_mean_of_nine",
        f"concat('overall_9 is ', overall_9, ', the mean of its nine is ', round({_NINE_MEAN}, 4))",
        f"n_included > 0 and {each(COMPONENTS_9, '{name}_count = n_included', ' and ')} "
        f"and abs(overall_9 - {_NINE_MEAN}) > {_APART}",
    ),
    row_rule(
        "without_text_references_both_overalls_are_one",
        "concat('overall_9 is ', overall_9, ', overall_10 is ', overall_10)",
        f"{EXCLUDED_COMPONENT}_count = 0 and overall_9 is distinct from overall_10",
    ),
    row_rule(
        "one_prompt_has_the_mean_of_its_components",
        f"concat('overalls are ', overall_9, ' and ', overall_10, ', means are ', "
        f"round({_NINE_MEAN}, 4), ' and ', round({_TEN_MEAN}, 4))",
        f"n_included = 1 and (abs(overall_9 - {_NINE_MEAN}) > {_APART} "
        f"or ({EXCLUDED_COMPONENT}_count is not null "
        f"and abs(overall_10 - {_TEN_MEAN}) > {_APART}))",
    ),
    RowRule(
        "both_overalls_order_the_board_alike",
        RELATION,
        f"""
        with ordered as (
            select *,
                row_number() over (
                    partition by run_id, artifact, slice
                    order by overall_9 desc nulls last, display_name, model_id
                ) as place_by_9,
                row_number() over (
                    partition by run_id, artifact, slice
                    order by overall_10 desc nulls last, display_name, model_id
                ) as place_by_10
            from {{relation}}
            where view = 'overall' and slice = '{WHOLE_SLICE}'
        )
        select {GROUP} as subject,
            concat(count(*), ' models have another place by Overall-10, first `',
                min_by(model_id, place_by_9), '`: ', min_by(place_by_9, place_by_9), ' and ',
                min_by(place_by_10, place_by_9)) as message,
            any_value(source_file) as source_file, null as source_line
        from ordered
        where place_by_9 <> place_by_10
        group by run_id, artifact, slice, view, group_name
        order by 1
        """,
        Outcome.WARNED,
    ),
    RowRule(
        "domains_overlap",
        RELATION,
        f"""
        with sizes as (
            select run_id, artifact, slice, view, group_name, max(n_total) as n_total
            from {{relation}}
            where slice = '{WHOLE_SLICE}' and artifact <> '{_SLICE_FILE}'
            group by run_id, artifact, slice, view, group_name
        )
        select domains.run_id as subject,
            concat('domains add up to the ', max(alls.n_total),
                ' prompts; a prompt has many, so each seems cut to one') as message,
            any_value(domains.artifact) as source_file, null as source_line
        from sizes as domains
        inner join sizes as alls
            on domains.run_id = alls.run_id
            and alls.view = 'overall' and alls.group_name = '{ALL_GROUP}'
        where domains.view = 'domain'
        group by domains.run_id
        having sum(domains.n_total) = max(alls.n_total) and max(alls.n_total) >= {_MANY_PROMPTS}
        order by 1
        """,
    ),
)
