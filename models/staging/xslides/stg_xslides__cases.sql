-- Grain: dataset_id, case_id. One source document of one dataset.
with

source as (

    select * from {{ source('xslides', 'cases') }}

),

selected as (

    select
        dataset_id,
        case_id,
        case_label,
        title,
        scene,
        source_type,
        source_path,
        source_sha256,
        valid_audiences,
        active_audiences,
        display_name,
        category,
        topic,
        metadata,
        source_file,
        source_line
    from source

)

select * from selected
