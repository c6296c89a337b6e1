-- Grain: run_id, dataset, question_id, system_id, setting. What one system answered to one
-- question in one setting, as text.
with

source as (

    select * from {{ source('slideagent', 'answers') }}

),

selected as (

    select
        run_id,
        dataset_id,
        dataset,
        question_id,
        system_id,
        setting,
        answer,
        pages,
        source_file,
        source_line
    from source

)

select * from selected
