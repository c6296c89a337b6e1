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

{# Whether rows of a CTE belong to a cell of the CTE `plan`. #}
{% macro is_planned(rows) -%}
    {{ rows }}.benchmark = plan.benchmark
    and {{ rows }}.metric = plan.metric
    and {{ rows }}.slice_type = plan.slice_type
    and {{ rows }}.policy = plan.policy
    and {{ rows }}.tau_a_thousandths = plan.tau_a_thousandths
{%- endmacro %}
