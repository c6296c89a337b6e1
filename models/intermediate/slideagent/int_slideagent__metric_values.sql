-- Grain: run_id, dataset, question_id, system_id, setting, metric, slice_type, slice, policy.
-- Scores as values for summaries, intervals, ranks and pairs. Policy missing_as_zero counts a
-- missing answer as 0, scored_only leaves it out. Question sets are strata of the whole.
{{ config(materialized='view') }}
{% set metrics = {
    'overall_item': ['score', 'true'], 'num': ['num', 'is_numeric'], 'f1': ['f1', 'not is_numeric'],
    'num_any': ['num_any', 'is_numeric'], 'num_qscale': ['num_qscale', 'is_numeric'],
    'num_rounded': ['num_rounded', 'is_numeric'],
    'num_tol1pct': ['num_tol1pct', 'is_numeric'], 'em': ['em', 'true'],
    'evidence_f1': ['evidence_f1', 'evidence_f1 is not null'],
} %}
with

scores as (

    select
        *,
        dense_rank() over (
            partition by run_id
            order by dataset
        ) as stratum_number
    from {{ ref('fct_slideagent__answer_scores') }}

),

measured as (

    {% for metric, (column, condition) in metrics.items() %}
    select
        run_id,
        dataset,
        question_id,
        system_id,
        setting,
        question_type,
        page_band,
        number_policy,
        stratum_number,
        answer_status,
        '{{ metric }}' as metric,
        {{ column }} as metric_value
    from scores
    where {{ condition }}
    {% if not loop.last %}union all{% endif %}
    {% endfor %}

),

sliced as (

    {% for slice_type, column in {
        'all': "'all'", 'dataset': 'dataset', 'question_type': 'question_type',
        'page_band': 'page_band',
    }.items() %}
    select
        *,
        '{{ slice_type }}' as slice_type,
        {{ column }} as slice
    from measured
    {% if slice_type == 'question_type' %}where question_type is not null{% endif %}
    {% if not loop.last %}union all{% endif %}
    {% endfor %}

),

valued as (

    {% for policy in ['missing_as_zero', 'scored_only'] %}
    select
        run_id,
        metric,
        slice_type,
        slice,
        system_id,
        setting as condition,
        'all' as audience,
        cast(null as double) as tau_a,
        cast(null as integer) as tau_a_thousandths,
        '{{ policy }}' as policy,
        number_policy as judge_id,
        'heuristic' as judge_kind,
        number_policy as evaluation_config_id,
        'none' as weight_scope,
        '' as variant,
        concat(dataset, '/', question_id) as unit_id,
        stratum_number,
        answer_status = 'scored' as is_scored,
        {% if policy == 'missing_as_zero' -%}
        coalesce(metric_value, {{ number('0') }}) as metric_value,
        {%- else -%}
        metric_value,
        {%- endif %}
        cast(null as double) as numerator,
        cast(null as double) as denominator
    from sliced
    {% if not loop.last %}union all{% endif %}
    {% endfor %}

)

select * from valued
