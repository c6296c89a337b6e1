"""Mart rules of `rageval` about retrieval: every query is scored at every stage, in range."""

from __future__ import annotations

from expectations.rules import RowRule

_SCORES = "marts__fct_rageval__retrieval_scores"
_NOWHERE = "null as source_file, null as source_line"
_CELL = "concat_ws('/', run_id, system_id, question_id, stage)"
FIGURES = (
    "recall_at_1",
    "recall_at_5",
    "recall_at_20",
    "hit_at_1",
    "hit_at_5",
    "reciprocal_rank",
)

RETRIEVAL_FIGURES = (
    RowRule(
        "every_query_is_scored_at_every_stage",
        _SCORES,
        f"""
        with asked as (
            select run_id, system_id, count(*) as query_count
            from staging.stg_rageval__rewrites
            where (run_id, system_id) in (
                select (run_id, system_id) from staging.stg_rageval__hits
            )
            group by run_id, system_id
        ),
        scored as (
            select run_id, system_id, count(*) as row_count, count(distinct stage) as stage_count
            from {{relation}}
            group by run_id, system_id
        )
        select concat_ws('/', run_id, system_id) as subject,
            concat(query_count, ' queries, ', coalesce(stage_count, 0), ' stages, ',
                coalesce(row_count, 0), ' rows') as message,
            {_NOWHERE}
        from asked
        left join scored using (run_id, system_id)
        where coalesce(row_count, 0) <> query_count * coalesce(stage_count, 1)
        order by 1
        """,
    ),
    RowRule(
        "retrieval_figures_are_shares",
        _SCORES,
        " union all ".join(
            f"select {_CELL} as subject, concat('{name} is ', {name}, ' of ', gold_page_count, "
            f"' gold pages') as message, {_NOWHERE} from {{relation}} "
            f"where not {name} between 0 and 1 or ({name} is null) <> (gold_page_count = 0)"
            for name in FIGURES
        )
        + " order by 1, 2",
    ),
    RowRule(
        "recall_grows_with_depth",
        _SCORES,
        f"""
        select {_CELL} as subject,
            concat('recall ', recall_at_1, ', ', recall_at_5, ', ', recall_at_20,
                ' with the first gold page at ', first_gold_rank) as message,
            {_NOWHERE}
        from {{relation}}
        where recall_at_1 > recall_at_5 or recall_at_5 > recall_at_20
            or (recall_at_20 > 0 and first_gold_rank is null)
            or first_gold_rank > hit_count
        order by 1
        """,
    ),
)
