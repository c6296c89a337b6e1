-- Grain: cell_number. Bootstrap intervals of an agreement share, by case: the probes of one
-- deck stand or fall together, so single pairs are no independent draws. Each replicate is
-- a ratio of two exact sums; the ends are order statistics, as everywhere (decision 0009).
with

cells as (

    select
        cell_number,
        unit_count,
        agreeing_pairs,
        rating_pairs
    from {{ ref('int_xslides__agreements_listed') }}
    where unit_count between 2 and 20000

),

draws as (

    select
        unit_count,
        replicate,
        draw_counts
    from {{ ref('int_bootstrap_counts_drawn') }}

),

ranks as (

    {{ interval_ranks() }}

),

replicates as (

    select
        cells.cell_number,
        {{ sorted_list(ratio(
            dot_product('cells.agreeing_pairs', 'draws.draw_counts'),
            dot_product('cells.rating_pairs', 'draws.draw_counts')
        )) }} as replicate_shares
    from cells
    inner join draws on {{ same_size('cells', 'draws') }}
    group by cells.cell_number

),

bounded as (

    select
        cells.cell_number,
        {% for method in ['percentile', 'expanded'] -%}
        {% for side in ['low', 'high'] -%}
        {{ element(
            'replicates.replicate_shares', 'ranks.' ~ method ~ '_' ~ side ~ '_rank'
        ) }} as {{ method }}_{{ side }},
        {% endfor -%}
        {% endfor -%}
        {{ var('bootstrap_resamples') }} as resamples,
        {{ var('bootstrap_seed') }} as bootstrap_seed
    from cells
    inner join replicates on cells.cell_number = replicates.cell_number
    inner join ranks on cells.unit_count = ranks.unit_count

)

select * from bounded
