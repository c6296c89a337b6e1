"""Rules of `xslides` about metrics that another tool computed, in both gates."""

from __future__ import annotations

from expectations.rules import RowRule
from warehouse.findings import Outcome

_WHO = (
    "concat_ws('/', im.system_id, im.condition, im.audience, "
    "case when im.variant = '' then im.case_label else im.case_label || '@' || im.variant end, "
    "im.metric)"
)
_IS_SHARE = "im.metric in ('coverage', 'coverage_unweighted', 'correctness')"
# A root may hold metrics and nothing to compute them from.
_METRICS_ALONE = """
    exists (select 1 from xslides.imported_metrics)
    and not exists (select 1 from xslides.probes)
    and not exists (select 1 from xslides.weights)
    and not exists (select 1 from xslides.evaluations)
    and not exists (select 1 from xslides.probe_scores)
"""
_RECONCILIATIONS = "fct_xslides__metric_reconciliations"


def landed_rule(noun: str) -> RowRule:
    """Return the rule that a table holds rows, unless imported metrics are all there is."""
    return RowRule(
        f"{noun}_are_landed",
        f"xslides__{noun}",
        f"""
        select 'xslides__{noun}' as subject, '0 rows, at least 1 expected' as message,
            null as source_file, null as source_line
        from (select count(*) as row_count from {{relation}}) as counted
        where counted.row_count = 0 and not ({_METRICS_ALONE})
        """,
        Outcome.NOTHING_SELECTED,
    )


IMPORTED_RANGES = (
    RowRule(
        "imported_values_lie_in_their_range",
        "xslides__imported_metrics",
        f"""
        select {_WHO} as subject,
            concat(im.metric, ' is ', im.value, ', it lies between 0 and ',
                case when {_IS_SHARE} then '1' else 'no upper end' end) as message,
            im.source_file, null as source_line
        from {{relation}} as im
        where im.value < 0 or ({_IS_SHARE} and im.value > 1)
        order by im.source_file, 1
        """,
    ),
    RowRule(
        "imported_utilities_fit_each_other",
        "xslides__imported_metrics",
        # Rounded at four digits, each side may be off by half of the last one.
        f"""
        select {_WHO} as subject,
            concat(im.metric, ' is ', im.value, ', ', bound.metric, ' is ', bound.value)
                as message,
            im.source_file, null as source_line
        from {{relation}} as im
        inner join {{relation}} as bound
            on im.source_file = bound.source_file and im.run_id = bound.run_id
        where im.value > bound.value + 1e-4
            and (im.metric, bound.metric) in (
                ('recovered_utility', 'available_utility'),
                ('available_utility', 'included_probe_count')
            )
        order by im.source_file, 1
        """,
    ),
)

IMPORTED_MARTS = (
    RowRule(
        "scores_are_published",
        "marts__fct_xslides__deck_audience_scores",
        f"""
        select 'fct_xslides__deck_audience_scores' as subject,
            '0 rows, at least 1 expected' as message,
            null as source_file, null as source_line
        from (select count(*) as row_count from {{relation}}) as counted
        where counted.row_count = 0
            and not exists (select 1 from marts.{_RECONCILIATIONS})
        """,
        Outcome.NOTHING_SELECTED,
    ),
    RowRule(
        "imported_metrics_equal_recomputed_ones",
        f"marts__{_RECONCILIATIONS}",
        """
        select
            concat_ws('/', run_id, system_id, condition, audience,
                case when variant = '' then case_id else case_id || '@' || variant end,
                'tau ' || tau_a, metric) as subject,
            concat('imported ', coalesce(cast(imported_value as varchar), 'null'),
                ', recomputed ', coalesce(cast(recomputed_value as varchar), 'null'))
                as message,
            source_file, null as source_line
        from {relation}
        where reconciliation_status = 'differs'
        order by source_file, 1
        """,
        Outcome.WARNED,
    ),
)
