-- Grain: group_number, source_id, policy. Every mean of a board on the public scale, 0 to 100,
-- unrounded, beside the count that it is divided by. A filled prompt is a zero in both overalls
-- and in all ten components; under applicability_aware only in components that apply to it.
{% set policies = {
    'published': 'n_filled',
    'all_zero_fill': 'n_missing',
    'all_exclude': '0',
    'common_prompts': '0',
    'applicability_aware': 'n_filled',
} %}
with

sums as (

    select
        *,
        n_missing_generation + n_missing_evaluation + n_invalid_evaluation as n_missing
    from {{ ref('int_searchgen__groups_summed') }}

),

counted as (

    {% for policy, filled in policies.items() %}
    {% set common = 'common_' if policy == 'common_prompts' else '' %}
    select
        group_number,
        source_id,
        '{{ policy }}' as policy,
        n_total,
        n_scored,
        {{ 'n_common' if common else 'n_scored' }} + {{ filled }} as n_included,
        {% for status in searchgen_missing_statuses() -%}
        n_{{ status }},
        {% endfor -%}
        {% for score in searchgen_scores() -%}
        {% if policy == 'applicability_aware' and score in searchgen_components() -%}
        {{ score }}_count + {{ score }}_filled_count as {{ score }}_count,
        {% else -%}
        {{ score }}_{{ common }}count + {{ filled }} as {{ score }}_count,
        {% endif -%}
        {{ score }}_{{ common }}sum as {{ score }}_sum{{ ',' if not loop.last }}
        {% endfor %}
    from sums
    {% if not loop.last %}union all{% endif %}
    {% endfor %}

),

estimated as (

    select
        group_number,
        source_id,
        policy,
        n_total,
        n_scored,
        n_included,
        {% for status in searchgen_missing_statuses() -%}
        n_{{ status }},
        {% endfor -%}
        {% for score in searchgen_scores() -%}
        {{ public_score(score ~ '_sum', score ~ '_count') }} as {{ score }},
        {{ score }}_count{{ ',' if not loop.last }}
        {% endfor %}
    from counted

)

select * from estimated
