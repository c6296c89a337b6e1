-- Grain: dataset_id, embedder_id, chunk_id. What one embedder makes of one text of a chunk.
with

source as (

    select * from {{ source('rageval', 'vectors') }}

),

selected as (

    select
        dataset_id,
        embedder_id,
        chunk_id,
        text_sha256,
        dimension,
        vector,
        source_file,
        source_line
    from source

)

select * from selected
