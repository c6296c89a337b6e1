-- Grain: dataset_id, preference_set, aspect, rater_kind, rater. Agreement that chance would
-- give, times the square of the rows: each value's count on one side times that on the other.
{% set group_columns = ['dataset_id', 'preference_set', 'aspect', 'rater_kind', 'rater'] %}
{% set keys = group_columns | join(',\n        ') %}
with

paired as (

    select * from {{ ref('int_rageval__preferences_paired') }}

),

ratings as (

    select
        {{ keys }},
        rating as rated_value,
        count(*) as value_count
    from paired
    group by {{ group_columns | join(', ') }}, rating

),

preferences as (

    select
        {{ keys }},
        preference as rated_value,
        count(*) as value_count
    from paired
    group by {{ group_columns | join(', ') }}, preference

),

multiplied as (

    select
        {% for column in group_columns -%}
        ratings.{{ column }},
        {% endfor -%}
        ratings.value_count * preferences.value_count as chance_count
    from ratings
    inner join preferences
        on
            {{ same_values('ratings', 'preferences', group_columns + ['rated_value']) }}

),

counted as (

    select
        {{ keys }},
        cast(sum(chance_count) as bigint) as chance_count
    from multiplied
    group by {{ group_columns | join(', ') }}

)

select * from counted
