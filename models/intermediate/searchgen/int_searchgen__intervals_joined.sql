-- Grain: run_id, slice_type, slice, source_id, policy. What the core statistics say of both
-- overalls of a cell, side by side; ranks are those of the primary metric of the run, on the
-- prompts that every model has a value for.
with

runs as (

    select
        run_id,
        primary_metric
    from {{ ref('stg_searchgen__runs') }}

),

summaries as (

    select * from {{ ref('rpt_metric_summaries') }}
    where benchmark = 'searchgen'

),

ranks as (

    select * from {{ ref('rpt_rank_intervals') }}
    where benchmark = 'searchgen'

),

paired as (

    select
        summaries.run_id,
        summaries.slice_type,
        summaries.slice,
        summaries.system_id as source_id,
        summaries.policy,
        min(runs.primary_metric) as primary_metric,
        {% for overall in searchgen_overalls() -%}
        min(summaries.expanded_low) filter (where summaries.metric = '{{ overall }}')
            as {{ overall }}_low,
        min(summaries.expanded_high) filter (where summaries.metric = '{{ overall }}')
            as {{ overall }}_high,
        min(summaries.standard_error) filter (where summaries.metric = '{{ overall }}')
            as {{ overall }}_standard_error,
        {% endfor -%}
        min(summaries.interval_method) filter (where summaries.metric = runs.primary_metric)
            as interval_method
    from summaries
    inner join runs on summaries.run_id = runs.run_id
    group by
        summaries.run_id,
        summaries.slice_type,
        summaries.slice,
        summaries.system_id,
        summaries.policy

),

joined as (

    select
        paired.*,
        ranks.rank_low,
        ranks.rank_high,
        ranks.tie_group
    from paired
    left join ranks
        on
            paired.run_id = ranks.run_id
            and paired.slice_type = ranks.slice_type
            and paired.slice = ranks.slice
            and paired.source_id = ranks.system_id
            and paired.policy = ranks.policy
            and paired.primary_metric = ranks.metric

)

select * from joined
