-- Grain: dataset_id, document_id, artifact_id. One table or picture of a page: where it
-- stands, what it holds, whether it was kept.
with

source as (

    select * from {{ source('rageval', 'artifacts') }}

),

selected as (

    select
        dataset_id,
        document_id,
        artifact_id,
        artifact_number,
        page_number,
        kind,
        placeholder,
        x0,
        y0,
        x1,
        y1,
        markdown,
        picture_class,
        class_reason,
        description,
        description_method,
        image_sha256,
        is_dropped,
        dropped_reason,
        source_file,
        source_line
    from source

)

select * from selected
