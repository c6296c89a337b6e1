-- Grain: run_id, system_id, question_id, metric. A figure that RAGChecker's file states beside
-- ours; an empty question_id is the mean over all answers, which the tool prints in percent
-- with one decimal. Ours counts empty lists as 0, as the tool does.
with

published as (

    select * from {{ ref('stg_rageval__published_metrics') }}

),

ours as (

    select
        run_id,
        system_id,
        unit_id as question_id,
        metric,
        metric_value
    from {{ ref('int_rageval__answer_values') }}
    where slice_type = 'all' and policy = 'zero_fill' and variant = ''

),

means as (

    select
        run_id,
        system_id,
        '' as question_id,
        metric,
        macro_estimate as metric_value
    from {{ ref('rpt_rageval__answer_metrics') }}
    where policy = 'zero_fill' and variant = ''

),

united as (

    select * from ours
    union all
    select * from means

),

compared as (

    select
        published.run_id,
        published.system_id,
        published.question_id,
        published.metric,
        published.unit,
        published.metric_value as published_value,
        united.metric_value * case when published.unit = 'percent' then {{ number('100') }}
            else {{ number('1') }} end as recomputed_value
    from published
    left join united
        on
            published.run_id = united.run_id
            and published.system_id = united.system_id
            and published.question_id = united.question_id
            and united.metric = concat('ragchecker_', published.metric)

),

judged as (

    select
        *,
        recomputed_value - published_value as difference,
        -- Half a unit of the last digit that is printed, and what a double leaves open.
        abs(recomputed_value - published_value)
        <= case when unit = 'percent' then {{ number('0.05') }} else {{ number('0') }} end
        + {{ number('1e-9') }} as is_equal
    from compared

)

select * from judged
