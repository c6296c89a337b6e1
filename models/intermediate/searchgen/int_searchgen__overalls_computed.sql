-- Grain: run_id, sample_id, source_id, lane. Both overalls of one result: the mean of the
-- components that are not NULL among the nine and among the ten. NULL when there is none, and
-- unless the result is scored.
with

scores as (

    select * from {{ ref('stg_searchgen__prompt_scores') }}

),

summed as (

    select
        run_id,
        sample_id,
        source_id,
        lane,
        {% for overall in searchgen_overalls() -%}
        {% set components = searchgen_components_of(overall) -%}
        case
            when status = 'scored'
                then 0 {% for component in components -%}
                    + case when {{ component }} is null then 0 else 1 end
                {% endfor %}
            else 0
        end as {{ overall }}_component_count,
        0 {% for component in components -%}
            + coalesce({{ fixed_point(component) }}, 0)
        {% endfor %} as {{ overall }}_sum{{ ',' if not loop.last }}
        {% endfor %}
    from scores

),

computed as (

    select
        run_id,
        sample_id,
        source_id,
        lane,
        cast(overall_9_component_count as bigint) as component_count_9,
        cast(overall_10_component_count as bigint) as component_count_10,
        {% for overall in searchgen_overalls() -%}
        {{ ratio(from_fixed_point(overall ~ '_sum'), overall ~ '_component_count') }}
            as {{ overall }}_raw{{ ',' if not loop.last }}
        {% endfor %}
    from summed

)

select * from computed
