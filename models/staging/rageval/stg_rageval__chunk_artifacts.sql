-- Grain: dataset_id, document_id, chunk_id, position. One placeholder or marker pair in a
-- chunk, and the artifact that it was resolved to.
with

source as (

    select * from {{ source('rageval', 'chunk_artifacts') }}

),

selected as (

    select
        dataset_id,
        document_id,
        chunk_id,
        position,
        artifact_id,
        resolved_count,
        source_file,
        source_line
    from source

)

select * from selected
