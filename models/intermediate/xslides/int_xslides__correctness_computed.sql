-- Grain: evaluation_id. correctness = label weights / settled claims. Unverifiable and
-- failed claims leave the denominator; the bounds count them as wrong and as right. A label
-- that the registry does not know is unsettled too.
-- Label weights: seeds/registries/claim_label_weights.csv. Source: pipeline, Stage 5.
with

claims as (

    select
        evaluation_id,
        label
    from {{ ref('stg_xslides__claims') }}

),

label_weights as (

    select
        label,
        label_weight,
        is_settled
    from {{ ref('claim_label_weights') }}

),

labelled as (

    select
        claims.evaluation_id,
        claims.label,
        coalesce(label_weights.is_settled, false) as is_settled,
        label_weights.label_weight
    from claims
    left join label_weights on claims.label = label_weights.label

),

counted as (

    select
        evaluation_id,
        count(*) as claim_count,
        cast(count_if(is_settled) as bigint) as settled_claim_count,
        cast(count_if(label = 'contradicted') as bigint) as contradicted_claim_count,
        cast(count_if(label = 'unsupported') as bigint) as unsupported_claim_count,
        -- In thousandths, so that the sum is an integer.
        cast(
            sum(
                case when is_settled then cast(round(label_weight * 1000) as bigint) else 0 end
            ) as bigint
        ) as weight_thousandths
    from labelled
    group by evaluation_id

),

computed as (

    select
        evaluation_id,
        claim_count,
        settled_claim_count,
        contradicted_claim_count,
        unsupported_claim_count,
        weight_thousandths,
        {{ ratio('weight_thousandths', 'settled_claim_count * 1000') }} as correctness,
        {{ ratio('weight_thousandths', 'claim_count * 1000') }} as correctness_low,
        {{ ratio(
            'weight_thousandths + (claim_count - settled_claim_count) * 1000',
            'claim_count * 1000'
        ) }} as correctness_high,
        {{ ratio('claim_count - settled_claim_count', 'claim_count') }}
        > {{ number(var('unsettled_claim_share_limit')) }} as has_many_unsettled_claims
    from counted

)

select * from computed
