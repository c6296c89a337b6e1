-- Grain: pair_number, which stands for run_id, system_id, dataset, metric, policy. Questions
-- that a system answers in both settings, oracle minus end to end in fixed point of 10^-9, in
-- the order of questions. `dataset` is a question set, or all of a run.
{% set cell_columns = ['run_id', 'system_id', 'dataset', 'metric', 'policy'] %}
with

metric_values as (

    select
        run_id,
        system_id,
        slice as dataset,
        metric,
        policy,
        condition,
        unit_id,
        cast(round(metric_value * {{ number('1000000000') }}) as bigint) as fixed_value
    from {{ ref('int_slideagent__metric_values') }}
    where slice_type in ('all', 'dataset') and metric in ('overall_item', 'num', 'f1')

),

oracle as (

    select * from metric_values
    where condition = 'oracle'

),

end_to_end as (

    select * from metric_values
    where condition = 'end_to_end'

),

paired as (

    select
        {% for column in cell_columns -%}
        oracle.{{ column }},
        {% endfor -%}
        oracle.unit_id,
        oracle.fixed_value as oracle_value,
        end_to_end.fixed_value as end_to_end_value,
        oracle.fixed_value - end_to_end.fixed_value as difference
    from oracle
    inner join end_to_end
        on
            {{ same_values('oracle', 'end_to_end', cell_columns + ['unit_id']) }}
    where oracle.fixed_value is not null and end_to_end.fixed_value is not null

),

listed as (

    select
        {{ cell_columns | join(',\n        ') }},
        row_number() over (
            order by {{ cell_columns | join(', ') }}
        ) as pair_number,
        count(*) as unit_count,
        cast(sum(oracle_value) as bigint) as oracle_sum,
        cast(sum(end_to_end_value) as bigint) as end_to_end_sum,
        cast(sum(difference) as bigint) as difference_sum,
        {{ ordered_list('difference', 'unit_id') }} as unit_values
    from paired
    group by {{ cell_columns | join(', ') }}

)

select * from listed
