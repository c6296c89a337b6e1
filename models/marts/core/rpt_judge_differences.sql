-- Grain: benchmark, metric, tau_a_thousandths, both runs, both configurations, system_id,
-- condition, audience, variant. What another judge, or another prompt, does to a metric: first
-- minus second on the same decks under the same weights, paired by case. p_holm is Holm's
-- adjustment within both runs, metric and threshold.
{% set key_columns = [
    'metric', 'tau_a', 'tau_a_thousandths', 'first_run_id', 'second_run_id',
    'first_evaluation_config_id', 'second_evaluation_config_id', 'system_id', 'condition',
    'audience', 'variant',
] %}
{% set family = ['first_run_id', 'second_run_id', 'metric', 'tau_a_thousandths'] %}
with

pairs as (

    select * from {{ ref('int_xslides__judge_differences_listed') }}

),

intervals as (

    select * from {{ ref('int_xslides__judge_differences_bootstrapped') }}

),

metrics as (

    select
        benchmark,
        metric,
        method_version
    from {{ ref('metrics') }}
    where benchmark = 'xslides'

),

configs as (

    select * from {{ ref('dim_evaluation_configs') }}

),

ranked as (

    select
        pairs.*,
        intervals.percentile_low,
        intervals.percentile_high,
        intervals.expanded_low,
        intervals.expanded_high,
        intervals.p_value,
        row_number() over (
            partition by
                {% for column in family -%}
                pairs.{{ column }}{{ ',' if not loop.last }}
                {% endfor %}
            order by intervals.p_value asc nulls last, pairs.pair_number asc
        ) as holm_rank,
        count(intervals.p_value) over (
            partition by
                {% for column in family -%}
                pairs.{{ column }}{{ ',' if not loop.last }}
                {% endfor %}
        ) as holm_count
    from pairs
    left join intervals on pairs.pair_number = intervals.pair_number

),

-- Holm: the running maximum of (m - i + 1) * p over the rising p of a family, at most 1.
adjusted as (

    select
        *,
        least(
            {{ number('1') }},
            max((holm_count - holm_rank + 1) * p_value) over (
                partition by {{ family | join(', ') }}
                order by holm_rank asc
                rows between unbounded preceding and current row
            )
        ) as p_holm
    from ranked

),

joined as (

    select
        metrics.benchmark,
        {% for column in key_columns -%}
        adjusted.{{ column }},
        {% endfor -%}
        {% for side in ['first', 'second'] -%}
        {% for column in ['judge_id', 'judge_kind', 'claim_judge_id', 'claim_judge_kind'] -%}
        {{ side }}_configs.{{ column }} as {{ side }}_{{ column }},
        {% endfor -%}
        {% endfor -%}
        metrics.method_version,
        {{ ratio('adjusted.difference_sum', 'adjusted.unit_count') }}
        / {{ number('1000000000') }} as difference,
        adjusted.percentile_low,
        adjusted.percentile_high,
        adjusted.expanded_low,
        adjusted.expanded_high,
        adjusted.p_value,
        adjusted.p_holm,
        adjusted.unit_count as n_pairs,
        adjusted.other_weights_count as n_other_weights,
        adjusted.matched_count - adjusted.other_weights_count - adjusted.unit_count
            as n_undefined,
        adjusted.unit_count < 10 as is_small_sample,
        adjusted.is_degenerate
    from adjusted
    inner join metrics on adjusted.metric = metrics.metric
    {% for side in ['first', 'second'] -%}
    inner join configs as {{ side }}_configs
        on
            adjusted.{{ side }}_evaluation_config_id
            = {{ side }}_configs.evaluation_config_id
    {% endfor %}

)

select * from joined
