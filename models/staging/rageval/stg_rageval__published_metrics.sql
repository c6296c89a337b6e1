-- Grain: run_id, system_id, question_id, metric. One metric that another tool computed of one
-- answer, or of all answers of a system.
with

source as (

    select * from {{ source('rageval', 'published_metrics') }}

),

selected as (

    select
        run_id,
        dataset_id,
        system_id,
        question_id,
        metric,
        metric_value,
        unit,
        source_file,
        source_line
    from source

)

select * from selected
