-- Grain: cell_number; one cell is one published number: benchmark, run, metric, slice,
-- system, condition, audience, threshold, policy, judge, configuration, weight scope and
-- variant. Sums are integers, so no figure depends on the order of rows or on threads.
{% set key_columns = [
    'benchmark', 'run_id', 'metric', 'slice_type', 'slice', 'system_id', 'condition',
    'audience', 'tau_a', 'tau_a_thousandths', 'policy', 'judge_id', 'judge_kind',
    'evaluation_config_id', 'weight_scope', 'variant',
] %}
{% set keys = key_columns | join(',\n        ') %}
with

metric_values as (

    select * from {{ ref('int_metric_values_unioned') }}

),

counted as (

    select
        {{ keys }},
        count(*) as n_total,
        cast(count_if(is_scored) as bigint) as n_scored,
        count(fixed_value) as n_included,
        cast(count_if(is_scored and fixed_value is null) as bigint) as n_undefined,
        count(distinct unit_id) as unit_count,
        min(fixed_value) as lowest_value,
        max(fixed_value) as highest_value,
        cast(sum(fixed_value) as bigint) as value_sum,
        sum(cast(fixed_value as {{ exact_integer() }}) * fixed_value) as value_square_sum,
        cast(sum(fixed_numerator) as {{ exact_integer() }}) as numerator_sum,
        cast(sum(fixed_denominator) as {{ exact_integer() }}) as denominator_sum
    from metric_values
    group by all

),

numbered as (

    select
        *,
        row_number() over (
            order by
                {{ key_columns | join(' nulls first,\n                ') }} nulls first
        ) as cell_number
    from counted

),

estimated as (

    select
        cell_number,
        {{ keys }},
        n_total,
        n_scored,
        n_included,
        n_undefined,
        unit_count,
        n_included >= 2 and lowest_value = highest_value as is_degenerate,
        value_sum,
        {{ ratio('value_sum', 'n_included') }} / {{ number('1000000000') }} as estimate,
        {{ ratio('numerator_sum', 'denominator_sum') }} as micro_estimate,
        -- n * sum of squares - square of the sum is exact; only the root is rounded.
        case
            when n_included >= 2
                then sqrt(
                    {{ ratio(
                        'n_included * value_square_sum'
                        ~ ' - cast(value_sum as ' ~ exact_integer() ~ ') * value_sum',
                        'cast(n_included as ' ~ exact_integer()
                        ~ ') * n_included * (n_included - 1)'
                    ) }}
                ) / {{ number('1000000000') }}
        end as standard_error
    from numbered

)

select * from estimated
