-- Grain: run_id, dataset, question_id. One question with its gold answers, and the one
-- decision how it is scored.
with

source as (

    select * from {{ source('slideagent', 'questions') }}

),

selected as (

    select
        run_id,
        dataset_id,
        dataset,
        question_id,
        question,
        gold_answers,
        gold_mode,
        gold_pages,
        question_type,
        page_count,
        is_numeric,
        numeric_method,
        numeric_reason,
        number_policy,
        source_file,
        source_line
    from source

)

select * from selected
