-- Grain: run_id, sample_id, source_id. The result of every model at every prompt in the lane
-- that boards show, and what policies ask of it. Scores are integers of 2^-100. A pair without
-- a landed row has no status and counts as a prompt of its group alone; a gate names it.
with

prompts as (

    select
        run_id,
        sample_id,
        search_type
    from {{ ref('stg_searchgen__prompts') }}

),

models as (

    select
        run_id,
        source_id,
        lane,
        {% for status in searchgen_missing_statuses() -%}
        {{ status }}_policy{{ ',' if not loop.last }}
        {% endfor %}
    from {{ ref('stg_searchgen__models') }}

),

scores as (

    select * from {{ ref('stg_searchgen__prompt_scores') }}

),

overalls as (

    select * from {{ ref('int_searchgen__overalls_computed') }}

),

joined as (

    select
        prompts.run_id,
        prompts.sample_id,
        prompts.search_type,
        models.source_id,
        scores.status,
        coalesce(scores.status = 'scored', false) as is_scored,
        coalesce(
            case scores.status
                {% for status in searchgen_missing_statuses() -%}
                when '{{ status }}' then models.{{ status }}_policy
                {% endfor -%}
            end = 'zero_fill',
            false
        ) as is_filled,
        overalls.overall_9_raw,
        overalls.overall_10_raw,
        {% for component in searchgen_components() -%}
        case when scores.status = 'scored' then scores.{{ component }} end
            as {{ component }}{{ ',' if not loop.last }}
        {% endfor %}
    from prompts
    inner join models on prompts.run_id = models.run_id
    left join scores
        on
            prompts.run_id = scores.run_id
            and prompts.sample_id = scores.sample_id
            and models.source_id = scores.source_id
            and models.lane = scores.lane
    left join overalls
        on
            scores.run_id = overalls.run_id
            and scores.sample_id = overalls.sample_id
            and scores.source_id = overalls.source_id
            and scores.lane = overalls.lane

),

prompts_assessed as (

    select
        run_id,
        sample_id,
        bool_and(is_scored) as is_common,
        {% for component in searchgen_components() -%}
        count({{ component }}) > 0 as has_{{ component }}{{ ',' if not loop.last }}
        {% endfor %}
    from joined
    group by run_id, sample_id

),

completed as (

    select
        joined.run_id,
        joined.sample_id,
        joined.search_type,
        joined.source_id,
        joined.status,
        joined.is_scored,
        joined.is_filled,
        prompts_assessed.is_common,
        joined.overall_9_raw,
        joined.overall_10_raw,
        {{ fixed_point('joined.overall_9_raw') }} as overall_9_fixed,
        {{ fixed_point('joined.overall_10_raw') }} as overall_10_fixed,
        {% for component in searchgen_components() -%}
        {{ fixed_point('joined.' ~ component) }} as {{ component }}_fixed,
        prompts_assessed.has_{{ component }}{{ ',' if not loop.last }}
        {% endfor %}
    from joined
    inner join prompts_assessed
        on
            joined.run_id = prompts_assessed.run_id
            and joined.sample_id = prompts_assessed.sample_id

)

select * from completed
