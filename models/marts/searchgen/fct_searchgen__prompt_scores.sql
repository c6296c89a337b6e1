-- Grain: run_id, sample_id, source_id, lane. Every result as it was landed, with its prompt,
-- its model and both overalls: 0 to 3, unrounded. NULL is not applicable, a status is missing;
-- neither becomes a zero here. Boards count rows of the published lane.
with

scores as (

    select * from {{ ref('stg_searchgen__prompt_scores') }}

),

overalls as (

    select * from {{ ref('int_searchgen__overalls_computed') }}

),

prompts as (

    select * from {{ ref('stg_searchgen__prompts') }}

),

models as (

    select * from {{ ref('stg_searchgen__models') }}

),

runs as (

    select * from {{ ref('stg_searchgen__runs') }}

),

joined as (

    select
        scores.run_id,
        scores.dataset_id,
        runs.release,
        scores.sample_id,
        scores.source_id,
        scores.lane,
        scores.lane = models.lane as is_published_lane,
        models.model_id,
        models.display_name,
        models.model_type,
        prompts.prompt_index,
        prompts.release_row,
        prompts.stratum,
        prompts.search_type,
        prompts.difficulty,
        prompts.language,
        prompts.generation_task_type,
        prompts.is_miniset,
        runs.evaluation_config_id,
        runs.judge_id,
        runs.judge_kind,
        scores.status,
        scores.status_reason,
        {% for component in searchgen_components() -%}
        scores.{{ component }},
        {% endfor -%}
        overalls.component_count_9,
        overalls.component_count_10,
        overalls.overall_9_raw,
        overalls.overall_10_raw,
        scores.stated_overall_9,
        scores.stated_overall_10,
        scores.source_file,
        scores.source_line
    from scores
    inner join runs on scores.run_id = runs.run_id
    inner join models
        on
            scores.run_id = models.run_id
            and scores.source_id = models.source_id
    inner join prompts
        on
            scores.run_id = prompts.run_id
            and scores.sample_id = prompts.sample_id
    inner join overalls
        on
            scores.run_id = overalls.run_id
            and scores.sample_id = overalls.sample_id
            and scores.source_id = overalls.source_id
            and scores.lane = overalls.lane

)

select * from joined
