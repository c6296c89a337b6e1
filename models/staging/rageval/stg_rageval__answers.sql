-- Grain: run_id, system_id, question_id. What a system answered to one question.
with

source as (

    select * from {{ source('rageval', 'answers') }}

),

selected as (

    select
        run_id,
        dataset_id,
        system_id,
        question_id,
        answer_status,
        answer,
        is_refusal,
        citations,
        cited_pages,
        invalid_reason,
        source_file,
        source_line
    from source

)

select * from selected
