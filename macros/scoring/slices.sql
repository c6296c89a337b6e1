{# Rows of a CTE in long form: once as slice `all`, and once per scene, category and topic of
   their case. `cases` holds dataset_id, case_id and those three. #}
{% macro sliced_by_case(rows, cases) -%}
    select
        *,
        'all' as slice_type,
        'all' as slice
    from {{ rows }}
    {% for slice_type in ['scene', 'category', 'topic'] %}
    union all
    select
        {{ rows }}.*,
        '{{ slice_type }}' as slice_type,
        {{ cases }}.{{ slice_type }} as slice
    from {{ rows }}
    inner join {{ cases }}
        on
            {{ rows }}.dataset_id = {{ cases }}.dataset_id
            and {{ rows }}.case_id = {{ cases }}.case_id
    where {{ cases }}.{{ slice_type }} is not null
    {% endfor %}
{%- endmacro %}
