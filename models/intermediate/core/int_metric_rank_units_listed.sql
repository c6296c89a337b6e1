-- Grain: rank_group_number, system_id. The values of every system of a ranking on the cases
-- that all of its systems have a value for, in the order of the case. A ranking is one run,
-- metric, slice, condition, audience, threshold, policy, judge, weight scope and variant.
{% set group_columns = [
    'benchmark', 'run_id', 'metric', 'slice_type', 'slice', 'condition', 'audience', 'tau_a',
    'tau_a_thousandths', 'policy', 'judge_id', 'judge_kind', 'weight_scope', 'variant',
] %}
with

plan as (

    {{ planned_cells('has_ranks') }}

),

metric_values as (

    select * from {{ ref('int_metric_values_unioned') }}
    where fixed_value is not null

),

planned as (

    select
        {% for column in group_columns -%}
        metric_values.{{ column }},
        {% endfor -%}
        metric_values.system_id,
        metric_values.unit_id,
        metric_values.stratum_number,
        any_value(metric_values.fixed_value) as fixed_value
    from metric_values
    inner join plan
        on
            {{ is_planned('metric_values') }}
    group by all
    having count(*) = 1

),

counted as (

    select
        *,
        count(*) over (
            partition by {{ group_columns | join(', ') }}, unit_id
        ) as systems_with_unit
    from planned

),

sized as (

    select
        {{ group_columns | join(',\n        ') }},
        count(distinct system_id) as system_count
    from planned
    group by all

),

groups as (

    select
        *,
        row_number() over (
            order by
                {{ group_columns | join(' nulls first,\n                ') }} nulls first
        ) as rank_group_number
    from sized

),

common as (

    select
        groups.rank_group_number,
        counted.system_id,
        counted.unit_id,
        counted.stratum_number,
        counted.fixed_value
    from counted
    inner join groups
        on
            counted.systems_with_unit = groups.system_count
            and {{ same_values('counted', 'groups', group_columns) }}

),

parts as (

    select
        rank_group_number,
        system_id,
        stratum_number,
        count(*) as unit_count,
        cast(sum(fixed_value) as bigint) as value_sum,
        {{ ordered_list('fixed_value', 'unit_id') }} as unit_values
    from common
    group by rank_group_number, system_id, stratum_number

),

listed as (

    {{ strata_joined('parts', ['rank_group_number', 'system_id'], sums=[
        'cast(sum(value_sum) as bigint) as value_sum',
    ]) }}

),

joined as (

    select
        groups.rank_group_number,
        groups.system_count,
        {% for column in group_columns -%}
        groups.{{ column }},
        {% endfor -%}
        listed.system_id,
        listed.unit_count,
        listed.value_sum,
        listed.unit_values,
        listed.unit_parts,
        row_number() over (
            partition by listed.rank_group_number
            order by listed.value_sum desc, listed.system_id asc
        ) as place
    from listed
    inner join groups on listed.rank_group_number = groups.rank_group_number
    where listed.unit_count <= 20000

)

select * from joined
