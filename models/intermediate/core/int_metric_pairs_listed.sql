-- Grain: pair_number, for the comparisons of the statistics plan. Two sides under the same
-- judge, weights and threshold: system minus system under one condition, or conditioned
-- minus agnostic of one system. Differences of the cases that both sides have a value for,
-- in the order of the case; cases that only one side has are counted as dropped.
{% set shared_columns = [
    'benchmark', 'run_id', 'metric', 'slice_type', 'slice', 'audience', 'tau_a',
    'tau_a_thousandths', 'policy', 'judge_id', 'judge_kind', 'weight_scope', 'variant',
] %}
{% set pair_columns = shared_columns + [
    'comparison', 'first_system_id', 'first_condition', 'second_system_id', 'second_condition',
] %}
with

plan as (

    {{ planned_cells('has_pairs') }}

),

metric_values as (

    select * from {{ ref('int_metric_values_unioned') }}

),

planned as (

    select metric_values.*
    from metric_values
    inner join plan
        on
            {{ is_planned('metric_values') }}

),

-- A side with several values of one case could not be paired by case.
sides as (

    select
        {{ shared_columns | join(',\n        ') }},
        system_id,
        condition,
        unit_id,
        stratum_number,
        any_value(fixed_value) as fixed_value,
        min(evaluation_config_id) as evaluation_config_id
    from planned
    group by all
    having count(*) = 1

),

defined as (

    select * from sides
    where fixed_value is not null

),

joined as (

    select
        {% for column in shared_columns -%}
        first_side.{{ column }},
        {% endfor -%}
        case
            when first_side.system_id = second_side.system_id then 'condition'
            else 'system'
        end as comparison,
        first_side.system_id as first_system_id,
        first_side.condition as first_condition,
        second_side.system_id as second_system_id,
        second_side.condition as second_condition,
        first_side.unit_id,
        first_side.stratum_number,
        first_side.fixed_value - second_side.fixed_value as fixed_difference,
        (
            first_side.evaluation_config_id is distinct from second_side.evaluation_config_id
        ) as is_mixed_config
    from defined as first_side
    inner join defined as second_side
        on
            first_side.unit_id = second_side.unit_id
            and {{ same_values('first_side', 'second_side', shared_columns) }}
            and (
                (
                    first_side.system_id < second_side.system_id
                    and first_side.condition = second_side.condition
                )
                or (
                    first_side.system_id = second_side.system_id
                    and first_side.condition = 'conditioned'
                    and second_side.condition = 'agnostic'
                )
            )

),

parts as (

    select
        {{ pair_columns | join(',
        ') }},
        stratum_number,
        count(*) as unit_count,
        bool_or(is_mixed_config) as is_mixed_config,
        cast(sum(fixed_difference) as bigint) as difference_sum,
        min(fixed_difference) as lowest_difference,
        max(fixed_difference) as highest_difference,
        {{ ordered_list('fixed_difference', 'unit_id') }} as unit_values
    from joined
    group by all

),

listed as (

    {{ strata_joined('parts', pair_columns, sums=[
        'bool_or(is_mixed_config) as is_mixed_config',
        'cast(sum(difference_sum) as bigint) as difference_sum',
        'min(lowest_difference) = max(highest_difference) as is_degenerate',
    ]) }}

),

numbered as (

    select
        *,
        row_number() over (
            order by
                {% for column in shared_columns -%}
                {{ column }} nulls first,
                {% endfor -%}
                first_system_id,
                first_condition,
                second_system_id,
                second_condition
        ) as pair_number
    from listed
    where unit_count <= 20000

)

select * from numbered
