-- Grain: cell_number. Percentile interval of Pearson's correlation, by pair. A replicate that
-- never varies on one side has no correlation and is no replicate of it.
{% set sums = ['row_counts', 'x_sums', 'y_sums', 'xx_sums', 'yy_sums', 'xy_sums'] %}
with

cells as (

    select * from {{ ref('int_rageval__preference_pairs_listed') }}
    where unit_count between 2 and 20000

),

ranks as (

    {{ interval_ranks() }}

),

sums as (

    select
        cells.cell_number,
        {% for name in sums -%}
        {{ dot_product('cells.' ~ name, 'draws.draw_counts') }} as {{ name }}
        {%- if not loop.last %},{% endif %}
        {% endfor %}
    from cells
    inner join {{ ref('int_bootstrap_counts_drawn') }} as draws
        on {{ same_size('cells', 'draws') }}

),

spreads as (

    select
        cell_number,
        row_counts * xy_sums - x_sums * y_sums as shared_spread,
        row_counts * xx_sums - x_sums * x_sums as x_spread,
        row_counts * yy_sums - y_sums * y_sums as y_spread
    from sums

),

-- Below this a spread is what doubles leave of a difference of equals.
correlated as (

    select
        cell_number,
        shared_spread / nullif(sqrt(x_spread) * sqrt(y_spread), 0) as correlation
    from spreads
    where x_spread > {{ number('1e-9') }} and y_spread > {{ number('1e-9') }}

),

replicates as (

    select
        cell_number,
        {{ sorted_list('correlation') }} as correlations,
        count(*) as replicate_count
    from correlated
    group by cell_number

),

bounded as (

    select
        cells.cell_number,
        {{ element('replicates.correlations', 'ranks.percentile_low_rank') }}
            as percentile_low,
        {{ element('replicates.correlations', 'ranks.percentile_high_rank') }}
            as percentile_high
    from cells
    inner join replicates on cells.cell_number = replicates.cell_number
    inner join ranks on cells.unit_count = ranks.unit_count
    where replicates.replicate_count = {{ var('bootstrap_resamples') }}

)

select * from bounded
