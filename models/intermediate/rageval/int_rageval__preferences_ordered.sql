-- Grain: dataset_id, preference_set, aspect, rater_kind, rater. Pairs of rows whose order both
-- sides see alike or not, and those that one side sees as equal: what Kendall's tau-b is made
-- of. Every row meets every other one, so a set of n rows makes n * (n - 1) / 2 pairs.
{% set group_columns = ['dataset_id', 'preference_set', 'aspect', 'rater_kind', 'rater'] %}
with

ranked as (

    select * from {{ ref('int_rageval__preferences_ranked') }}

),

compared as (

    select
        {% for column in group_columns -%}
        ranked.{{ column }},
        {% endfor -%}
        sign(ranked.rating_double_rank - others.rating_double_rank) as rating_order,
        sign(ranked.preference_double_rank - others.preference_double_rank)
            as preference_order
    from ranked
    inner join ranked as others
        on
            {{ same_values('ranked', 'others', group_columns) }}
            and ranked.position < others.position

),

counted as (

    select
        {{ group_columns | join(',\n        ') }},
        cast(count(*) as bigint) as row_pair_count,
        cast(count_if(rating_order * preference_order > 0) as bigint) as concordant_count,
        cast(count_if(rating_order * preference_order < 0) as bigint) as discordant_count,
        cast(count_if(rating_order = 0) as bigint) as rating_tie_count,
        cast(count_if(preference_order = 0) as bigint) as preference_tie_count
    from compared
    group by {{ group_columns | join(', ') }}

)

select * from counted
