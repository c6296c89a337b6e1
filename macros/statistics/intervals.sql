{# Ranks of both interval methods by number of units, one row a size. #}
{% macro interval_ranks() -%}
    select
        unit_count,
        {% for method in ['percentile', 'expanded'] -%}
        {% for side in ['low', 'high'] -%}
        max(case when method = '{{ method }}' then {{ side }}_rank end)
            as {{ method }}_{{ side }}_rank
        {%- if not (loop.last and method == 'expanded') %},{% endif %}
        {% endfor -%}
        {% endfor %}
    from {{ source('statistics', 'bootstrap_ranks') }}
    where resamples = {{ var('bootstrap_resamples') }}
    group by unit_count
{%- endmacro %}

{# How many replicates at either side an interval of 95 % can end at; both methods stay
   within them, as `expanded` is never the narrower one. #}
{% macro tail_length() -%}
    {{ (var('bootstrap_resamples') | int) * 25 // 1000 + 1 }}
{%- endmacro %}

{# The four interval ends of a mean, from the lowest (rising) and highest (falling) replicate
   sums of 10^-9 and their ranks. #}
{% macro interval_ends(lowest_sums, highest_sums, unit_count, ranks) -%}
    {% for method in ['percentile', 'expanded'] -%}
    {{ element(lowest_sums, ranks ~ '.' ~ method ~ '_low_rank') }}
    / {{ unit_count }} / {{ number('1000000000') }} as {{ method }}_low,
    {{ element(
        highest_sums,
        ((var('bootstrap_resamples') | int) + 1) ~ ' - ' ~ ranks ~ '.' ~ method ~ '_high_rank'
    ) }}
    / {{ unit_count }} / {{ number('1000000000') }} as {{ method }}_high
    {%- if not loop.last %},{% endif %}
    {% endfor %}
{%- endmacro %}

{# Intervals of a ratio of sums over cases: each replicate is a ratio of two exact sums. `listed`
   has cell_number, unit_count and two lists in the order of cases. One row a cell_number. #}
{% macro ratio_intervals(listed, numerators, denominators) -%}
    with

    cells as (

        select
            cell_number,
            unit_count,
            {{ numerators }} as numerators,
            {{ denominators }} as denominators
        from {{ listed }}
        where unit_count between 2 and 20000

    ),

    ranks as (

        {{ interval_ranks() }}

    ),

    replicates as (

        select
            cells.cell_number,
            {{ sorted_list(ratio(
                dot_product('cells.numerators', 'draws.draw_counts'),
                dot_product('cells.denominators', 'draws.draw_counts')
            )) }} as replicate_shares
        from cells
        inner join {{ ref('int_bootstrap_counts_drawn') }} as draws
            on {{ same_size('cells', 'draws') }}
        group by cells.cell_number

    )

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
{%- endmacro %}

{# Intervals and two-sided p of a mean difference, on the same resampled cases as everything
   else of that size: p = 2 * min(share <= 0, share >= 0) of the replicates, at least
   1 / (B + 1), at most 1. `listed` has pair_number, unit_count and unit_values, fixed-point
   differences of 10^-9 in the order of cases; with strata also unit_parts. One row a
   pair_number. #}
{% macro difference_intervals(listed, has_strata=false) -%}
    with

    pairs as (

        select
            pair_number,
            unit_count,
            {% if has_strata %}unit_parts,{% endif %}
            unit_values
        from {{ listed }}
        where unit_count >= 2

    ),

    ranks as (

        {{ interval_ranks() }}

    ),

    sums as (

        {{ replicate_sums('pairs', ['pair_number'], has_strata) }}

    ),

    replicates as (

        select
            pair_number,
            {{ lowest_values('replicate_sum', tail_length()) }} as lowest_sums,
            {{ highest_values('replicate_sum', tail_length()) }} as highest_sums,
            count_if(replicate_sum <= 0) as count_at_most_zero,
            count_if(replicate_sum >= 0) as count_at_least_zero
        from sums
        group by pair_number

    )

    select
        pairs.pair_number,
        {{ interval_ends(
            'replicates.lowest_sums', 'replicates.highest_sums', 'pairs.unit_count', 'ranks'
        ) }},
        least(
            {{ number('1') }},
            greatest(
                {{ ratio('1', (var('bootstrap_resamples') | int) + 1) }},
                2 * {{ ratio(
                    'least(replicates.count_at_most_zero, replicates.count_at_least_zero)',
                    var('bootstrap_resamples')
                ) }}
            )
        ) as p_value
    from pairs
    inner join replicates on pairs.pair_number = replicates.pair_number
    inner join ranks on pairs.unit_count = ranks.unit_count
{%- endmacro %}
