-- Grain: cell_number, which stands for run_id, system_id, condition, variant, judge_id,
-- judge_kind, evaluation_config_id, repeat_source: `audiences`, the files of one agnostic deck,
-- or `repeats`, samples that were asked for. Agreement of a judge with itself, summed over
-- cases, and the counts of each case with repeats in the order of cases: what is resampled.
{% set cell_columns = [
    'run_id', 'system_id', 'condition', 'variant', 'judge_id', 'judge_kind',
    'evaluation_config_id', 'repeat_source',
] %}
{% set count_columns = [
    'repeated_probe_count', 'unanimous_probe_count', 'rating_count',
    'covered_rating_count', 'rating_pair_count', 'disagreeing_pair_count',
] %}
{% set stated_columns = cell_columns[:-1] + ['case_id'] + count_columns
    + ['disagreement_units'] %}
with

unioned as (

    select
        {{ stated_columns | join(',\n        ') }},
        'audiences' as repeat_source,
        has_shared,
        has_cached
    from {{ ref('int_xslides__judgments_repeated') }}
    union all
    select
        {{ stated_columns | join(',\n        ') }},
        'repeats' as repeat_source,
        false as has_shared,
        false as has_cached
    from {{ ref('int_xslides__repeats_counted') }}

),

cases as (

    select
        *,
        dense_rank() over (
            order by
                {% for column in cell_columns -%}
                {{ column }} asc nulls first
                {%- if not loop.last %},{% endif %}
                {% endfor %}
        ) as cell_number
    from unioned

),

summed as (

    select
        cell_number,
        {{ cell_columns | join(',\n        ') }},
        bool_or(has_shared) as has_shared,
        bool_or(has_cached) as has_cached,
        {% for column in count_columns -%}
        cast(sum({{ column }}) as bigint) as {{ column }},
        {% endfor -%}
        cast(sum(disagreement_units) as {{ exact_integer() }}) as disagreement_units
    from cases
    group by all

),

listed as (

    select
        cell_number,
        count(*) as unit_count,
        {{ ordered_list('rating_pair_count - disagreeing_pair_count', 'case_id') }}
            as agreeing_pairs,
        {{ ordered_list('rating_pair_count', 'case_id') }} as rating_pairs
    from cases
    where rating_pair_count > 0
    group by cell_number

),

joined as (

    select
        summed.*,
        coalesce(listed.unit_count, 0) as unit_count,
        listed.agreeing_pairs,
        listed.rating_pairs
    from summed
    left join listed on summed.cell_number = listed.cell_number

)

select * from joined
