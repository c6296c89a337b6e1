-- Grain: run_id, dataset, question_id, side, system_id, setting, answer_number, position. One
-- number that was read out of a gold answer or an answer; or that there is none.
with

source as (

    select * from {{ source('slideagent', 'numbers') }}

),

selected as (

    select
        run_id,
        dataset_id,
        dataset,
        question_id,
        side,
        system_id,
        setting,
        answer_number,
        position,
        parse_status,
        answer_kind,
        number_count,
        value,
        value_kind,
        unit,
        qualifier,
        number_policy,
        source_file,
        source_line
    from source

)

select * from selected
