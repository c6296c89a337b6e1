-- Grain: evaluation_id, tau_step. coverage = recovered / available utility over the
-- included probes; NULL when none is included. Source: pipeline, Stage 6; xslides
-- reference section 2.
with

utilities as (

    select
        evaluation_id,
        tau_step,
        sum(included_probe_count) as included_probe_count,
        sum(covered_probe_count) as covered_probe_count,
        sum(available_sampled_units) as available_sampled_units,
        sum(available_stated_units) as available_stated_units,
        sum(covered_sampled_units) as covered_sampled_units,
        sum(covered_stated_units) as covered_stated_units,
        sum(uncovered_sampled_units) as uncovered_sampled_units,
        sum(uncovered_stated_units) as uncovered_stated_units
    from {{ ref('int_xslides__utilities_cumulated') }}
    group by evaluation_id, tau_step

),

summed as (

    select
        evaluation_id,
        tau_step,
        cast(included_probe_count as bigint) as included_probe_count,
        cast(covered_probe_count as bigint) as covered_probe_count,
        {{ utility('available_sampled_units', 'available_stated_units') }}
            as available_utility,
        {{ utility('covered_sampled_units', 'covered_stated_units') }}
            as recovered_utility,
        {{ utility(
            '(available_sampled_units - uncovered_sampled_units)',
            '(available_stated_units - uncovered_stated_units)'
        ) }} as recoverable_utility
    from utilities

),

computed as (

    select
        evaluation_id,
        tau_step,
        included_probe_count,
        covered_probe_count,
        available_utility,
        recovered_utility,
        {{ ratio('recovered_utility', 'available_utility') }} as coverage,
        {{ ratio('covered_probe_count', 'included_probe_count') }} as coverage_unweighted,
        {{ ratio('recovered_utility', 'available_utility') }} as coverage_low,
        {{ ratio('recoverable_utility', 'available_utility') }} as coverage_high
    from summed

)

select * from computed
