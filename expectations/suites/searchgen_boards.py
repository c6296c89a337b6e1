"""Mart rules of `searchgen` about boards: who is on them, ranges, rounding, ranks, flags."""

from __future__ import annotations

from expectations.rules import RowRule
from expectations.suites.searchgen_fragments import COUNTS, NOWHERE, counts_that_differ, each, told
from warehouse.contracts.searchgen_values import (
    COMPONENTS,
    EXCLUDED_COMPONENT,
    MISSING_STATUSES,
    PRIMARY_METRICS,
)
from warehouse.findings import Outcome

POLICIES = (
    "published",
    "all_zero_fill",
    "all_exclude",
    "common_prompts",
    "applicability_aware",
)
RELATION = "marts__rpt_searchgen__leaderboards"
CELL = "concat_ws('/', run_id, slice, view, group_name, policy, source_id)"
_BOARD = "run_id, slice, view, group_name, policy"
_SCORES = (*PRIMARY_METRICS, *COMPONENTS)
_SCORE_COUNTS = (*(f"{name}_count" for name in PRIMARY_METRICS), *COUNTS)
_MISSING = " + ".join(f"n_{status}" for status in MISSING_STATUSES)
_PRIMARY = "case primary_metric when 'overall_9' then overall_9 else overall_10 end"
_IS_OFF_SCALE = "not {name} between 0 and 100 + 1e-9 or isnan({name})"
_IS_ODD_NULL = "({name}_count = 0) <> ({name} is null)"
_IS_NOT_ROUNDED = "{name}_rounded is distinct from round_even({name}, 1)"
_IS_OFF_INTERVAL = "{name}_low > {name}_high"


def _board_rule(
    name: str, message: str, condition: str, outcome: Outcome = Outcome.FAILED
) -> RowRule:
    return RowRule(
        name,
        RELATION,
        f"select {CELL} as subject, {message} as message, {NOWHERE} "
        f"from {{relation}} where {condition} order by 1",
        outcome,
    )


def _ranked_rule(name: str, column: str, expected: str) -> RowRule:
    """Return the rule that a column of ranks is what a window over the board gives."""
    return RowRule(
        name,
        RELATION,
        f"""
        select {CELL} as subject,
            concat('{column} is ', coalesce(cast({column} as varchar), 'null'), ', not ',
                coalesce(cast(expected as varchar), 'null')) as message,
            {NOWHERE}
        from (select *, {expected} as expected from {{relation}})
        where {column} is distinct from expected
        order by 1
        """,
    )


BOARDS = (
    RowRule(
        "every_board_lists_every_model_once",
        RELATION,
        f"""
        with boards as (select distinct {_BOARD} from {{relation}})
        select {CELL} as subject,
            concat(count(found.n_total), ' rows of this model on the board, one expected')
                as message,
            {NOWHERE}
        from boards
        inner join staging.stg_searchgen__models as models using (run_id)
        left join {{relation}} as found using ({_BOARD}, source_id)
        group by {_BOARD}, source_id
        having count(found.n_total) <> 1
        order by 1
        """,
    ),
    RowRule(
        "every_group_has_every_policy",
        RELATION,
        f"""
        with policies as (select unnest({list(POLICIES)}) as policy),
        groups as (select distinct run_id, slice, view, group_name from {{relation}})
        select concat_ws('/', groups.run_id, groups.slice, groups.view, groups.group_name,
                policies.policy) as subject,
            'the group has no board of this policy' as message,
            {NOWHERE}
        from groups
        cross join policies
        left join (select distinct {_BOARD} from {{relation}}) as boards
            using (run_id, slice, view, group_name, policy)
        where boards.run_id is null
        order by 1
        """,
    ),
    _board_rule(
        "counts_of_a_board_row_add_up",
        f"concat(n_total, ' prompts, ', n_scored, ' scored, ', {_MISSING}, ' missing, ', "
        "n_included, ' included, share ', scored_share)",
        f"n_total < 1 or n_scored + {_MISSING} > n_total or n_included > n_total "
        "or scored_share is null or abs(scored_share - n_scored / n_total) > 1e-12 "
        f"or greatest({', '.join(_SCORE_COUNTS)}) > n_included",
    ),
    _board_rule(
        "board_rows_count_a_record_of_every_prompt",
        f"concat(n_total - n_scored - ({_MISSING}), ' prompts have no record of this model; "
        "they count in n_total alone')",
        f"n_scored + {_MISSING} < n_total and policy = 'published' and view = 'overall'",
        Outcome.INCOMPLETE,
    ),
    RowRule(
        "counts_of_parts_of_a_board_add_up",
        RELATION,
        f"""
        select {CELL} as subject, differences as message, {NOWHERE}
        from ({
            counts_that_differ(
                "{relation}",
                ("run_id", "slice", "view", "policy", "source_id"),
                (
                    *("n_total", "n_scored", "n_included"),
                    *(f"n_{status}" for status in MISSING_STATUSES),
                    *_SCORE_COUNTS,
                ),
            )
        })
        order by 1
        """,
    ),
    _board_rule(
        "board_scores_lie_between_0_and_100",
        told(_SCORES, _IS_OFF_SCALE, "concat('{name} is ', {name})"),
        each(_SCORES, f"({_IS_OFF_SCALE})"),
    ),
    _board_rule(
        "board_scores_are_null_where_nothing_counts",
        told(
            _SCORES,
            _IS_ODD_NULL,
            "concat('{name} is ', coalesce(cast({name} as varchar), 'null'), ' of ', {name}_count)",
        ),
        each(_SCORES, _IS_ODD_NULL),
    ),
    _board_rule(
        "both_overalls_are_one_where_no_text_reference_counts",
        "concat('overall_9 is ', overall_9, ', overall_10 is ', overall_10)",
        f"{EXCLUDED_COMPONENT}_count = 0 and (abs(overall_9 - overall_10) > 1e-9 "
        "or (overall_9 is null) <> (overall_10 is null))",
    ),
    _board_rule(
        "overalls_are_rounded_once",
        told(
            PRIMARY_METRICS,
            _IS_NOT_ROUNDED,
            "concat('{name} is ', coalesce(cast({name} as varchar), 'null'), ', rounded ', "
            "coalesce(cast({name}_rounded as varchar), 'null'))",
        ),
        each(PRIMARY_METRICS, _IS_NOT_ROUNDED),
    ),
    _ranked_rule(
        "ranks_follow_the_unrounded_score",
        "model_rank",
        f"case when {_PRIMARY} is not null then rank() over (partition by {_BOARD} "
        f"order by {_PRIMARY} desc nulls last) end",
    ),
    _ranked_rule(
        "published_ranks_follow_score_and_name",
        "rank_published",
        f"row_number() over (partition by {_BOARD} order by case primary_metric "
        "when 'overall_9' then overall_9_rounded else overall_10_rounded end desc nulls last, "
        "display_name, source_id)",
    ),
    _ranked_rule(
        "rank_changes_are_those_from_the_published_policy",
        "rank_change",
        "max(case when policy = 'published' then model_rank end) over "
        "(partition by run_id, slice, view, group_name, source_id) - model_rank",
    ),
    _board_rule(
        "board_intervals_hold_their_order",
        "concat('overall_9 ', overall_9_low, ' to ', overall_9_high, ', overall_10 ', "
        "overall_10_low, ' to ', overall_10_high, ', ranks ', rank_low, ' to ', rank_high)",
        f"{each(PRIMARY_METRICS, _IS_OFF_INTERVAL)} or rank_low > rank_high or rank_low < 1",
    ),
    _board_rule(
        "flags_follow_the_counts",
        "concat('share ', scored_share, ', least ', minimum_coverage, ', included ', n_included, "
        "', low coverage ', is_low_coverage, ', small sample ', is_small_sample)",
        "is_low_coverage is distinct from (scored_share < minimum_coverage) "
        "or is_small_sample is distinct from (n_included < 10)",
    ),
)
