-- Grain: run_id, system_id, question_id, stage, metric, slice_type, slice. Figures of retrieval
-- as values for summaries, intervals and pairs, by stage, of questions with gold pages.
{{ config(materialized='view') }}
with

scores as (

    select * from {{ ref('fct_rageval__retrieval_scores') }}
    where gold_page_count > 0

),

measured as (

    {% for metric, column in {
        'retrieval_recall_at_1': 'recall_at_1', 'retrieval_recall_at_5': 'recall_at_5',
        'retrieval_recall_at_20': 'recall_at_20', 'retrieval_mrr': 'reciprocal_rank',
        'retrieval_hit_at_1': 'hit_at_1', 'retrieval_hit_at_5': 'hit_at_5',
    }.items() %}
    select
        run_id,
        system_id,
        question_id,
        stage,
        configuration_id,
        modality,
        question_type,
        routed_class,
        true_class,
        '{{ metric }}' as metric,
        {{ column }} as metric_value
    from scores
    {% if not loop.last %}union all{% endif %}
    {% endfor %}

),

sliced as (

    {% for slice_type, column in {
        'all': "'all'", 'modality': 'modality', 'question_type': 'question_type',
        'routed_class': 'routed_class', 'true_class': 'true_class',
    }.items() %}
    select
        *,
        '{{ slice_type }}' as slice_type,
        {{ column }} as slice
    from measured
    {% if slice_type != 'all' %}where {{ column }} is not null{% endif %}
    {% if not loop.last %}union all{% endif %}
    {% endfor %}

),

valued as (

    select
        run_id,
        metric,
        slice_type,
        slice,
        system_id,
        stage as condition,
        'all' as audience,
        cast(null as double) as tau_a,
        cast(null as integer) as tau_a_thousandths,
        'scored_only' as policy,
        'gold_pages' as judge_id,
        'human' as judge_kind,
        configuration_id as evaluation_config_id,
        'none' as weight_scope,
        '' as variant,
        question_id as unit_id,
        true as is_scored,
        metric_value,
        cast(null as double) as numerator,
        cast(null as double) as denominator
    from sliced

)

select * from valued
