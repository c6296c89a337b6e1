-- Grain: dataset_id, question_id, document_id, page_number. One page that holds the answer to
-- a question.
with

source as (

    select * from {{ source('rageval', 'gold_pages') }}

),

selected as (

    select
        dataset_id,
        question_id,
        document_id,
        page_number,
        source_file,
        source_line
    from source

)

select * from selected
