-- Grain: rank_group_number, system_id. Whether a system is told apart from the one above it:
-- the percentile interval of their paired difference on the common cases leaves out 0.
with

units as (

    select
        rank_group_number,
        system_id,
        unit_count,
        value_sum,
        unit_values
    from {{ ref('int_metric_rank_units_listed') }}

),

draws as (

    select
        unit_count,
        replicate,
        draw_counts
    from {{ ref('int_bootstrap_counts_drawn') }}

),

ranks as (

    select
        unit_count,
        low_rank,
        high_rank
    from {{ source('statistics', 'bootstrap_ranks') }}
    where resamples = {{ var('bootstrap_resamples') }} and method = 'percentile'

),

ordered as (

    select
        *,
        row_number() over (
            partition by rank_group_number
            order by value_sum desc, system_id asc
        ) as place
    from units

),

sums as (

    select
        lower_side.rank_group_number,
        lower_side.system_id,
        lower_side.unit_count,
        {{ dot_product('upper_side.unit_values', 'draws.draw_counts') }}
        - {{ dot_product('lower_side.unit_values', 'draws.draw_counts') }} as replicate_sum
    from ordered as lower_side
    inner join ordered as upper_side
        on
            lower_side.rank_group_number = upper_side.rank_group_number
            and lower_side.place = upper_side.place + 1
    inner join draws on {{ same_size('lower_side', 'draws') }}

),

replicates as (

    select
        rank_group_number,
        system_id,
        unit_count,
        {{ sorted_list('replicate_sum') }} as replicate_sums
    from sums
    group by rank_group_number, system_id, unit_count

),

bounded as (

    select
        replicates.rank_group_number,
        replicates.system_id,
        {{ element('replicates.replicate_sums', 'ranks.low_rank') }} > 0
        or {{ element('replicates.replicate_sums', 'ranks.high_rank') }} < 0
            as is_told_apart
    from replicates
    inner join ranks on replicates.unit_count = ranks.unit_count

),

-- The first of a ranking opens its first group; each one told apart opens another.
grouped as (

    select
        ordered.rank_group_number,
        ordered.system_id,
        1 + cast(
            sum(case when coalesce(bounded.is_told_apart, false) then 1 else 0 end) over (
                partition by ordered.rank_group_number
                order by ordered.place asc
                rows between unbounded preceding and current row
            ) as bigint
        ) as tie_group
    from ordered
    left join bounded
        on
            ordered.rank_group_number = bounded.rank_group_number
            and ordered.system_id = bounded.system_id

)

select * from grouped
