"""Rules of every mart gate over `rpt_metric_summaries`, for the rows of one benchmark."""

from __future__ import annotations

from expectations.rules import RowRule
from warehouse.findings import Outcome

_RELATION = "marts__rpt_metric_summaries"
_CELL = "concat_ws('/', run_id, metric, slice, system_id, condition, audience, policy)"


def summaries_rules(benchmark: str, unless: str = "false") -> tuple[RowRule, ...]:
    """Return the rules that summaries are there, add up and keep their order.

    Args:
        benchmark: whose rows are looked at.
        unless: SQL condition under which a benchmark needs no summaries.
    """
    return (
        RowRule(
            "summaries_are_published",
            _RELATION,
            f"""
            select 'rpt_metric_summaries' as subject, '0 rows, at least 1 expected' as message,
                null as source_file, null as source_line
            from (
                select count(*) as row_count from {{relation}} where benchmark = '{benchmark}'
            ) as counted
            where counted.row_count = 0 and not ({unless})
            """,
            Outcome.NOTHING_SELECTED,
        ),
        _cell_rule(
            benchmark,
            "counts_of_a_cell_add_up",
            "concat('total ', n_total, ', scored ', n_scored, ', included ', n_included, "
            "', undefined ', n_undefined)",
            "n_scored > n_total or n_undefined > n_scored or not scored_share between 0 and 1 "
            "or (policy = 'exclude_failed' and n_included + n_undefined <> n_scored) "
            "or n_included > n_total",
        ),
        _cell_rule(
            benchmark,
            "intervals_hold_their_order",
            "concat('estimate ', estimate, ', interval ', percentile_low, ', ', percentile_high)",
            "percentile_low > percentile_high or expanded_low > expanded_high "
            "or expanded_low > percentile_low + 1e-12 "
            "or expanded_high < percentile_high - 1e-12 "
            "or (n_included < 2 and interval_method <> 'none')",
        ),
    )


def _cell_rule(benchmark: str, name: str, message: str, condition: str) -> RowRule:
    return RowRule(
        name,
        _RELATION,
        f"select {_CELL} as subject, {message} as message, "
        "null as source_file, null as source_line from {relation} "
        f"where benchmark = '{benchmark}' and ({condition}) order by 1",
    )
