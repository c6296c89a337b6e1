-- Grain: dataset_id, question_id. One question with its gold answer.
with

source as (

    select * from {{ source('rageval', 'questions') }}

),

selected as (

    select
        dataset_id,
        question_id,
        question,
        background,
        history,
        gold_answers,
        modality,
        question_type,
        source_file,
        source_line
    from source

)

select * from selected
