-- Grain: benchmark, run_id, metric, slice_type, slice, audience, tau_a_thousandths, policy,
-- judge_id, judge_kind, weight_scope, variant, both sides. System minus system under one
-- condition and conditioned minus agnostic of one system, paired by case. p_holm is Holm's
-- adjustment within run, benchmark, metric, slice, threshold and policy.
{% set shared_columns = [
    'benchmark', 'run_id', 'metric', 'slice_type', 'slice', 'audience', 'tau_a',
    'tau_a_thousandths', 'policy', 'judge_id', 'judge_kind', 'weight_scope', 'variant',
] %}
{% set family = [
    'benchmark', 'run_id', 'metric', 'slice_type', 'slice', 'tau_a_thousandths', 'policy',
    'judge_id', 'judge_kind', 'weight_scope', 'variant',
] %}
with

pairs as (

    select * from {{ ref('int_metric_pairs_listed') }}

),

intervals as (

    select * from {{ ref('int_metric_pairs_bootstrapped') }}

),

metrics as (

    select
        benchmark,
        metric,
        method_version
    from {{ ref('metrics') }}

),

cells as (

    select * from {{ ref('int_metric_cells_estimated') }}

),

-- Cases of each side with a value, whatever its configurations.
side_counts as (

    select
        {{ shared_columns | join(',\n        ') }},
        system_id,
        condition,
        cast(sum(n_included) as bigint) as n_included
    from cells
    group by all

),

joined as (

    select
        {% for column in shared_columns -%}
        pairs.{{ column }},
        {% endfor -%}
        pairs.comparison,
        pairs.first_system_id,
        pairs.first_condition,
        pairs.second_system_id,
        pairs.second_condition,
        metrics.method_version,
        {{ ratio('pairs.difference_sum', 'pairs.unit_count') }}
        / {{ number('1000000000') }} as difference,
        intervals.percentile_low,
        intervals.percentile_high,
        intervals.expanded_low,
        intervals.expanded_high,
        intervals.p_value,
        pairs.unit_count as n_pairs,
        first_counts.n_included - pairs.unit_count as n_dropped_first,
        second_counts.n_included - pairs.unit_count as n_dropped_second,
        pairs.is_mixed_config,
        pairs.unit_count < 10 as is_small_sample,
        pairs.is_degenerate,
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
    inner join metrics
        on
            pairs.benchmark = metrics.benchmark
            and pairs.metric = metrics.metric
    left join intervals on pairs.pair_number = intervals.pair_number
    {% for side in ['first', 'second'] -%}
    inner join side_counts as {{ side }}_counts
        on
            pairs.{{ side }}_system_id = {{ side }}_counts.system_id
            and pairs.{{ side }}_condition = {{ side }}_counts.condition
            and {{ same_values('pairs', side ~ '_counts', shared_columns) }}
    {% endfor %}

),

-- Holm: the running maximum of (m - i + 1) * p over the rising p of a family, at most 1.
adjusted as (

    select
        {{ shared_columns | join(',\n        ') }},
        comparison,
        first_system_id,
        first_condition,
        second_system_id,
        second_condition,
        method_version,
        difference,
        percentile_low,
        percentile_high,
        expanded_low,
        expanded_high,
        p_value,
        least(
            {{ number('1') }},
            max((holm_count - holm_rank + 1) * p_value) over (
                partition by {{ family | join(', ') }}
                order by holm_rank asc
                rows between unbounded preceding and current row
            )
        ) as p_holm,
        n_pairs,
        n_dropped_first,
        n_dropped_second,
        is_mixed_config,
        is_small_sample,
        is_degenerate
    from joined

)

select * from adjusted
