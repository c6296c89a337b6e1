-- Grain: dataset_id, question_id, question_set. One question with its gold answer, as one file
-- states it.
with

source as (

    select * from {{ source('rageval', 'questions') }}

),

selected as (

    select
        dataset_id,
        question_id,
        question_set,
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
