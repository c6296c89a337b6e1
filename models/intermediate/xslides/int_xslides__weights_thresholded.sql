-- Grain: weight_key (weight set x probe of its bank). The full grid: a probe without a
-- weight stays in it with has_weight false. tau_step is the number of configured
-- thresholds that the weight meets, exactly (macros/scoring/utilities.sql).
with

weight_sets as (

    select
        weight_set_id,
        weight_set_key,
        bank_id
    from {{ ref('stg_xslides__weight_sets') }}

),

probes as (

    select
        bank_id,
        probe_id,
        probe_ordinal
    from {{ ref('stg_xslides__probes') }}

),

domains as (

    select
        bank_id,
        probe_id,
        domain
    from {{ ref('int_xslides__probe_domains_assigned') }}

),

weights as (

    select
        weight_key,
        utility_weight,
        sample_count,
        sample_tenths_sum
    from {{ ref('stg_xslides__weights') }}

),

grid as (

    select
        weight_sets.weight_set_id,
        weight_sets.weight_set_key * 1048576 + probes.probe_ordinal as weight_key,
        domains.domain
    from weight_sets
    inner join probes on weight_sets.bank_id = probes.bank_id
    inner join domains
        on
            probes.bank_id = domains.bank_id
            and probes.probe_id = domains.probe_id

),

thresholded as (

    select
        grid.weight_key,
        grid.weight_set_id,
        grid.domain,
        weights.weight_key is not null as has_weight,
        {{ sampled_units('weights') }} as sampled_units,
        {{ stated_units('weights') }} as stated_units,
        {% for thousandths in var('tau_a_thousandths') %}
        case when {{ meets_threshold('weights', thousandths) }} then 1 else 0 end
        {%- if not loop.last %} +{% endif %}
        {% endfor %}
        as tau_step
    from grid
    left join weights on grid.weight_key = weights.weight_key

),

finished as (

    select
        weight_key,
        weight_set_id,
        domain,
        has_weight,
        cast(coalesce(sampled_units, 0) as bigint) as sampled_units,
        cast(coalesce(stated_units, 0) as bigint) as stated_units,
        cast(tau_step as integer) as tau_step
    from thresholded

)

select * from finished
