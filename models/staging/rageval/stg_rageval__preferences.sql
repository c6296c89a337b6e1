-- Grain: dataset_id, preference_set, pair_id, annotator, aspect. What one person says of two
-- answers to one question, in one aspect.
with

source as (

    select * from {{ source('rageval', 'preferences') }}

),

selected as (

    select
        dataset_id,
        preference_set,
        pair_id,
        annotator,
        aspect,
        preference,
        source_file,
        source_line
    from source

)

select * from selected
