-- Grain: cell_number. Bootstrap intervals of the mean by order statistics of the replicate
-- sums: `percentile` (the seed's) and `expanded` (recommended for few units). Replicate
-- sums are exact integers in doubles, bit-equal to any other engine's.
with

cells as (

    select
        cell_number,
        unit_count
    from {{ ref('int_metric_units_listed') }}

),

ranks as (

    {{ interval_ranks() }}

),

sums as (

    {{ replicate_sums(ref('int_metric_units_listed'), ['cell_number']) }}

),

replicates as (

    select
        cell_number,
        {{ lowest_values('replicate_sum', tail_length()) }} as lowest_sums,
        {{ highest_values('replicate_sum', tail_length()) }} as highest_sums
    from sums
    group by cell_number

),

bounded as (

    select
        cells.cell_number,
        {{ interval_ends(
            'replicates.lowest_sums', 'replicates.highest_sums', 'cells.unit_count', 'ranks'
        ) }},
        {{ var('bootstrap_resamples') }} as resamples,
        {{ var('bootstrap_seed') }} as bootstrap_seed
    from cells
    inner join replicates on cells.cell_number = replicates.cell_number
    inner join ranks on cells.unit_count = ranks.unit_count

)

select * from bounded
