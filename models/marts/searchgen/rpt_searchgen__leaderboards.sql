-- Grain: run_id, slice, view, group_name, policy, source_id. Every board: one row a model in
-- each group that holds a prompt, under each policy. Scores are 0 to 100 and unrounded; each
-- stands beside the count that it was divided by. Intervals and tie groups are there for the
-- slice of all prompts alone.
with

cells as (

    select * from {{ ref('int_searchgen__cells_estimated') }}

),

ranks as (

    select * from {{ ref('int_searchgen__cells_ranked') }}

),

-- Both groups of all prompts have the intervals of slice type `all`.
groups as (

    select distinct
        group_number,
        run_id,
        slice,
        view,
        group_name,
        case
            when view = 'overall' or (view = 'stratum' and group_name = 'All') then 'all'
            else view
        end as slice_type
    from {{ ref('int_searchgen__prompts_grouped') }}

),

models as (

    select * from {{ ref('stg_searchgen__models') }}

),

runs as (

    select * from {{ ref('stg_searchgen__runs') }}

),

intervals as (

    select * from {{ ref('int_searchgen__intervals_joined') }}

),

joined as (

    select
        groups.run_id,
        runs.dataset_id,
        runs.release,
        groups.slice,
        groups.view,
        groups.group_name,
        cells.policy,
        cells.source_id,
        models.lane,
        models.model_id,
        models.display_name,
        models.model_type,
        models.model_order,
        runs.evaluation_config_id,
        runs.judge_id,
        runs.judge_kind,
        runs.primary_metric,
        models.missing_policy,
        cells.n_total,
        cells.n_scored,
        cells.n_included,
        {% for status in searchgen_missing_statuses() -%}
        cells.n_{{ status }},
        {% endfor -%}
        {{ ratio('cells.n_scored', 'cells.n_total') }} as scored_share,
        {% for score in searchgen_scores() -%}
        cells.{{ score }},
        cells.{{ score }}_count,
        {% endfor -%}
        {% for overall in searchgen_overalls() -%}
        {{ rounded_once('cells.' ~ overall, 1) }} as {{ overall }}_rounded,
        intervals.{{ overall }}_low,
        intervals.{{ overall }}_high,
        intervals.{{ overall }}_standard_error,
        {% endfor -%}
        intervals.interval_method,
        ranks.model_rank,
        ranks.rank_published,
        ranks.rank_change,
        intervals.rank_low,
        intervals.rank_high,
        intervals.tie_group,
        runs.minimum_coverage,
        {{ ratio('cells.n_scored', 'cells.n_total') }} < runs.minimum_coverage
            as is_low_coverage,
        cells.n_included < 10 as is_small_sample
    from cells
    inner join ranks
        on
            cells.group_number = ranks.group_number
            and cells.source_id = ranks.source_id
            and cells.policy = ranks.policy
    inner join groups on cells.group_number = groups.group_number
    inner join runs on groups.run_id = runs.run_id
    inner join models
        on
            groups.run_id = models.run_id
            and cells.source_id = models.source_id
    left join intervals
        on
            groups.slice = 'all'
            and groups.run_id = intervals.run_id
            and groups.slice_type = intervals.slice_type
            and intervals.slice
            = case when groups.slice_type = 'all' then 'all' else groups.group_name end
            and cells.source_id = intervals.source_id
            -- Its overalls, and so their intervals, are those of the published policy.
            and intervals.policy
            = case cells.policy
                when 'applicability_aware' then 'published'
                else cells.policy
            end

)

select * from joined
