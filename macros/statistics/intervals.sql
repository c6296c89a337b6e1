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
