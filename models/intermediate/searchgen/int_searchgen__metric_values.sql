-- Grain: run_id, metric, slice_type, slice, system_id, policy, unit_id. Both overalls of every
-- prompt as values for intervals, ranks and pairs, in the slice of all prompts. NULL is a
-- prompt that the policy leaves out of the mean, or one without a component to average. The
-- overalls of applicability_aware are those of published, so it has no rows of its own.
{{ config(materialized='view') }}
with

-- The group of all prompts is there twice: as the overall view and as the first stratum.
prompts as (

    select
        run_id,
        sample_id,
        case when view = 'overall' then 'all' else view end as slice_type,
        case when view = 'overall' then 'all' else group_name end as slice
    from {{ ref('int_searchgen__prompts_grouped') }}
    where slice = 'all' and not (view = 'stratum' and group_name = 'All')

),

results as (

    select * from {{ ref('int_searchgen__results_completed') }}

),

runs as (

    select
        run_id,
        dataset_id,
        evaluation_config_id,
        judge_id,
        judge_kind
    from {{ ref('stg_searchgen__runs') }}

),

valued as (

    {% for policy, is_zero in {
        'published': 'is_filled', 'all_zero_fill': 'status is not null and not is_scored',
        'all_exclude': 'false', 'common_prompts': 'false',
    }.items() %}
    {% set outer_last = loop.last %}
    {% for metric in searchgen_overalls() %}
    select
        run_id,
        sample_id,
        search_type,
        source_id,
        '{{ metric }}' as metric,
        '{{ policy }}' as policy,
        is_scored,
        case
            when {{ is_zero }} then {{ number('0') }}
            {% if policy == 'common_prompts' -%}
            when not is_common then null
            {% endif -%}
            else {{ metric }}_raw * {{ number('100') }} / {{ number('3') }}
        end as metric_value
    from results
    {% if not (loop.last and outer_last) %}union all{% endif %}
    {% endfor %}
    {% endfor %}

),

joined as (

    select
        runs.run_id,
        runs.dataset_id,
        valued.metric,
        prompts.slice_type,
        prompts.slice,
        valued.source_id as system_id,
        'none' as condition,
        'all' as audience,
        cast(null as double) as tau_a,
        cast(null as integer) as tau_a_thousandths,
        valued.policy,
        runs.judge_id,
        runs.judge_kind,
        runs.evaluation_config_id,
        'none' as weight_scope,
        '' as variant,
        valued.sample_id as unit_id,
        valued.search_type as stratum_name,
        valued.is_scored,
        valued.metric_value,
        cast(null as double) as numerator,
        cast(null as double) as denominator
    from valued
    inner join prompts
        on
            valued.run_id = prompts.run_id
            and valued.sample_id = prompts.sample_id
    inner join runs on valued.run_id = runs.run_id

)

select * from joined
