"""Mart gate of `xslides`: ranges, identities, partitions and coverage of the grid."""

from __future__ import annotations

from expectations.rules import RowRule, Suite
from expectations.suites.summaries import summaries_rules
from expectations.suites.xslides_imported import IMPORTED_MARTS
from expectations.suites.xslides_judges import JUDGE_MARTS

_SCORES = "fct_xslides__deck_audience_scores"
_DOMAINS = "fct_xslides__domain_recoveries"
_SUMMARIES = "rpt_metric_summaries"
_REPEATABILITY = "rpt_judge_repeatability"
_WHO = "concat_ws('/', run_id, system_id, condition, audience, case_id, 'tau ' || tau_a)"
_NOWHERE = "null as source_file, null as source_line"


def _scores_rule(name: str, message: str, condition: str) -> RowRule:
    return RowRule(
        name,
        f"marts__{_SCORES}",
        f"select {_WHO} as subject, {message} as message, {_NOWHERE} "
        f"from {{relation}} where {condition} order by 1",
    )


SUITE = Suite(
    "marts",
    "xslides",
    (
        *IMPORTED_MARTS,
        *JUDGE_MARTS,
        _scores_rule(
            "coverages_lie_between_0_and_1",
            "concat('coverage is ', coverage, ', bounds ', coverage_low, ', ', coverage_high)",
            "not coverage between 0 and 1 or not coverage_low between 0 and 1 "
            "or not coverage_high between 0 and 1 + 1e-12 or coverage_low > coverage + 1e-12 "
            "or coverage > coverage_high + 1e-12 or not coverage_unweighted between 0 and 1",
        ),
        _scores_rule(
            "utilities_stay_within_their_bounds",
            "concat('recovered ', recovered_utility, ' of ', available_utility)",
            "recovered_utility < 0 or recovered_utility > available_utility + 1e-12 "
            "or available_utility > included_probe_count + 1e-9 "
            "or available_utility < tau_a * included_probe_count - 1e-6",
        ),
        _scores_rule(
            "safe_efficiency_never_exceeds_efficiency",
            "concat(safe_efficiency_time, ' above ', efficiency_time)",
            "safe_efficiency_time > efficiency_time + 1e-12 or not correctness between 0 and 1",
        ),
        _scores_rule(
            "efficiencies_are_finite",
            "'an efficiency is infinite or not a number'",
            " or ".join(
                f"isnan({name}) or isinf({name}) or {name} < 0"
                for name in ("efficiency_time", "efficiency_slide", "efficiency_word")
            ),
        ),
        _scores_rule(
            "only_evaluations_that_ran_have_metrics",
            "concat('status ', evaluation_status, ', coverage ', coverage)",
            "(evaluation_status in ('ok', 'incomplete_scores')) = (recovered_utility is null)",
        ),
        RowRule(
            "domains_add_up_to_the_total",
            f"marts__{_DOMAINS}",
            f"""
            select scores.evaluation_id || '/' || scores.tau_a as subject,
                concat('available ', any_value(scores.available_utility), ', by domain ',
                    sum(domains.available_utility)) as message,
                {_NOWHERE}
            from marts.{_SCORES} as scores
            left join {{relation}} as domains
                on scores.evaluation_id = domains.evaluation_id
                and scores.tau_a_thousandths = domains.tau_a_thousandths
            where scores.available_utility is not null
            group by scores.evaluation_id, scores.tau_a
            having abs(any_value(scores.available_utility)
                    - coalesce(sum(domains.available_utility), 0)) > 1e-9
                or abs(coalesce(any_value(scores.recovered_utility), 0)
                    - coalesce(sum(domains.recovered_utility), 0)) > 1e-9
            order by 1
            """,
        ),
        RowRule(
            "the_whole_grid_is_published",
            f"marts__{_SCORES}",
            f"""
            with thresholds as (
                select count(*) as count from intermediate.int_tau_thresholds_listed
            ),
            published as (
                select evaluation_id, count(*) as count from {{relation}} group by evaluation_id
            )
            select ev.evaluation_id as subject,
                concat(coalesce(published.count, 0), ' rows, one a threshold expected') as message,
                {_NOWHERE}
            from staging.stg_xslides__evaluations as ev
            cross join thresholds
            left join published on ev.evaluation_id = published.evaluation_id
            where coalesce(published.count, 0) <> thresholds.count
            order by 1
            """,
        ),
        RowRule(
            "summaries_partition_the_facts",
            f"marts__{_SUMMARIES}",
            f"""
            with cells as (
                select run_id, judge_kind, tau_a_thousandths, sum(n_total) as row_count
                from {{relation}}
                where benchmark = 'xslides' and metric = 'coverage' and slice_type = 'all'
                    and policy = 'exclude_failed'
                group by all
            ),
            facts as (
                select run_id, judge_kind, tau_a_thousandths, count(*) as row_count
                from marts.{_SCORES} group by all
                union all
                select run_id, 'imported', tau_a_thousandths, count(*)
                from marts.fct_xslides__metric_reconciliations
                where metric = 'coverage' group by all
            )
            select concat_ws('/', coalesce(facts.run_id, cells.run_id), facts.judge_kind,
                    facts.tau_a_thousandths) as subject,
                concat(coalesce(facts.row_count, 0), ' rows, ', coalesce(cells.row_count, 0),
                    ' in cells') as message,
                {_NOWHERE}
            from facts
            full outer join cells
                on facts.run_id = cells.run_id
                and facts.judge_kind = cells.judge_kind
                and facts.tau_a_thousandths = cells.tau_a_thousandths
            where facts.row_count is distinct from cells.row_count
            order by 1
            """,
        ),
        RowRule(
            "repeatability_stays_within_its_bounds",
            f"marts__{_REPEATABILITY}",
            f"""
            select concat_ws('/', run_id, system_id, condition, judge_id, variant, repeat_source)
                    as subject,
                concat(repeatability_status, ', agreement ', agreement_share, ', alpha ',
                    krippendorff_alpha, ', ', n_disagreeing_pairs, ' of ', n_rating_pairs,
                    ' pairs disagree') as message,
                {_NOWHERE}
            from {{relation}}
            where not agreement_share between 0 and 1
                or krippendorff_alpha > 1
                or n_disagreeing_pairs > n_rating_pairs
                or n_unanimous_probes > n_repeated_probes
                or n_covered_ratings > n_ratings
                or (repeatability_status in ('measured', 'no_variation'))
                    <> (agreement_share is not null)
                or (repeatability_status = 'measured') <> (krippendorff_alpha is not null)
                or percentile_low > percentile_high
                or expanded_low > percentile_low
                or expanded_high < percentile_high
            order by 1
            """,
        ),
        *summaries_rules("xslides"),
    ),
)
