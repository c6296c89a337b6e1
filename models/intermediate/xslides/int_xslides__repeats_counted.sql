-- Grain: run_id, system_id, condition, variant, judge_id, judge_kind, evaluation_config_id,
-- case_id; cases with repeats alone. How often a judge that was asked for the same judgment
-- several times said the same. The samples of one probe in one evaluation are compared with
-- each other; an evaluation that took over the judgments of another one of the same deck holds
-- the same samples again and is left out, and a judge that works by rules has none.
{% set cell_columns = [
    'run_id', 'system_id', 'condition', 'variant', 'judge_id', 'judge_kind',
    'evaluation_config_id', 'case_id',
] %}
with

evaluations as (

    select
        evaluation_id,
        evaluation_key,
        {{ cell_columns | join(',\n        ') }},
        bank_id,
        deck_audience
    from {{ ref('int_xslides__evaluations_assessed') }}
    where evaluation_status <> 'deck_failed'

),

origins as (

    select
        evaluation_id,
        judgment_origin,
        deck_sha256
    from {{ ref('stg_xslides__evaluations') }}

),

samples as (

    select
        evaluation_key,
        probe_id,
        {{ known_count('repeat_verdicts') }} as rating_count,
        {{ equal_count('repeat_verdicts', "'covered'") }} as covered_count
    from {{ ref('stg_xslides__probe_scores') }}
    where repeat_verdicts is not null

),

sampled as (

    select distinct evaluation_key
    from samples

),

-- Of one deck, evaluations that asked by themselves come first.
placed as (

    select
        evaluations.*,
        coalesce(origins.judgment_origin, 'own') = 'own' as is_own,
        row_number() over (
            partition by
                {% for column in cell_columns -%}
                evaluations.{{ column }},
                {% endfor -%}
                evaluations.bank_id,
                evaluations.deck_audience,
                origins.deck_sha256
            order by
                coalesce(origins.judgment_origin, 'own') = 'own' desc,
                evaluations.evaluation_id asc
        ) as position_in_deck
    from evaluations
    inner join origins on evaluations.evaluation_id = origins.evaluation_id
    inner join sampled on evaluations.evaluation_key = sampled.evaluation_key

),

rated as (

    select
        {% for column in cell_columns -%}
        placed.{{ column }},
        {% endfor -%}
        samples.rating_count,
        samples.covered_count
    from placed
    inner join samples on placed.evaluation_key = samples.evaluation_key
    where
        placed.judge_kind <> 'heuristic'
        and (placed.is_own or placed.position_in_deck = 1)
        and samples.rating_count > 1

),

summed as (

    select
        {{ cell_columns | join(',\n        ') }},
        {{ agreement_sums() }}
    from rated
    group by all

),

-- Cells whose samples give no pair stand with zeros.
cells as (

    select distinct {{ cell_columns | join(', ') }}
    from placed

),

counted as (

    select
        {% for column in cell_columns -%}
        cells.{{ column }},
        {% endfor -%}
        {% for column in [
            'repeated_probe_count', 'unanimous_probe_count', 'rating_count',
            'covered_rating_count', 'rating_pair_count', 'disagreeing_pair_count',
            'disagreement_units',
        ] -%}
        cast(coalesce(summed.{{ column }}, 0) as bigint) as {{ column }}
        {%- if not loop.last %},{% endif %}
        {% endfor %}
    from cells
    left join summed
        on
            {% for column in cell_columns -%}
            {% if not loop.first %}and {% endif -%}
            cells.{{ column }} is not distinct from summed.{{ column }}
            {% endfor %}

)

select * from counted
