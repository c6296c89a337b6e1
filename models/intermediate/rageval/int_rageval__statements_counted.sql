-- Grain: judgment_id. Statements of both sides by what is said of them, and the passages.
{% set counts = {
    'reference_count': "side = 'reference'",
    'recalled_count': "side = 'reference' and label = 'Entailment'",
    'retrieved_count': "side = 'reference' and is_supported",
    'utilized_count': "side = 'reference' and is_supported and label = 'Entailment'",
    'response_count': "side = 'response'",
    'entailed_count': "side = 'response' and label = 'Entailment'",
    'contradicted_count': "side = 'response' and label = 'Contradiction'",
    'neutral_count': "side = 'response' and label = 'Neutral'",
    'faithful_count': "side = 'response' and is_supported",
    'relevant_noise_count':
        "side = 'response' and label <> 'Entailment' and is_from_relevant",
    'irrelevant_noise_count':
        "side = 'response' and label <> 'Entailment' and is_from_irrelevant",
    'hallucinated_count': "side = 'response' and label <> 'Entailment' and not is_supported",
    'self_known_count': "side = 'response' and label = 'Entailment' and not is_supported",
} %}
with

statements as (

    select * from {{ ref('int_rageval__statements_supported') }}

),

verdicts as (

    select * from {{ ref('stg_rageval__verdicts') }}
    where premise = 'passage' and side = 'reference' and label = 'Entailment'

),

passages as (

    select
        judgment_id,
        count(distinct passage_number) as relevant_passage_count
    from verdicts
    group by judgment_id

),

counted as (

    select
        judgment_id,
        {% for name, condition in counts.items() -%}
        cast(count_if({{ condition }}) as bigint) as {{ name }}
        {%- if not loop.last %},{% endif %}
        {% endfor %}
    from statements
    group by judgment_id

),

joined as (

    select
        counted.*,
        coalesce(passages.relevant_passage_count, 0) as relevant_passage_count
    from counted
    left join passages on counted.judgment_id = passages.judgment_id

)

select * from joined
