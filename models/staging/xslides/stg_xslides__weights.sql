-- Grain: weight_set_id, probe_id. One probe's utility for one audience.
with

source as (

    select * from {{ source('xslides', 'weights') }}

),

selected as (

    select
        weight_key,
        weight_set_id,
        bank_id,
        probe_id,
        audience,
        utility_weight,
        sample_count,
        sample_tenths_sum,
        sample_tenths_square_sum,
        reason,
        metadata,
        source_file,
        source_line
    from source

)

select * from selected
