{# Cells of the statistics plan that ask for one thing: has_interval, has_pairs, has_ranks. #}
{% macro planned_cells(flag) -%}
    select
        benchmark,
        metric,
        slice_type,
        policy,
        tau_a_thousandths
    from {{ ref('statistics_plan') }}
    where {{ flag }}
{%- endmacro %}

{# Whether rows of a CTE belong to a cell of the CTE `plan`; benchmarks without a threshold have
   NULL in both. #}
{% macro is_planned(rows) -%}
    {{ rows }}.benchmark = plan.benchmark
    and {{ rows }}.metric = plan.metric
    and {{ rows }}.slice_type = plan.slice_type
    and {{ rows }}.policy = plan.policy
    and {{ rows }}.tau_a_thousandths is not distinct from plan.tau_a_thousandths
{%- endmacro %}

{# Whether two relations have the same values in some columns; NULL is the same as NULL, since
   a benchmark without thresholds has none. #}
{% macro same_values(left_side, right_side, columns) -%}
    {% for column in columns -%}
    {{ left_side }}.{{ column }} is not distinct from {{ right_side }}.{{ column }}
    {%- if not loop.last %}
    and {% endif %}
    {%- endfor %}
{%- endmacro %}
