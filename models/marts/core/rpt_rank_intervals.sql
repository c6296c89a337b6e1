-- Grain: benchmark, run_id, metric, slice_type, slice, condition, audience,
-- tau_a_thousandths, policy, judge_id, judge_kind, weight_scope, variant, system_id. Rank of
-- each system on the cases that all systems of the ranking have a value for, with its
-- interval, the chance to be best, and the group of neighbours not told apart.
{% set group_columns = [
    'benchmark', 'run_id', 'metric', 'slice_type', 'slice', 'condition', 'audience', 'tau_a',
    'tau_a_thousandths', 'policy', 'judge_id', 'judge_kind', 'weight_scope', 'variant',
] %}
with

units as (

    select * from {{ ref('int_metric_rank_units_listed') }}

),

ranks as (

    select * from {{ ref('int_metric_ranks_bootstrapped') }}

),

ties as (

    select * from {{ ref('int_metric_ties_bootstrapped') }}

),

metrics as (

    select
        benchmark,
        metric,
        method_version
    from {{ ref('metrics') }}

),

joined as (

    select
        {% for column in group_columns -%}
        units.{{ column }},
        {% endfor -%}
        units.system_id,
        metrics.method_version,
        {{ ratio('units.value_sum', 'units.unit_count') }}
        / {{ number('1000000000') }} as estimate,
        rank() over (
            partition by units.rank_group_number
            order by units.value_sum desc
        ) as system_rank,
        ranks.rank_low,
        ranks.rank_high,
        ranks.probability_of_best,
        ties.tie_group,
        units.system_count,
        units.unit_count as n_common,
        units.unit_count < 10 as is_small_sample
    from units
    inner join metrics
        on
            units.benchmark = metrics.benchmark
            and units.metric = metrics.metric
    left join ranks
        on
            units.rank_group_number = ranks.rank_group_number
            and units.system_id = ranks.system_id
    left join ties
        on
            units.rank_group_number = ties.rank_group_number
            and units.system_id = ties.system_id

)

select * from joined
