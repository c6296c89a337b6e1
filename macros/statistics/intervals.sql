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

{# The four interval ends of a mean, from rising replicate sums of 10^-9 and their ranks. #}
{% macro interval_ends(replicate_sums, unit_count, ranks) -%}
    {% for method in ['percentile', 'expanded'] -%}
    {% for side in ['low', 'high'] -%}
    {{ element(replicate_sums, ranks ~ '.' ~ method ~ '_' ~ side ~ '_rank') }}
    / {{ unit_count }} / {{ number('1000000000') }} as {{ method }}_{{ side }}
    {%- if not (loop.last and method == 'expanded') %},{% endif %}
    {% endfor -%}
    {% endfor %}
{%- endmacro %}
