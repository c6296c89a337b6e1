-- Grain: run_id, system_id, question_id. What was searched for, for one question.
with

source as (

    select * from {{ source('rageval', 'rewrites') }}

),

selected as (

    select
        run_id,
        dataset_id,
        system_id,
        question_id,
        query,
        is_rewritten,
        rewrite_status,
        rerank_status,
        rerank_omitted_count,
        rerank_repeated_count,
        rerank_invented_count,
        source_file,
        source_line
    from source

)

select * from selected
