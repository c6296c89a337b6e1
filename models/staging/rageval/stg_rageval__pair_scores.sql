-- Grain: dataset_id, preference_set, pair_id, metric. What a metric gives both answers of a
-- pair.
with

source as (

    select * from {{ source('rageval', 'pair_scores') }}

),

selected as (

    select
        dataset_id,
        preference_set,
        pair_id,
        metric,
        first_system_id,
        second_system_id,
        first_score,
        second_score,
        source_file,
        source_line
    from source

)

select * from selected
