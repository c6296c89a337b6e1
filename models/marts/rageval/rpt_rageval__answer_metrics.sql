-- Grain: run_id, system_id, metric, judge_id, judge_kind, evaluation_config_id, variant,
-- policy. One figure of one system: the mean over answers, and the pooled share over all
-- their statements. Sums are exact, so neither hangs on the order of rows.
with

metric_values as (

    select * from {{ ref('int_rageval__answer_values') }}
    where slice_type = 'all'

),

summed as (

    select
        run_id,
        system_id,
        metric,
        judge_id,
        judge_kind,
        evaluation_config_id,
        variant,
        policy,
        count(*) as n_total,
        cast(count_if(is_scored) as bigint) as n_scored,
        count(metric_value) as n_included,
        cast(count_if(is_scored and metric_value is null) as bigint) as n_undefined,
        sum({{ fixed_point('metric_value') }}) as value_sum,
        cast(sum(cast(numerator as bigint)) as bigint) as numerator_sum,
        cast(sum(cast(denominator as bigint)) as bigint) as denominator_sum
    from metric_values
    group by
        run_id,
        system_id,
        metric,
        judge_id,
        judge_kind,
        evaluation_config_id,
        variant,
        policy

),

estimated as (

    select
        run_id,
        system_id,
        metric,
        judge_id,
        judge_kind,
        evaluation_config_id,
        variant,
        policy,
        {{ from_fixed_point('value_sum') }} / nullif(n_included, 0) as macro_estimate,
        {{ ratio('numerator_sum', 'denominator_sum') }} as pooled_estimate,
        n_total,
        n_scored,
        n_included,
        n_undefined,
        {{ ratio('n_scored', 'n_total') }} as scored_share
    from summed

)

select * from estimated
