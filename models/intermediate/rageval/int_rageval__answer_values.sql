-- Grain: run_id, system_id, question_id, metric, evaluation_config_id, repeat_number,
-- slice_type, slice, policy. Figures of judged answers as values for summaries, intervals,
-- ranks and pairs. Policy scored_only leaves out what is not defined; zero_fill counts it as
-- 0, as RAGChecker does with empty lists. Parts give the pooled figure.
{{ config(materialized='view') }}
{% set figures = {
    'fre_precision': ['fastrageval', 'answer_precision', 'entailed', 'response'],
    'fre_recall': ['fastrageval', 'answer_recall', 'recalled', 'reference'],
    'fre_f1': ['fastrageval', 'answer_f1', none, none],
    'fre_contradiction_rate':
        ['fastrageval', 'contradiction_rate', 'contradicted', 'response'],
    'fre_unsupported_rate': ['fastrageval', 'unsupported_rate', 'neutral', 'response'],
    'consistency': ['consistency', 'consistency', 'entailed', 'response'],
    'ragchecker_precision': ['ragchecker', 'answer_precision', 'entailed', 'response'],
    'ragchecker_recall': ['ragchecker', 'answer_recall', 'recalled', 'reference'],
    'ragchecker_f1': ['ragchecker', 'answer_f1', none, none],
    'ragchecker_claim_recall': ['ragchecker', 'claim_recall', 'retrieved', 'reference'],
    'ragchecker_context_precision':
        ['ragchecker', 'context_precision', 'relevant_passage', 'passage'],
    'ragchecker_context_utilization':
        ['ragchecker', 'context_utilization', 'utilized', 'retrieved'],
    'ragchecker_noise_sensitivity_in_relevant':
        ['ragchecker', 'noise_sensitivity_in_relevant', 'relevant_noise', 'response'],
    'ragchecker_noise_sensitivity_in_irrelevant':
        ['ragchecker', 'noise_sensitivity_in_irrelevant', 'irrelevant_noise', 'response'],
    'ragchecker_hallucination':
        ['ragchecker', 'hallucination', 'hallucinated', 'response'],
    'ragchecker_self_knowledge': ['ragchecker', 'self_knowledge', 'self_known', 'response'],
    'ragchecker_faithfulness': ['ragchecker', 'faithfulness', 'faithful', 'response'],
    'claims_entailment_rate': ['claims', 'answer_precision', 'entailed', 'response'],
    'claims_contradiction_rate':
        ['claims', 'contradiction_rate', 'contradicted', 'response'],
    'claims_neutral_rate': ['claims', 'unsupported_rate', 'neutral', 'response'],
} %}
with

scores as (

    select * from {{ ref('fct_rageval__judgment_scores') }}

),

measured as (

    {% for metric, (family, column, numerator, denominator) in figures.items() %}
    select
        run_id,
        dataset_id,
        system_id,
        question_id,
        judge_id,
        judge_kind,
        evaluation_config_id,
        repeat_number,
        judgment_status,
        modality,
        routed_class,
        true_class,
        '{{ metric }}' as metric,
        {{ column }} as metric_value,
        {% for part in [numerator, denominator] -%}
        {% if part -%}
        cast(case when {{ column }} is not null then {{ part }}_count end as double)
        {%- else -%}
        cast(null as double)
        {%- endif %} as {{ ['numerator', 'denominator'][loop.index0] }}
        {%- if not loop.last %},{% endif %}
        {% endfor %}
    from scores
    where judged_metric = '{{ family }}'
    {% if not loop.last %}union all{% endif %}
    {% endfor %}

),

sliced as (

    {% for slice_type, column in {
        'all': "'all'", 'modality': 'modality', 'routed_class': 'routed_class',
        'true_class': 'true_class',
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

    {% for policy in ['scored_only', 'zero_fill'] %}
    select
        run_id,
        metric,
        slice_type,
        slice,
        system_id,
        'none' as condition,
        'all' as audience,
        cast(null as double) as tau_a,
        cast(null as integer) as tau_a_thousandths,
        '{{ policy }}' as policy,
        judge_id,
        judge_kind,
        evaluation_config_id,
        'none' as weight_scope,
        case
            when repeat_number = 1 then ''
            else concat('repeat ', cast(repeat_number as varchar))
        end as variant,
        question_id as unit_id,
        cast(null as varchar) as stratum_name,
        judgment_status = 'scored' as is_scored,
        {% if policy == 'zero_fill' -%}
        coalesce(metric_value, {{ number('0') }}) as metric_value,
        {%- else -%}
        metric_value,
        {%- endif %}
        numerator,
        denominator
    from sliced
    {% if not loop.last %}union all{% endif %}
    {% endfor %}

)

select * from valued
