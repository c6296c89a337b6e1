-- Grain: run_id, system_id, question_id, judged_metric, evaluation_config_id, repeat_number.
-- One answer as one judge sees it, each figure with the counts it is made of. A figure whose
-- denominator is empty is NULL; so are those of another family than the judgment's. What a
-- missing or invalid judgment counts for is decided by a policy, not here.
{% set counts = [
    'reference_count', 'recalled_count', 'retrieved_count', 'utilized_count', 'response_count',
    'entailed_count', 'contradicted_count', 'neutral_count', 'faithful_count',
    'relevant_noise_count', 'irrelevant_noise_count', 'hallucinated_count', 'self_known_count',
    'relevant_passage_count',
] %}
with

judgments as (

    select * from {{ ref('int_rageval__judgments_completed') }}

),

statements as (

    select * from {{ ref('int_rageval__statements_counted') }}

),

questions as (

    select
        dataset_id,
        question_id,
        modality,
        routed_class,
        true_class
    from {{ ref('int_rageval__questions_settled') }}

),

-- Statements of an invalid judgment, if any are there, count for nothing.
counted as (

    select
        judgments.*,
        {% for name in counts -%}
        statements.{{ name }},
        {% endfor -%}
        judgments.metric = 'ragchecker' and judgments.passage_count > 0 as has_passages,
        judgments.metric in ('consistency', 'consistency_mm') as is_consistency
    from judgments
    left join statements
        on
            judgments.judgment_id = statements.judgment_id
            and judgments.judgment_status in ('scored', 'abstained')

),

scored as (

    select
        *,
        case when not is_consistency then {{ ratio('entailed_count', 'response_count') }} end
            as answer_precision,
        {{ ratio('recalled_count', 'reference_count') }} as answer_recall,
        case
            when response_count > 0 and reference_count > 0
                then case
                    when entailed_count = 0 or recalled_count = 0 then {{ number('0') }}
                    else {{ ratio(
                        '2 * entailed_count * recalled_count',
                        'entailed_count * reference_count + recalled_count * response_count'
                    ) }}
                end
        end as answer_f1,
        case
            when not is_consistency then {{ ratio('contradicted_count', 'response_count') }}
        end as contradiction_rate,
        case when not is_consistency then {{ ratio('neutral_count', 'response_count') }} end
            as unsupported_rate,
        case when is_consistency then {{ ratio('entailed_count', 'response_count') }} end
            as consistency,
        case
            when metric = 'ragchecker' then {{ ratio('retrieved_count', 'reference_count') }}
        end as claim_recall,
        case
            when has_passages and reference_count > 0
                then {{ ratio('relevant_passage_count', 'passage_count') }}
        end as context_precision,
        case
            when metric = 'ragchecker' then {{ ratio('utilized_count', 'retrieved_count') }}
        end as context_utilization,
        {% for name, count in {
            'noise_sensitivity_in_relevant': 'relevant_noise_count',
            'noise_sensitivity_in_irrelevant': 'irrelevant_noise_count',
            'hallucination': 'hallucinated_count',
            'self_knowledge': 'self_known_count',
            'faithfulness': 'faithful_count',
        }.items() -%}
        case when has_passages then {{ ratio(count, 'response_count') }} end as {{ name }}
        {%- if not loop.last %},{% endif %}
        {% endfor %}
    from counted

),

joined as (

    select
        scored.run_id,
        scored.dataset_id,
        scored.system_id,
        scored.question_id,
        scored.metric as judged_metric,
        scored.judge_id,
        scored.judge_kind,
        scored.evaluation_config_id,
        scored.repeat_number,
        scored.judgment_id,
        scored.judgment_status,
        scored.status_reason,
        scored.answer_status,
        questions.modality,
        questions.routed_class,
        questions.true_class,
        {% for name in counts + [
            'passage_count', 'answer_precision', 'answer_recall', 'answer_f1',
            'contradiction_rate', 'unsupported_rate', 'consistency', 'claim_recall',
            'context_precision', 'context_utilization', 'noise_sensitivity_in_relevant',
            'noise_sensitivity_in_irrelevant', 'hallucination', 'self_knowledge',
            'faithfulness', 'call_count', 'input_tokens', 'output_tokens',
        ] -%}
        scored.{{ name }},
        {% endfor -%}
        scored.cost_usd
    from scored
    left join questions
        on
            scored.dataset_id = questions.dataset_id
            and scored.question_id = questions.question_id

)

select * from joined
