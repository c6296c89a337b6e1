-- Grain: run_id, source_id. One image model of one release: names, type, lane and policy for
-- what is missing.
with

source as (

    select * from {{ source('searchgen', 'models') }}

),

selected as (

    select
        run_id,
        dataset_id,
        source_id,
        model_id,
        display_name,
        model_type,
        model_order,
        aliases,
        lane,
        missing_policy,
        missing_generation_policy,
        missing_evaluation_policy,
        invalid_evaluation_policy,
        expected_scored_count,
        source_file,
        source_line
    from source

)

select * from selected
