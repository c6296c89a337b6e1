-- Grain: rank_group_number, system_id. Whether a system is told apart from the one above it:
-- the percentile interval of their paired difference on the common cases leaves out 0.
with

units as (

    select
        rank_group_number,
        system_id,
        place
    from {{ ref('int_metric_rank_units_listed') }}

),

ranks as (

    select
        unit_count,
        low_rank,
        high_rank
    from {{ source('statistics', 'bootstrap_ranks') }}
    where resamples = {{ var('bootstrap_resamples') }} and method = 'percentile'

),

leads as (

    select
        rank_group_number,
        system_id,
        unit_count,
        {{ sorted_list('lead_sum') }} as replicate_leads
    from {{ ref('int_metric_rank_sums_drawn') }}
    where place > 1
    group by rank_group_number, system_id, unit_count

),

bounded as (

    select
        leads.rank_group_number,
        leads.system_id,
        {{ element('leads.replicate_leads', 'ranks.low_rank') }} > 0
        or {{ element('leads.replicate_leads', 'ranks.high_rank') }} < 0
            as is_told_apart
    from leads
    inner join ranks on leads.unit_count = ranks.unit_count

),

-- The first of a ranking opens its first group; each one told apart opens another.
grouped as (

    select
        units.rank_group_number,
        units.system_id,
        1 + cast(
            sum(case when coalesce(bounded.is_told_apart, false) then 1 else 0 end) over (
                partition by units.rank_group_number
                order by units.place asc
                rows between unbounded preceding and current row
            ) as bigint
        ) as tie_group
    from units
    left join bounded
        on
            units.rank_group_number = bounded.rank_group_number
            and units.system_id = bounded.system_id

)

select * from grouped
