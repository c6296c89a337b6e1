-- Grain: run_id, system_id. One system of one run: its declared configuration, and how much it
-- was asked.
with

source as (

    select * from {{ source('rageval', 'runs') }}

),

selected as (

    select
        run_id,
        dataset_id,
        system_id,
        variant,
        embedder_id,
        is_surrogate,
        generator_id,
        generator_kind,
        configuration,
        configuration_id,
        question_count,
        source_file,
        source_line
    from source

)

select * from selected
