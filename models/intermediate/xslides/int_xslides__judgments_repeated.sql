-- Grain: run_id, system_id, condition, variant, judge_id, judge_kind, evaluation_config_id,
-- case_id. How often the judgments of one agnostic deck agree over its audiences: whether a
-- deck answers a probe does not depend on who listens. A rating is a judgment that was asked
-- for by itself: not filled, not failed, not shared with another audience, not cached, and
-- not of a judge that works by rules. One deck is one file, where manifests name its hash.
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
        bank_id
    from {{ ref('int_xslides__evaluations_assessed') }}
    where
        condition = 'agnostic'
        and score_count > 0
        and evaluation_status <> 'deck_failed'

),

origins as (

    select
        evaluation_id,
        judgment_origin,
        deck_sha256
    from {{ ref('stg_xslides__evaluations') }}

),

scores as (

    select
        evaluation_key,
        probe_id,
        covered
    from {{ ref('stg_xslides__probe_scores') }}
    where judgment_status = 'judged'

),

placed as (

    select
        evaluations.*,
        origins.judgment_origin,
        evaluations.judge_kind <> 'heuristic'
        and coalesce(origins.judgment_origin, 'own') = 'own' as is_rating,
        dense_rank() over (
            order by
                {% for column in cell_columns -%}
                evaluations.{{ column }} asc nulls first,
                {% endfor -%}
                evaluations.bank_id asc nulls first,
                origins.deck_sha256 asc nulls first
        ) as deck_number
    from evaluations
    inner join origins on evaluations.evaluation_id = origins.evaluation_id

),

-- Decks that are judged once need no look at their judgments.
repeated as (

    select deck_number
    from placed
    where is_rating
    group by deck_number
    having count(*) > 1

),

rated as (

    select
        placed.deck_number,
        scores.probe_id,
        count(*) as rating_count,
        cast(count_if(scores.covered) as bigint) as covered_count
    from placed
    inner join repeated on placed.deck_number = repeated.deck_number
    inner join scores on placed.evaluation_key = scores.evaluation_key
    where placed.is_rating
    group by placed.deck_number, scores.probe_id
    having count(*) > 1

),

summed as (

    select
        deck_number,
        {{ agreement_sums() }}
    from rated
    group by deck_number

),

decks as (

    select
        deck_number,
        {{ cell_columns | join(',\n        ') }},
        coalesce(bool_or(judgment_origin = 'shared'), false) as has_shared,
        coalesce(bool_or(judgment_origin = 'cached'), false) as has_cached
    from placed
    group by all

),

counted as (

    select
        {% for column in cell_columns -%}
        decks.{{ column }},
        {% endfor -%}
        bool_or(decks.has_shared) as has_shared,
        bool_or(decks.has_cached) as has_cached,
        {% for column in [
            'repeated_probe_count', 'unanimous_probe_count', 'rating_count',
            'covered_rating_count', 'rating_pair_count', 'disagreeing_pair_count',
            'disagreement_units',
        ] -%}
        cast(coalesce(sum(summed.{{ column }}), 0) as bigint) as {{ column }}
        {%- if not loop.last %},{% endif %}
        {% endfor %}
    from decks
    left join summed on decks.deck_number = summed.deck_number
    group by all

)

select * from counted
