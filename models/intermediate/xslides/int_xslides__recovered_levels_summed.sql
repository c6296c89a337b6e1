-- Grain: evaluation_key, weight_level. Recovered utility by distinct weight; only covered
-- judgments are read.
with

scores as (

    select
        evaluation_key,
        weight_key
    from {{ ref('stg_xslides__probe_scores') }}
    where covered and judgment_status = 'judged'

),

weights as (

    select
        weight_key,
        sampled_units,
        stated_units,
        {{ utility('sampled_units', 'stated_units') }} as weight_level
    from {{ ref('int_xslides__weights_thresholded') }}
    where has_weight

),

summed as (

    select
        scores.evaluation_key,
        weights.weight_level,
        cast(sum(weights.sampled_units) as bigint) as sampled_units,
        cast(sum(weights.stated_units) as bigint) as stated_units
    from scores
    inner join weights on scores.weight_key = weights.weight_key
    where weights.weight_level > 0
    group by scores.evaluation_key, weights.weight_level

)

select * from summed
