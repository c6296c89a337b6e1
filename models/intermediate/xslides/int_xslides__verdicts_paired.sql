-- Grain: first_evaluation_id, second_evaluation_id, task, first_label, second_label. How often
-- two judges gave one pair of labels to the same thing. answerability: covered or uncovered, an
-- abstention being uncovered, for every probe that both judged. verification: the label of a
-- claim that neither failed on, where its id and text are the same on both sides.
with

pairs as (

    select * from {{ ref('int_xslides__evaluation_pairs_matched') }}

),

scores as (

    select
        evaluation_key,
        probe_id,
        case when covered then 'covered' else 'uncovered' end as label
    from {{ ref('stg_xslides__probe_scores') }}
    where judgment_status = 'judged'

),

claims as (

    select
        evaluation_key,
        claim_id,
        text as claim_text,
        label
    from {{ ref('stg_xslides__claims') }}
    where label <> 'failed'

),

answered as (

    select
        pairs.first_evaluation_id,
        pairs.second_evaluation_id,
        pairs.task,
        first_scores.label as first_label,
        second_scores.label as second_label
    from pairs
    inner join scores as first_scores
        on pairs.first_evaluation_key = first_scores.evaluation_key
    inner join scores as second_scores
        on
            pairs.second_evaluation_key = second_scores.evaluation_key
            and first_scores.probe_id = second_scores.probe_id
    where pairs.task = 'answerability'

),

verified as (

    select
        pairs.first_evaluation_id,
        pairs.second_evaluation_id,
        pairs.task,
        first_claims.label as first_label,
        second_claims.label as second_label
    from pairs
    inner join claims as first_claims
        on pairs.first_evaluation_key = first_claims.evaluation_key
    inner join claims as second_claims
        on
            pairs.second_evaluation_key = second_claims.evaluation_key
            and first_claims.claim_id = second_claims.claim_id
            and first_claims.claim_text = second_claims.claim_text
    where pairs.task = 'verification'

),

unioned as (

    select * from answered
    union all
    select * from verified

),

counted as (

    select
        first_evaluation_id,
        second_evaluation_id,
        task,
        first_label,
        second_label,
        count(*) as judgment_count
    from unioned
    group by all

)

select * from counted
