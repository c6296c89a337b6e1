-- Grain: rank_group_number, system_id, replicate. The resampled sum of each system of a ranking
-- on the common cases, and by how much the system above it is ahead in the same replicate.
with

units as (

    select
        rank_group_number,
        system_id,
        unit_count,
        place,
        unit_values,
        unit_parts
    from {{ ref('int_metric_rank_units_listed') }}
    where unit_count >= 2

),

sums as (

    {{ replicate_sums('units', ['rank_group_number', 'system_id', 'place', 'unit_count']) }}

),

compared as (

    select
        rank_group_number,
        system_id,
        unit_count,
        place,
        replicate,
        replicate_sum,
        lag(replicate_sum) over (
            partition by rank_group_number, replicate
            order by place
        ) - replicate_sum as lead_sum
    from sums

)

select * from compared
