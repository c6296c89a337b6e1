-- Grain: weight_set_id, weight_level. Utility by distinct weight. A level is the weight as a
-- double made from exact integers, so equal weights are one level whatever their k.
with

weights as (

    select
        weight_set_id,
        sampled_units,
        stated_units,
        {{ utility('sampled_units', 'stated_units') }} as weight_level
    from {{ ref('int_xslides__weights_thresholded') }}
    where has_weight

),

summed as (

    select
        weight_set_id,
        weight_level,
        cast(sum(sampled_units) as bigint) as sampled_units,
        cast(sum(stated_units) as bigint) as stated_units
    from weights
    where weight_level > 0
    group by weight_set_id, weight_level

)

select * from summed
