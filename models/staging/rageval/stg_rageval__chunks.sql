-- Grain: dataset_id, document_id, chunk_id. One unit that can be found: a piece of text, a
-- table, a picture, or a whole page.
with

source as (

    select * from {{ source('rageval', 'chunks') }}

),

selected as (

    select
        dataset_id,
        document_id,
        chunk_id,
        chunk_number,
        kind,
        first_page,
        last_page,
        parent_chunk_id,
        artifact_id,
        heading,
        text,
        source_text,
        word_count,
        source_file,
        source_line
    from source

)

select * from selected
