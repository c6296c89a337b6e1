-- Grain: evaluation_id. How each evaluation of the full grid ended. The first rule that
-- holds decides: deck_failed, not_run, incomplete_weights, incomplete_scores, ok.
-- An evaluation ran when at least one judgment of it landed. Decision 0003.
with

evaluations as (

    select * from {{ ref('stg_xslides__evaluations') }}

),

deck_stats as (

    select
        evaluation_key,
        deck_status,
        slide_count,
        visible_word_count,
        case
            when injection_suspected_count is not null
                or unseen_injection_suspected_count is not null
                then cast(
                    coalesce(injection_suspected_count, 0)
                    + coalesce(unseen_injection_suspected_count, 0)
                    as bigint
                )
        end as injection_suspected_count
    from {{ ref('stg_xslides__deck_stats') }}

),

banks as (

    select
        bank_id,
        count(*) as probe_count
    from {{ ref('stg_xslides__probes') }}
    group by bank_id

),

weight_gaps as (

    select
        weight_set_id,
        sum(weight_missing_count) as weight_missing_count
    from {{ ref('int_xslides__utilities_available') }}
    group by weight_set_id

),

weight_scopes as (

    select
        weight_set_id,
        weight_scope
    from {{ ref('stg_xslides__weight_sets') }}

),

score_counts as (

    select
        evaluation_key,
        sum(score_count) as score_count,
        sum(filled_count) as filled_count,
        sum(failed_count) as failed_count,
        sum(abstained_count) as abstained_count
    from {{ ref('int_xslides__utilities_recovered') }}
    group by evaluation_key

),

joined as (

    select
        evaluations.evaluation_id,
        evaluations.evaluation_key,
        evaluations.run_id,
        evaluations.system_id,
        evaluations.condition,
        evaluations.deck_audience,
        evaluations.audience,
        evaluations.dataset_id,
        evaluations.case_id,
        evaluations.variant,
        evaluations.evaluation_config_id,
        evaluations.judge_id,
        evaluations.judge_kind,
        evaluations.bank_id,
        evaluations.weight_set_id,
        coalesce(weight_scopes.weight_scope, 'none') as weight_scope,
        evaluations.reported_status,
        evaluations.is_hash_verified,
        deck_stats.deck_status,
        deck_stats.slide_count,
        deck_stats.visible_word_count,
        deck_stats.injection_suspected_count,
        coalesce(banks.probe_count, 0) as probe_count,
        evaluations.weight_set_id is null
        or coalesce(weight_gaps.weight_missing_count, banks.probe_count, 0) > 0
            as has_weight_gap,
        cast(coalesce(score_counts.score_count, 0) as bigint) as score_count,
        cast(coalesce(score_counts.filled_count, 0) as bigint) as n_filled,
        cast(coalesce(score_counts.failed_count, 0) as bigint) as n_failed,
        cast(coalesce(score_counts.abstained_count, 0) as bigint) as n_abstained
    from evaluations
    left join deck_stats on evaluations.evaluation_key = deck_stats.evaluation_key
    left join banks on evaluations.bank_id = banks.bank_id
    left join weight_gaps on evaluations.weight_set_id = weight_gaps.weight_set_id
    left join weight_scopes on evaluations.weight_set_id = weight_scopes.weight_set_id
    left join score_counts on evaluations.evaluation_key = score_counts.evaluation_key

),

assessed as (

    select
        *,
        greatest(probe_count - score_count, 0) as n_missing,
        case
            when
                reported_status = 'deck_failed'
                or deck_status in (
                    'encrypted',
                    'legacy_binary',
                    'not_a_zip',
                    'damaged',
                    'missing',
                    'too_large',
                    'unsupported'
                )
                then 'deck_failed'
            when score_count = 0 then 'not_run'
            when has_weight_gap then 'incomplete_weights'
            when score_count < probe_count then 'incomplete_scores'
            else 'ok'
        end as evaluation_status
    from joined

)

select * from assessed
