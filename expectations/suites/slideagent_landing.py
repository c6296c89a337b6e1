"""Landing gate of `slideagent`: questions, answers, and what was read out of both."""

from __future__ import annotations

from expectations.rules import RowRule, Suite
from expectations.suites.landed_rows import manifests_rule, rejects_rule
from warehouse.findings import Outcome

NOUNS = ("questions", "answers", "numbers", "comparisons")
_QUESTION = "concat_ws('/', run_id, dataset, question_id)"
_ANSWER = "concat_ws('/', run_id, dataset, question_id, system_id, setting)"
_PLACE = "source_file, source_line"

_RULES = (
    RowRule(
        "something_is_landed",
        "slideagent__answers",
        """
        select 'slideagent' as subject, 'no answers are landed' as message,
            null as source_file, null as source_line
        from (select count(*) as row_count from {relation}) as counted
        where counted.row_count = 0
        """,
        Outcome.NOTHING_SELECTED,
    ),
    rejects_rule("slideagent"),
    manifests_rule("slideagent", NOUNS),
    RowRule(
        "answers_are_to_landed_questions",
        "slideagent__answers",
        f"""
        select {_ANSWER} as subject, 'no such question is landed' as message, {_PLACE}
        from {{relation}}
        where (run_id, dataset, question_id) not in (
            select (run_id, dataset, question_id) from slideagent.questions
        )
        order by 1
        """,
    ),
    RowRule(
        "questions_have_gold_answers",
        "slideagent__questions",
        f"""
        select {_QUESTION} as subject, 'no gold answer, so nothing can be scored' as message,
            {_PLACE}
        from {{relation}}
        where len(gold_answers) = 0
        order by 1
        """,
        Outcome.INCOMPLETE,
    ),
    RowRule(
        "numeric_questions_have_numbers",
        "slideagent__questions",
        f"""
        select {_QUESTION} as subject,
            concat('it is scored by numbers (', numeric_method, '), and a gold answer has none')
                as message,
            {_PLACE}
        from {{relation}}
        where is_numeric and (run_id, dataset, question_id) in (
            select (run_id, dataset, question_id) from slideagent.numbers
            where side = 'gold' and number_count = 0
        )
        order by 1
        """,
    ),
    RowRule(
        "every_answer_is_compared",
        "slideagent__answers",
        f"""
        select {_ANSWER} as subject, 'no gold answer was held against it' as message, {_PLACE}
        from {{relation}}
        where trim(coalesce(answer, '')) <> ''
            and (run_id, dataset, question_id) in (
                select (run_id, dataset, question_id) from slideagent.questions
                where len(gold_answers) > 0
            )
            and (run_id, dataset, question_id, system_id, setting) not in (
                select (run_id, dataset, question_id, system_id, setting)
                from slideagent.comparisons
            )
        order by 1
        """,
    ),
    RowRule(
        "numbers_are_compared_by_one_policy",
        "slideagent__comparisons",
        f"""
        select {_ANSWER} as subject,
            concat('compared by ', comparisons.number_policy, ', decided by ',
                questions.number_policy) as message,
            comparisons.source_file, comparisons.source_line
        from {{relation}} as comparisons
        inner join slideagent.questions as questions
            using (run_id, dataset, question_id)
        where comparisons.number_policy <> questions.number_policy
            or (comparisons.num is not null) <> questions.is_numeric
        order by 1
        """,
    ),
)

SUITE = Suite("landing", "slideagent", _RULES)
