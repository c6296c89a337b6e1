-- Grain: task, first_evaluation_id, second_evaluation_id. The same deck, judged for the same
-- audience against the same probe bank, in two runs of one dataset whose judges of a task, or
-- whose prompts, differ. Only decks whose manifests name their hash can be known to be the
-- same. What one side does not state is not known to differ. The first side is the run whose
-- name sorts first.
{% set shared_columns = [
    'dataset_id', 'system_id', 'condition', 'audience', 'variant', 'case_id',
] %}
{% set side_columns = ['evaluation_id', 'evaluation_key', 'run_id', 'evaluation_config_id'] %}
{% set judge_columns = ['judge_kind', 'judge_id', 'prompt_sha256'] %}
with

evaluations as (

    select
        evaluation_id,
        evaluation_key,
        run_id,
        {{ shared_columns | join(',\n        ') }},
        evaluation_config_id,
        bank_id,
        weight_set_id
    from {{ ref('int_xslides__evaluations_assessed') }}
    where score_count > 0 and evaluation_status <> 'deck_failed'

),

decks as (

    select
        evaluation_id,
        deck_sha256
    from {{ ref('stg_xslides__evaluations') }}

),

configs as (

    select * from {{ ref('dim_evaluation_configs') }}

),

judged as (

    {% for task, prefix in [('answerability', ''), ('verification', 'claim_')] -%}
    select
        '{{ task }}' as task,
        evaluations.*,
        decks.deck_sha256,
        {% for column in judge_columns -%}
        {{ 'configs.' ~ prefix ~ column }} as {{ column }}{{ ',' if not loop.last }}
        {% endfor -%}
    from evaluations
    inner join decks on evaluations.evaluation_id = decks.evaluation_id
    inner join configs on evaluations.evaluation_config_id = configs.evaluation_config_id
    {% if not loop.last %}union all{% endif %}
    {% endfor %}

),

matched as (

    select
        first_side.task,
        {% for column in shared_columns -%}
        first_side.{{ column }},
        {% endfor -%}
        {% for side in ['first', 'second'] -%}
        {% for column in side_columns + judge_columns -%}
        {{ side }}_side.{{ column }} as {{ side }}_{{ column }},
        {% endfor -%}
        {% endfor -%}
        coalesce(first_side.weight_set_id = second_side.weight_set_id, false)
            as has_same_weights
    from judged as first_side
    inner join judged as second_side
        on
            first_side.task = second_side.task
            and first_side.run_id < second_side.run_id
            and first_side.deck_sha256 = second_side.deck_sha256
            and first_side.bank_id = second_side.bank_id
            {% for column in shared_columns -%}
            and first_side.{{ column }} = second_side.{{ column }}
            {% endfor -%}
    where
        first_side.judge_kind <> 'unstated'
        and second_side.judge_kind <> 'unstated'
        and (
            {% for column in judge_columns -%}
            first_side.{{ column }} <> second_side.{{ column }}
            {%- if not loop.last %}
            or {% endif -%}
            {% endfor %}
        )

)

select * from matched
