-- Grain: evaluation_id, tau_step, domain. The full grid of evaluations, thresholds and
-- domains; a domain without an included probe stays with count 0. Sums are integers, so
-- the domains of an evaluation add up to its total exactly.
with

evaluations as (

    select
        evaluation_id,
        evaluation_key,
        weight_set_id
    from {{ ref('stg_xslides__evaluations') }}

),

thresholds as (

    select tau_step from {{ ref('int_tau_thresholds_listed') }}

),

domains as (

    select domain from {{ ref('domains') }}

),

available as (

    select
        utilities.weight_set_id,
        utilities.domain,
        thresholds.tau_step,
        sum(utilities.probe_count) as included_probe_count,
        sum(utilities.sampled_units) as available_sampled_units,
        sum(utilities.stated_units) as available_stated_units
    from {{ ref('int_xslides__utilities_available') }} as utilities
    inner join thresholds on utilities.tau_step >= thresholds.tau_step
    group by utilities.weight_set_id, utilities.domain, thresholds.tau_step

),

recovered as (

    select
        utilities.evaluation_key,
        utilities.domain,
        thresholds.tau_step,
        sum(utilities.covered_count) as covered_probe_count,
        sum(utilities.covered_sampled_units) as covered_sampled_units,
        sum(utilities.covered_stated_units) as covered_stated_units,
        sum(utilities.uncovered_sampled_units) as uncovered_sampled_units,
        sum(utilities.uncovered_stated_units) as uncovered_stated_units
    from {{ ref('int_xslides__utilities_recovered') }} as utilities
    inner join thresholds on utilities.tau_step >= thresholds.tau_step
    group by utilities.evaluation_key, utilities.domain, thresholds.tau_step

),

grid as (

    select
        evaluations.evaluation_id,
        evaluations.evaluation_key,
        evaluations.weight_set_id,
        thresholds.tau_step,
        domains.domain
    from evaluations
    cross join thresholds
    cross join domains

),

cumulated as (

    select
        grid.evaluation_id,
        grid.tau_step,
        grid.domain,
        {% for column in [
            'included_probe_count',
            'available_sampled_units',
            'available_stated_units',
        ] -%}
        cast(coalesce(available.{{ column }}, 0) as bigint) as {{ column }},
        {% endfor -%}
        {% for column in [
            'covered_probe_count',
            'covered_sampled_units',
            'covered_stated_units',
            'uncovered_sampled_units',
            'uncovered_stated_units',
        ] -%}
        cast(coalesce(recovered.{{ column }}, 0) as bigint) as {{ column }}
        {%- if not loop.last %},{% endif %}
        {% endfor %}
    from grid
    left join available
        on
            grid.weight_set_id = available.weight_set_id
            and grid.tau_step = available.tau_step
            and grid.domain = available.domain
    left join recovered
        on
            grid.evaluation_key = recovered.evaluation_key
            and grid.tau_step = recovered.tau_step
            and grid.domain = recovered.domain

)

select * from cumulated
