-- Grain: benchmark, run_id, metric, slice_type, slice, system_id, condition, audience,
-- tau_a_thousandths, policy, judge_id, judge_kind, evaluation_config_id, weight_scope,
-- variant. Every published figure with its counts, standard error and both intervals;
-- cells outside seeds/registries/statistics_plan.csv carry the standard error alone.
with

cells as (

    select * from {{ ref('int_metric_cells_estimated') }}

),

intervals as (

    select * from {{ ref('int_metric_intervals_bootstrapped') }}

),

plan as (

    {{ planned_cells('has_interval') }}

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
        cells.benchmark,
        cells.run_id,
        cells.metric,
        metrics.method_version,
        cells.slice_type,
        cells.slice,
        cells.system_id,
        cells.condition,
        cells.audience,
        cells.tau_a,
        cells.tau_a_thousandths,
        cells.policy,
        cells.judge_id,
        cells.judge_kind,
        cells.evaluation_config_id,
        cells.weight_scope,
        cells.variant,
        cells.estimate,
        cells.micro_estimate,
        cells.standard_error,
        {% for method in ['percentile', 'expanded'] -%}
        {% for side, sign in [('low', '-'), ('high', '+')] -%}
        case
            when plan.metric is not null and cells.n_included > 20000
                then cells.estimate
                    {{ sign }} {{ number('1.959963984540054') }} * cells.standard_error
            else intervals.{{ method }}_{{ side }}
        end as {{ method }}_{{ side }},
        {% endfor -%}
        {% endfor -%}
        case
            when intervals.cell_number is not null then 'bootstrap'
            when plan.metric is not null and cells.n_included > 20000 then 'normal'
            when cells.standard_error is not null then 'standard_error'
            else 'none'
        end as interval_method,
        intervals.resamples,
        intervals.bootstrap_seed,
        cells.n_total,
        cells.n_scored,
        cells.n_included,
        cells.n_undefined,
        {{ ratio('cells.n_scored', 'cells.n_total') }} as scored_share,
        cells.unit_count,
        cells.n_included < 10 as is_small_sample,
        cells.is_degenerate,
        cells.n_scored < cells.n_total as is_incomplete
    from cells
    inner join metrics
        on
            cells.benchmark = metrics.benchmark
            and cells.metric = metrics.metric
    left join plan
        on
            {{ is_planned('cells') }}
    left join intervals on cells.cell_number = intervals.cell_number

)

select * from joined
