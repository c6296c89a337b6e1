-- Grain: run_id, system_id, setting, slice_type, slice, policy. The four figures of a system
-- side by side, 0 to 1. overall_item is the mean over questions, each by its own score;
-- overall_macro is the plain mean of num and f1, whatever their numbers of questions. Sums are
-- exact, so nothing hangs on the order of rows.
with

metric_values as (

    select * from {{ ref('int_slideagent__metric_values') }}
    where metric in ('overall_item', 'num', 'f1')

),

summed as (

    select
        run_id,
        system_id,
        condition as setting,
        slice_type,
        slice,
        policy,
        {% for metric in ['overall_item', 'num', 'f1'] -%}
        sum(case when metric = '{{ metric }}' then {{ fixed_point('metric_value') }} end)
            as {{ metric }}_sum,
        cast(count_if(metric = '{{ metric }}') as bigint) as {{ metric }}_total,
        cast(count_if(metric = '{{ metric }}' and metric_value is not null) as bigint)
            as {{ metric }}_count,
        {% endfor -%}
        cast(count_if(metric = 'overall_item' and is_scored) as bigint) as n_scored
    from metric_values
    group by run_id, system_id, condition, slice_type, slice, policy

),

estimated as (

    select
        run_id,
        system_id,
        setting,
        slice_type,
        slice,
        policy,
        {% for metric in ['num', 'f1', 'overall_item'] -%}
        {{ from_fixed_point(metric ~ '_sum') }} / nullif({{ metric }}_count, 0) as {{ metric }},
        {% endfor -%}
        overall_item_total as n_total,
        n_scored,
        overall_item_count as n_included,
        num_total as n_num,
        f1_total as n_lex,
        {{ ratio('n_scored', 'overall_item_total') }} as scored_share
    from summed

),

combined as (

    select
        *,
        (num + f1) / {{ number('2') }} as overall_macro
    from estimated

)

select * from combined
