-- Grain: dataset_id, preference_set, aspect, rater_kind, rater, pair_id, annotator. Twice the
-- rank of both sides, ties at their middle, so that ranks are integers; and a position.
{% set group_columns = 'dataset_id, preference_set, aspect, rater_kind, rater' %}
with

paired as (

    select * from {{ ref('int_rageval__preferences_paired') }}

),

ranked as (

    select
        *,
        {% for side in ['rating', 'preference'] -%}
        2 * rank() over (
            partition by {{ group_columns }}
            order by {{ side }}
        ) + count(*) over (
            partition by {{ group_columns }}, {{ side }}
        ) - 1 as {{ side }}_double_rank,
        {% endfor -%}
        row_number() over (
            partition by {{ group_columns }}
            order by pair_id, annotator
        ) as position
    from paired

)

select * from ranked
