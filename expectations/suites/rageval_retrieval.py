"""Landing rules of `rageval` about retrieval: hits, contexts and answers hang together."""

from __future__ import annotations

from expectations.rules import RowRule
from warehouse.findings import Outcome

_QUERY = "concat_ws('/', run_id, system_id, question_id)"
_PLACE = "source_file, source_line"

RETRIEVAL = (
    RowRule(
        "every_hit_is_a_chunk",
        "rageval__hits",
        f"""
        select concat({_QUERY}, '/', stage, '/', rank) as subject,
            concat('no such chunk: ', chunk_id) as message, {_PLACE}
        from {{relation}}
        where (dataset_id, chunk_id) not in (
            select (dataset_id, chunk_id) from rageval.chunks
        )
        order by 1
        """,
    ),
    RowRule(
        "ranks_have_no_holes",
        "rageval__hits",
        f"""
        select concat({_QUERY}, '/', stage) as subject,
            concat(count(*), ' hits, ', count(distinct chunk_id), ' chunks, the last rank is ',
                max(rank)) as message,
            any_value(source_file) as source_file, any_value(source_line) as source_line
        from {{relation}}
        group by run_id, system_id, question_id, stage
        having min(rank) <> 1 or max(rank) <> count(*) or count(distinct chunk_id) <> count(*)
        order by 1
        """,
    ),
    RowRule(
        "better_hits_come_first",
        "rageval__hits",
        f"""
        with following as (
            select *, lead(score) over (
                partition by run_id, system_id, question_id, stage order by rank
            ) as next_score
            from {{relation}}
        )
        select concat({_QUERY}, '/', stage, '/', rank) as subject,
            concat('its score is ', score, ', that of the next ', next_score) as message, {_PLACE}
        from following
        where next_score > score
        order by 1
        """,
    ),
    RowRule(
        "later_stages_choose_from_earlier",
        "rageval__hits",
        f"""
        with earlier as (
            select run_id, system_id, question_id, chunk_id,
                bool_or(stage in ('dense', 'bm25')) as is_found,
                bool_or(stage = 'fused') as is_fused
            from {{relation}}
            group by run_id, system_id, question_id, chunk_id
        )
        select concat({_QUERY}, '/', stage, '/', rank) as subject,
            'the stage before it did not find this chunk' as message, {_PLACE}
        from {{relation}}
        inner join earlier using (run_id, system_id, question_id, chunk_id)
        where (stage = 'fused' and not is_found) or (stage = 'reranked' and not is_fused)
        order by 1
        """,
    ),
    RowRule(
        "hits_are_of_asked_questions",
        "rageval__hits",
        f"""
        select {_QUERY} as subject, 'no such question was asked of this system' as message,
            any_value(source_file) as source_file, any_value(source_line) as source_line
        from {{relation}}
        where (run_id, system_id, question_id) not in (
            select (run_id, system_id, question_id) from rageval.rewrites
        )
        group by run_id, system_id, question_id
        order by 1
        """,
    ),
    RowRule(
        "every_question_was_asked",
        "rageval__runs",
        """
        select concat_ws('/', runs.run_id, runs.system_id) as subject,
            concat(question_count, ' questions, ', count(rewrites.question_id), ' queries')
                as message,
            any_value(runs.source_file) as source_file, any_value(runs.source_line) as source_line
        from {relation} as runs
        left join rageval.rewrites as rewrites
            on runs.run_id = rewrites.run_id and runs.system_id = rewrites.system_id
        where runs.variant is not null
        group by runs.run_id, runs.system_id, question_count
        having count(rewrites.question_id) <> question_count
        order by 1
        """,
        Outcome.INCOMPLETE,
    ),
    RowRule(
        "gold_pages_are_landed",
        "rageval__gold_pages",
        f"""
        select concat_ws('/', dataset_id, question_id) as subject,
            concat('no such page: ', document_id, '#', page_number) as message, {_PLACE}
        from {{relation}}
        where dataset_id in (select dataset_id from rageval.documents)
            and (dataset_id, document_id, page_number) not in (
                select (dataset_id, document_id, page_number) from rageval.pages
            )
        order by 1
        """,
    ),
    RowRule(
        "contexts_are_made_of_chunks",
        "rageval__contexts",
        f"""
        select concat({_QUERY}, '/', passage_number) as subject,
            concat('no such chunk: ', chunk_id) as message, {_PLACE}
        from {{relation}}
        where chunk_id is not null and (dataset_id, chunk_id) not in (
            select (dataset_id, chunk_id) from rageval.chunks
        )
        order by 1
        """,
    ),
    RowRule(
        "answers_cite_what_was_seen",
        "rageval__answers",
        f"""
        with cited as (
            select *, unnest(citations) as chunk_id from {{relation}}
        )
        select {_QUERY} as subject, concat('it cites a chunk that it did not see: ', chunk_id)
            as message, {_PLACE}
        from cited
        where (run_id, system_id, question_id, chunk_id) not in (
            select (run_id, system_id, question_id, chunk_id) from rageval.contexts
            where chunk_id is not null
        )
        order by 1
        """,
    ),
    RowRule(
        "vectors_have_one_length",
        "rageval__vectors",
        f"""
        select concat_ws('/', dataset_id, embedder_id, chunk_id) as subject,
            concat('it has ', len(vector), ' numbers, ', dimension, ' are stated, its length is ',
                round(sqrt(list_sum(list_transform(vector, lambda one: one * one))), 4)) as message,
            {_PLACE}
        from {{relation}} as vectors
        where len(vector) <> dimension
            or abs(list_sum(list_transform(vector, lambda one: one * one)) - 1) > 1e-3
            or dimension <> (
                select max(dimension) from rageval.vectors as others
                where others.embedder_id = vectors.embedder_id
            )
        order by 1
        """,
    ),
)
