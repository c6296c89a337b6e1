-- Grain: cell_number, which stands for task, both runs, both configurations, system_id,
-- condition, audience, variant. Agreement of two judges summed over the cases that both
-- judged, what chance alone would give, and the counts of each case in the order of cases:
-- what is resampled.
{% set cell_columns = [
    'task', 'first_run_id', 'second_run_id', 'first_evaluation_config_id',
    'second_evaluation_config_id', 'system_id', 'condition', 'audience', 'variant',
] %}
{% set judge_columns = [
    'first_judge_kind', 'first_judge_id', 'first_prompt_sha256',
    'second_judge_kind', 'second_judge_id', 'second_prompt_sha256',
] %}
{% set side_columns = [
    'first_judged_count', 'first_abstained_count', 'first_unjudged_count',
    'second_judged_count', 'second_abstained_count', 'second_unjudged_count',
] %}
{% set sum_columns = [
    'agreeing_count', 'compared_count', 'first_covered_count', 'second_covered_count',
] %}
with

numbered as (

    select
        *,
        dense_rank() over (order by {{ cell_columns | join(', ') }}) as cell_number
    from {{ ref('int_xslides__evaluation_pairs_matched') }}

),

labelled as (

    select
        numbered.cell_number,
        numbered.case_id,
        verdicts.first_label,
        verdicts.second_label,
        verdicts.judgment_count
    from numbered
    inner join {{ ref('int_xslides__verdicts_paired') }} as verdicts
        on
            numbered.first_evaluation_id = verdicts.first_evaluation_id
            and numbered.second_evaluation_id = verdicts.second_evaluation_id
            and numbered.task = verdicts.task

),

{% for side in ['first', 'second'] -%}
{{ side }}_labels as (

    select
        cell_number,
        {{ side }}_label as label,
        sum(judgment_count) as label_count
    from labelled
    group by cell_number, {{ side }}_label

),

{% endfor -%}
-- Judgments that would agree by chance, times their number.
chances as (

    select
        first_labels.cell_number,
        sum(
            cast(first_labels.label_count as {{ exact_integer() }}) * second_labels.label_count
        ) as chance_units
    from first_labels
    inner join second_labels
        on
            first_labels.cell_number = second_labels.cell_number
            and first_labels.label = second_labels.label
    group by first_labels.cell_number

),

cases as (

    select
        cell_number,
        case_id,
        sum(judgment_count) as compared_count,
        sum(case when first_label = second_label then judgment_count else 0 end)
            as agreeing_count,
        sum(case when first_label = 'covered' then judgment_count else 0 end)
            as first_covered_count,
        sum(case when second_label = 'covered' then judgment_count else 0 end)
            as second_covered_count
    from labelled
    group by cell_number, case_id

),

listed as (

    select
        cell_number,
        count(*) as unit_count,
        {{ ordered_list('agreeing_count', 'case_id') }} as agreeing_counts,
        {{ ordered_list('compared_count', 'case_id') }} as compared_counts,
        {% for column in sum_columns -%}
        sum({{ column }}) as {{ column }}{{ ',' if not loop.last }}
        {% endfor -%}
    from cases
    group by cell_number

),

cells as (

    select
        numbered.cell_number,
        {% for column in cell_columns + judge_columns -%}
        numbered.{{ column }},
        {% endfor -%}
        count(*) as evaluation_count,
        {% for column in side_columns -%}
        cast(sum(sides.{{ column }}) as bigint) as {{ column }}{{ ',' if not loop.last }}
        {% endfor -%}
    from numbered
    inner join {{ ref('int_xslides__judge_sides_counted') }} as sides
        on
            numbered.first_evaluation_id = sides.first_evaluation_id
            and numbered.second_evaluation_id = sides.second_evaluation_id
            and numbered.task = sides.task
    group by all

),

joined as (

    select
        cells.*,
        coalesce(listed.unit_count, 0) as unit_count,
        listed.agreeing_counts,
        listed.compared_counts,
        {% for column in sum_columns -%}
        cast(coalesce(listed.{{ column }}, 0) as bigint) as {{ column }},
        {% endfor -%}
        coalesce(chances.chance_units, 0) as chance_units
    from cells
    left join listed on cells.cell_number = listed.cell_number
    left join chances on cells.cell_number = chances.cell_number

)

select * from joined
