-- Grain: run_id, system_id, question_id, stage, rank. One chunk at one rank of one stage of
-- retrieval.
with

source as (

    select * from {{ source('rageval', 'hits') }}

),

selected as (

    select
        run_id,
        dataset_id,
        system_id,
        question_id,
        stage,
        rank,
        chunk_id,
        score,
        source_file,
        source_line
    from source

)

select * from selected
