-- Grain: run_id, system_id, question_id, passage_number. One passage that the generator saw,
-- in its order; imported passages have no chunk.
with

source as (

    select * from {{ source('rageval', 'contexts') }}

),

selected as (

    select
        run_id,
        dataset_id,
        system_id,
        question_id,
        passage_number,
        chunk_id,
        document_id,
        first_page,
        last_page,
        text,
        image_count,
        token_count,
        is_cut,
        source_file,
        source_line
    from source

)

select * from selected
