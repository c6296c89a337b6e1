"""Mart gate of judges: agreement stays within its bounds, and no judge has drifted."""

from __future__ import annotations

from expectations.rules import RowRule

_NOWHERE = "null as source_file, null as source_line"

JUDGE_MARTS = (
    RowRule(
        "judge_agreements_stay_within_their_bounds",
        "marts__rpt_judge_agreements",
        f"""
        select concat_ws('/', task, first_run_id, second_run_id, system_id, condition, audience,
                variant) as subject,
            concat(kappa_status, ', agreement ', agreement_share, ', kappa ', cohens_kappa, ', ',
                n_agreeing, ' of ', n_compared, ' agree') as message,
            {_NOWHERE}
        from {{relation}}
        where not agreement_share between 0 and 1
            or not cohens_kappa between -1 and 1
            or n_agreeing > n_compared
            or n_first_covered > n_compared
            or n_second_covered > n_compared
            or least(n_first_unmatched, n_second_unmatched, n_dropped_first, n_dropped_second) < 0
            or (kappa_status = 'nothing_in_common') <> (agreement_share is null)
            or (kappa_status = 'measured') <> (cohens_kappa is not null)
            or percentile_low > percentile_high
        order by 1
        """,
    ),
    RowRule(
        "judge_has_not_drifted",
        "marts__rpt_judge_drift",
        f"""
        select concat_ws('/', drift.set_name, drift.task, drift.judge_kind, drift.judge_id)
                as subject,
            concat(drift.drift_status, ': accuracy ', round(drift.accuracy_share, 3), ' after ',
                round(drift.previous_accuracy_share, 3), ', agreement ',
                round(drift.agreement_share, 3), ', ', drift.n_changed, ' of ', drift.n_items,
                ' items changed since ', drift.previous_run_id,
                case when drift.is_model_changed then '; other model served' else '' end,
                case when drift.is_prompt_changed then '; other prompt' else '' end) as message,
            {_NOWHERE}
        from {{relation}} as drift
        where drift.is_latest and drift.is_alarm
        order by 1
        """,
    ),
)
