-- Grain: evaluation_key, domain, tau_step. One scan of the judgments: what the deck
-- recovered, and what is settled as not recovered. All that is neither (filled, failed,
-- abstained, missing) makes the distance between coverage_low and coverage_high.
with

scores as (

    select
        evaluation_key,
        weight_key,
        covered,
        judgment_status,
        verdict
    from {{ ref('stg_xslides__probe_scores') }}

),

weights as (

    select
        weight_key,
        domain,
        tau_step,
        sampled_units,
        stated_units
    from {{ ref('int_xslides__weights_thresholded') }}

),

judged as (

    select
        scores.evaluation_key,
        weights.domain,
        weights.tau_step,
        scores.covered and scores.judgment_status = 'judged' as is_covered,
        not scores.covered
        and scores.judgment_status = 'judged'
        and scores.verdict <> 'abstain' as is_settled_uncovered,
        scores.judgment_status,
        scores.verdict,
        weights.sampled_units,
        weights.stated_units
    from scores
    left join weights on scores.weight_key = weights.weight_key

),

summed as (

    select
        evaluation_key,
        domain,
        tau_step,
        count(*) as score_count,
        count_if(judgment_status = 'filled') as filled_count,
        count_if(judgment_status = 'failed') as failed_count,
        count_if(judgment_status = 'judged' and verdict = 'abstain') as abstained_count,
        count_if(is_covered) as covered_count,
        coalesce(cast(sum(case when is_covered then sampled_units end) as bigint), 0)
            as covered_sampled_units,
        coalesce(cast(sum(case when is_covered then stated_units end) as bigint), 0)
            as covered_stated_units,
        coalesce(cast(sum(case when is_settled_uncovered then sampled_units end) as bigint), 0)
            as uncovered_sampled_units,
        coalesce(cast(sum(case when is_settled_uncovered then stated_units end) as bigint), 0)
            as uncovered_stated_units
    from judged
    group by evaluation_key, domain, tau_step

)

select * from summed
