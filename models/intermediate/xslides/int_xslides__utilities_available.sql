-- Grain: weight_set_id, domain, tau_step. What a perfect deck could recover, from the
-- weight grid alone: no score row can change a denominator.
with

weights as (

    select
        weight_set_id,
        domain,
        tau_step,
        has_weight,
        sampled_units,
        stated_units
    from {{ ref('int_xslides__weights_thresholded') }}

),

summed as (

    select
        weight_set_id,
        domain,
        tau_step,
        count(*) as probe_count,
        count(*) - count_if(has_weight) as weight_missing_count,
        cast(sum(sampled_units) as bigint) as sampled_units,
        cast(sum(stated_units) as bigint) as stated_units
    from weights
    group by weight_set_id, domain, tau_step

)

select * from summed
