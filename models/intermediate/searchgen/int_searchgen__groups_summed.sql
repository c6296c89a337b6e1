-- Grain: group_number, source_id. Sums and counts of one model in one group, from which every
-- policy is made: a missing result is no score or a zero, so policies share one sum and differ
-- in what they divide by. `common` counts prompts that every model has scored, `filled` what
-- the model's own policy makes zero.
with

prompts as (

    select
        group_number,
        run_id,
        sample_id
    from {{ ref('int_searchgen__prompts_grouped') }}

),

results as (

    select * from {{ ref('int_searchgen__results_completed') }}

),

summed as (

    select
        prompts.group_number,
        results.source_id,
        count(*) as n_total,
        cast(count_if(results.is_scored) as bigint) as n_scored,
        cast(count_if(results.is_common) as bigint) as n_common,
        cast(count_if(results.is_filled) as bigint) as n_filled,
        {% for status in searchgen_missing_statuses() -%}
        count(*) filter (where results.status = '{{ status }}') as n_{{ status }},
        {% endfor -%}
        {% for component in searchgen_components() -%}
        cast(count_if(results.is_filled and results.has_{{ component }}) as bigint)
            as {{ component }}_filled_count,
        {% endfor -%}
        {% for score in searchgen_scores() -%}
        sum(results.{{ score }}_fixed) as {{ score }}_sum,
        count(results.{{ score }}_fixed) as {{ score }}_count,
        sum(results.{{ score }}_fixed) filter (where results.is_common)
            as {{ score }}_common_sum,
        count(results.{{ score }}_fixed) filter (where results.is_common)
            as {{ score }}_common_count{{ ',' if not loop.last }}
        {% endfor %}
    from prompts
    inner join results
        on
            prompts.run_id = results.run_id
            and prompts.sample_id = results.sample_id
    group by prompts.group_number, results.source_id

)

select * from summed
