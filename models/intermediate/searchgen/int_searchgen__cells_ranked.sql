-- Grain: group_number, source_id, policy. The place of each model among those of its group
-- under its policy. `model_rank` is made of the unrounded primary metric, and equal figures
-- share it; `rank_published` is the order of published boards: rounded, then by display name.
with

cells as (

    select * from {{ ref('int_searchgen__cells_estimated') }}

),

groups as (

    select distinct
        group_number,
        run_id
    from {{ ref('int_searchgen__prompts_grouped') }}

),

runs as (

    select
        run_id,
        primary_metric
    from {{ ref('stg_searchgen__runs') }}

),

models as (

    select
        run_id,
        source_id,
        display_name
    from {{ ref('stg_searchgen__models') }}

),

named as (

    select
        cells.group_number,
        cells.source_id,
        cells.policy,
        models.display_name,
        case runs.primary_metric
            when 'overall_9' then cells.overall_9
            when 'overall_10' then cells.overall_10
        end as primary_value
    from cells
    inner join groups on cells.group_number = groups.group_number
    inner join runs on groups.run_id = runs.run_id
    inner join models
        on
            groups.run_id = models.run_id
            and cells.source_id = models.source_id

),

placed as (

    select
        group_number,
        source_id,
        policy,
        case
            when primary_value is not null
                then rank() over (
                    partition by group_number, policy
                    order by primary_value desc nulls last
                )
        end as model_rank,
        row_number() over (
            partition by group_number, policy
            order by
                {{ rounded_once('primary_value', 1) }} desc nulls last,
                display_name asc,
                source_id asc
        ) as rank_published
    from named

),

ranked as (

    select
        *,
        max(case when policy = 'published' then model_rank end) over (
            partition by group_number, source_id
        ) - model_rank as rank_change
    from placed

)

select * from ranked
