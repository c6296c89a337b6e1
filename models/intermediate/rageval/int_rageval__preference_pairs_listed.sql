-- Grain: cell_number, which stands for dataset_id, preference_set, aspect, rater_kind, rater.
-- What the correlation of a group is made of, summed over the rows of each pair, in the order
-- of pairs: the annotators of one pair say of the same answers, so pairs are resampled.
{% set group_columns = ['dataset_id', 'preference_set', 'aspect', 'rater_kind', 'rater'] %}
{% set keys = group_columns | join(',\n        ') %}
{% set sums = {
    'row_counts': '1', 'x_sums': 'rating', 'y_sums': 'preference', 'xx_sums': 'rating * rating',
    'yy_sums': 'preference * preference', 'xy_sums': 'rating * preference',
} %}
with

paired as (

    select * from {{ ref('int_rageval__preferences_paired') }}

),

summed as (

    select
        {{ keys }},
        pair_id,
        {% for name, value in sums.items() -%}
        {{ from_fixed_point('sum(' ~ fixed_point(value) ~ ')') }} as {{ name }}
        {%- if not loop.last %},{% endif %}
        {% endfor %}
    from paired
    group by {{ group_columns | join(', ') }}, pair_id

),

numbered as (

    select
        *,
        dense_rank() over (
            order by {{ group_columns | join(', ') }}
        ) as cell_number
    from summed

),

listed as (

    select
        cell_number,
        {{ keys }},
        count(*) as unit_count,
        {% for name in sums -%}
        {{ ordered_list(name, 'pair_id') }} as {{ name }}{% if not loop.last %},{% endif %}
        {% endfor %}
    from numbered
    group by cell_number, {{ group_columns | join(', ') }}

)

select * from listed
