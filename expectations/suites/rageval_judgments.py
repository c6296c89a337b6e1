"""Landing rules of `rageval` about judged answers: statements, verdicts, preferences."""

from __future__ import annotations

from expectations.rules import RowRule
from warehouse.findings import Outcome

_JUDGMENT = "concat_ws('/', run_id, system_id, question_id, metric)"
_PLACE = "source_file, source_line"
_JUDGED = "judgment_status in ('scored', 'abstained')"
# Which sides have statements, and what each is held against first of all.
_PREMISES = """
    select * from (values
        ('fastrageval', 'reference', 'response'), ('fastrageval', 'response', 'reference'),
        ('ragchecker', 'reference', 'response'), ('ragchecker', 'response', 'reference'),
        ('consistency', 'response', 'source'), ('consistency_mm', 'response', 'source'),
        ('claims', 'response', 'reference')
    ) as premises (metric, side, premise)
"""

JUDGMENTS = (
    RowRule(
        "judgments_are_of_landed_answers",
        "rageval__judgments",
        f"""
        select {_JUDGMENT} as subject, 'no such answer is landed' as message, {_PLACE}
        from {{relation}}
        where (run_id, system_id, question_id) not in (
            select (run_id, system_id, question_id) from rageval.answers
        )
        order by 1
        """,
    ),
    RowRule(
        "judgments_can_be_read",
        "rageval__judgments",
        f"""
        select {_JUDGMENT} as subject, concat('the judgment is invalid: ', status_reason)
            as message, {_PLACE}
        from {{relation}}
        where judgment_status = 'invalid'
        order by 1
        """,
        Outcome.INCOMPLETE,
    ),
    RowRule(
        "statements_are_numbered_without_holes",
        "rageval__judgments",
        f"""
        with counted as (
            select judgment_id, side, count(*) as statement_count,
                max(statement_number) as last_number
            from rageval.statements
            group by judgment_id, side
        ),
        stated as (
            select *, unnest(['reference', 'response']) as side,
                unnest([reference_count, response_count]) as stated_count
            from {{relation}}
            where {_JUDGED}
        )
        select {_JUDGMENT} as subject,
            concat(stated.side, ': ', stated.stated_count, ' statements are stated, ',
                coalesce(counted.statement_count, 0), ' are there, the last is number ',
                coalesce(counted.last_number, 0)) as message,
            {_PLACE}
        from stated
        left join counted
            on stated.judgment_id = counted.judgment_id and stated.side = counted.side
        where stated.stated_count <> coalesce(counted.statement_count, 0)
            or coalesce(counted.last_number, 0) <> coalesce(counted.statement_count, 0)
        order by 1, 2
        """,
    ),
    RowRule(
        "every_statement_has_one_label",
        "rageval__statements",
        f"""
        with premises as ({_PREMISES}),
        labelled as (
            select judgment_id, side, statement_number, premise, count(*) as label_count
            from rageval.verdicts
            where premise <> 'passage'
            group by all
        )
        select concat_ws('/', judgments.run_id, judgments.system_id, judgments.question_id,
                judgments.metric, statements.side, statements.statement_number) as subject,
            concat(coalesce(labelled.label_count, 0), ' labels against the ', premises.premise)
                as message,
            statements.source_file, statements.source_line
        from {{relation}} as statements
        inner join rageval.judgments as judgments
            on statements.judgment_id = judgments.judgment_id
        inner join premises
            on judgments.metric = premises.metric and statements.side = premises.side
        left join labelled
            on statements.judgment_id = labelled.judgment_id
            and statements.side = labelled.side
            and statements.statement_number = labelled.statement_number
            and premises.premise = labelled.premise
        where coalesce(labelled.label_count, 0) <> 1
        order by 1
        """,
    ),
    RowRule(
        "every_verdict_is_of_a_statement",
        "rageval__verdicts",
        f"""
        select concat_ws('/', judgment_id, side, statement_number, premise, passage_number)
                as subject,
            'no such statement is landed' as message, {_PLACE}
        from {{relation}}
        where (judgment_id, side, statement_number) not in (
            select (judgment_id, side, statement_number) from rageval.statements
        )
        order by 1
        """,
    ),
    RowRule(
        "every_passage_is_judged",
        "rageval__judgments",
        f"""
        with judged as (
            select judgment_id, count(*) as verdict_count
            from rageval.verdicts
            where premise = 'passage'
            group by judgment_id
        )
        select {_JUDGMENT} as subject,
            concat(coalesce(judged.verdict_count, 0), ' labels against passages, ',
                (reference_count + response_count) * passage_count, ' expected') as message,
            {_PLACE}
        from {{relation}} as judgments
        left join judged on judgments.judgment_id = judged.judgment_id
        where metric = 'ragchecker' and {_JUDGED}
            and coalesce(judged.verdict_count, 0)
                <> (reference_count + response_count) * passage_count
        order by 1
        """,
    ),
    RowRule(
        "files_agree_on_a_question",
        "rageval__questions",
        """
        select concat_ws('/', dataset_id, question_id) as subject,
            concat(count(distinct (question, gold_answers)), ' wordings or gold answers of it')
                as message,
            min(source_file) as source_file, null as source_line
        from {relation}
        group by dataset_id, question_id
        having count(distinct (question, gold_answers)) > 1
        order by 1
        """,
    ),
    RowRule(
        "preferences_are_of_scored_pairs",
        "rageval__preferences",
        f"""
        select concat_ws('/', dataset_id, preference_set, pair_id, annotator, aspect)
                as subject,
            'no metric scores this pair' as message, {_PLACE}
        from {{relation}}
        where (dataset_id, preference_set, pair_id) not in (
            select (dataset_id, preference_set, pair_id) from rageval.pair_scores
        )
        order by 1
        """,
    ),
)
