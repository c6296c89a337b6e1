"""Mart gate of `searchgen`: boards are whole, add up, keep to their policies and to their judge."""

from __future__ import annotations

from expectations.rules import RowRule, Suite
from expectations.suites.searchgen_boards import BOARDS
from expectations.suites.searchgen_denominators import DENOMINATORS
from expectations.suites.searchgen_fragments import NOWHERE, PAIR
from expectations.suites.summaries import summaries_rules
from warehouse.contracts.searchgen_values import PRIMARY_METRICS, WHOLE_SLICE
from warehouse.findings import Outcome

_BOARDS = "marts__rpt_searchgen__leaderboards"
_SCORES = "marts__fct_searchgen__prompt_scores"
_RECONCILIATIONS = "marts__fct_searchgen__aggregate_reconciliations"
# A published release without its prompts has boards to look at and none of ours.
_BOARDS_ALONE = """
    exists (select 1 from marts.fct_searchgen__aggregate_reconciliations)
    and not exists (select 1 from staging.stg_searchgen__runs)
"""

_PUBLISHED = (
    RowRule(
        "boards_are_published",
        _BOARDS,
        f"""
        select 'rpt_searchgen__leaderboards' as subject, '0 rows, at least 1 expected' as message,
            {NOWHERE}
        from (select count(*) as row_count from {{relation}}) as counted
        where counted.row_count = 0 and not ({_BOARDS_ALONE})
        """,
        Outcome.NOTHING_SELECTED,
    ),
    RowRule(
        "every_landed_release_has_boards",
        _BOARDS,
        """
        select run_id as subject, 'its results are landed and no board has them' as message,
            source_file, null as source_line
        from staging.stg_searchgen__runs
        where run_id not in (select run_id from {relation})
        order by 1
        """,
    ),
    RowRule(
        "every_result_is_published",
        _SCORES,
        f"""
        with landed as (
            select run_id, sample_id, source_id, lane, count(*) as landed_count,
                any_value(source_file) as source_file, any_value(source_line) as source_line
            from staging.stg_searchgen__prompt_scores
            group by all
        ),
        facts as (
            select run_id, sample_id, source_id, lane, count(*) as fact_count
            from {{relation}}
            group by all
        )
        select {PAIR} as subject,
            concat(coalesce(fact_count, 0), ' rows, ', coalesce(landed_count, 0), ' landed')
                as message,
            source_file, source_line
        from landed
        full outer join facts using (run_id, sample_id, source_id, lane)
        where landed_count is distinct from fact_count
        order by 1
        """,
    ),
    RowRule(
        "boards_never_pool_judges",
        _BOARDS,
        f"""
        with judges as (
            select run_id, source_id,
                count(distinct (evaluation_config_id, judge_id, judge_kind)) as judge_count,
                min(evaluation_config_id) as evaluation_config_id,
                min(judge_id) as judge_id,
                min(judge_kind) as judge_kind
            from marts.fct_searchgen__prompt_scores
            where is_published_lane
            group by run_id, source_id
        )
        select distinct concat_ws('/', boards.run_id, boards.source_id) as subject,
            concat('the board names ', boards.judge_id, ', ', judges.judge_count,
                ' judges are behind it, among them ', judges.judge_id) as message,
            {NOWHERE}
        from {{relation}} as boards
        inner join judges
            on boards.run_id = judges.run_id and boards.source_id = judges.source_id
        where judges.judge_count <> 1
            or boards.evaluation_config_id <> judges.evaluation_config_id
            or boards.judge_id <> judges.judge_id
            or boards.judge_kind <> judges.judge_kind
        order by 1
        """,
    ),
    RowRule(
        "published_boards_equal_ours",
        _RECONCILIATIONS,
        """
        select concat_ws('/', run_id, artifact, slice, view, group_name, model_id, metric)
                as subject,
            concat('published ', coalesce(cast(published_value as varchar), 'null'),
                ', recomputed ', coalesce(cast(recomputed_value as varchar), 'null'))
                as message,
            artifact as source_file, null as source_line
        from {relation}
        where reconciliation_status in ('differs', 'null_mismatch')
        order by 1
        """,
    ),
)


def _summary_rule(metric: str) -> RowRule:
    """Return the rule that the summaries of a metric are the figures of the boards.

    What a component applies to changes no overall, so that policy has no summaries of its own.
    """
    return RowRule(
        f"summaries_agree_with_boards_on_{metric}",
        _BOARDS,
        f"""
        with boards as (
            select run_id, case when view = 'overall' then 'all' else view end as slice_type,
                case when view = 'overall' then 'all' else group_name end as slice,
                source_id as system_id, policy, n_total, n_scored,
                {metric}_count as n_valued, {metric} as estimate
            from {{relation}}
            where slice = '{WHOLE_SLICE}' and policy <> 'applicability_aware'
                and not (view = 'stratum' and group_name = 'All')
        ),
        summaries as (
            select run_id, slice_type, slice, system_id, policy, n_total, n_scored,
                n_included as n_valued, estimate
            from marts.rpt_metric_summaries
            where benchmark = 'searchgen' and metric = '{metric}'
        )
        select concat_ws('/', run_id, slice_type, slice, policy, system_id) as subject,
            concat('on the board ', coalesce(cast(boards.estimate as varchar), 'null'), ' of ',
                boards.n_valued, ', in the summary ',
                coalesce(cast(summaries.estimate as varchar), 'null'), ' of ',
                summaries.n_valued) as message,
            {NOWHERE}
        from boards
        full outer join summaries using (run_id, slice_type, slice, system_id, policy)
        where boards.n_valued is distinct from summaries.n_valued
            or boards.n_total <> summaries.n_total
            or boards.n_scored <> summaries.n_scored
            or (boards.estimate is null) <> (summaries.estimate is null)
            or abs(boards.estimate - summaries.estimate) > 1e-9
        order by 1
        """,
    )


SUITE = Suite(
    "marts",
    "searchgen",
    (
        *_PUBLISHED,
        *BOARDS,
        *DENOMINATORS,
        *summaries_rules("searchgen", unless=_BOARDS_ALONE),
        *(_summary_rule(metric) for metric in PRIMARY_METRICS),
    ),
)
