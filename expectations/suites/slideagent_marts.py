"""Mart gate of `slideagent`: scores keep their ranges, their grid and their one decision."""

from __future__ import annotations

from expectations.rules import RowRule, Suite
from expectations.suites.summaries import summaries_rules

_SCORES = "marts__fct_slideagent__answer_scores"
_REPORT = "marts__rpt_slideagent__scores"
_NOWHERE = "null as source_file, null as source_line"
_ANSWER = "concat_ws('/', run_id, dataset, question_id, system_id, setting)"
_CELL = "concat_ws('/', run_id, system_id, setting, slice_type, slice, policy)"
_VARIANTS = ("num_any", "num_qscale", "num_rounded", "num_tol1pct")
FIGURES = ("num", *_VARIANTS, "f1", "em", "evidence_f1", "score")

_RULES = (
    RowRule(
        "every_answer_is_published",
        _SCORES,
        f"""
        select {_ANSWER} as subject, 'it is landed and no mart has it' as message,
            source_file, source_line
        from staging.stg_slideagent__answers
        where (run_id, dataset, question_id, system_id, setting) not in (
            select (run_id, dataset, question_id, system_id, setting) from {{relation}}
        )
        order by 1
        """,
    ),
    RowRule(
        "systems_are_held_to_the_same_questions",
        _SCORES,
        f"""
        select concat_ws('/', run_id, dataset, system_id, setting) as subject,
            concat(count(*), ' rows, ', any_value(asked.question_count), ' questions') as message,
            {_NOWHERE}
        from {{relation}}
        inner join (
            select run_id, dataset, count(*) as question_count
            from staging.stg_slideagent__questions
            group by run_id, dataset
        ) as asked using (run_id, dataset)
        group by run_id, dataset, system_id, setting
        having count(*) <> any_value(asked.question_count)
        order by 1
        """,
    ),
    RowRule(
        "scores_are_shares",
        _SCORES,
        " union all ".join(
            f"select {_ANSWER} as subject, concat('{name} is ', {name}) as message, {_NOWHERE} "
            f"from {{relation}} where not {name} between 0 and 1"
            for name in FIGURES
        )
        + " order by 1, 2",
    ),
    RowRule(
        "a_question_is_decided_once",
        _SCORES,
        f"""
        select concat_ws('/', run_id, dataset, question_id) as subject,
            'scored by numbers for some systems and by words for others' as message, {_NOWHERE}
        from {{relation}}
        group by run_id, dataset, question_id
        having count(distinct is_numeric) > 1
        order by 1
        """,
    ),
    RowRule(
        "a_score_is_one_of_both",
        _SCORES,
        f"""
        select {_ANSWER} as subject,
            concat('score ', score, ', num ', num, ', f1 ', f1, ', ', answer_status) as message,
            {_NOWHERE}
        from {{relation}}
        where score is distinct from case when is_numeric then num else f1 end
            or (score is not null) <> (answer_status = 'scored')
        order by 1
        """,
    ),
    RowRule(
        "wider_variants_hold_where_num_does",
        _SCORES,
        f"""
        select {_ANSWER} as subject, 'num is 1 and a wider variant is not' as message, {_NOWHERE}
        from {{relation}}
        where num = 1 and least({", ".join(_VARIANTS)}) < 1
        order by 1
        """,
    ),
    RowRule(
        "overall_lies_between_num_and_f1",
        _REPORT,
        f"""
        select {_CELL} as subject,
            concat('overall ', overall_item, ', num ', num, ', f1 ', f1) as message, {_NOWHERE}
        from {{relation}}
        where n_num + n_lex <> n_total or n_scored > n_total or n_included > n_total
            or (policy = 'missing_as_zero' and n_included <> n_total)
            or overall_item < least(num, f1) - 1e-12
            or overall_item > greatest(num, f1) + 1e-12
            or (num is null or f1 is null) <> (overall_macro is null)
        order by 1
        """,
    ),
)

SUITE = Suite("marts", "slideagent", (*_RULES, *summaries_rules("slideagent")))
