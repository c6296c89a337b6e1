-- Grain: evaluation_id, tau_a_thousandths. Every evaluation of the full grid at every
-- configured threshold, whether it ran or not; metrics are NULL unless it ran completely
-- enough (status ok or incomplete_scores).
with

evaluations as (

    select
        *,
        evaluation_status in ('ok', 'incomplete_scores') as is_scored
    from {{ ref('int_xslides__evaluations_assessed') }}

),

thresholds as (

    select
        tau_step,
        tau_a_thousandths,
        tau_a
    from {{ ref('int_tau_thresholds_listed') }}

),

coverages as (

    select * from {{ ref('int_xslides__coverages_computed') }}

),

efficiencies as (

    select * from {{ ref('int_xslides__efficiencies_computed') }}

),

correctness as (

    select * from {{ ref('int_xslides__correctness_computed') }}

),

joined as (

    select
        evaluations.evaluation_id,
        evaluations.run_id,
        evaluations.system_id,
        evaluations.condition,
        evaluations.deck_audience,
        evaluations.audience,
        evaluations.dataset_id,
        evaluations.case_id,
        evaluations.variant,
        evaluations.evaluation_config_id,
        evaluations.bank_id,
        evaluations.weight_set_id,
        evaluations.weight_scope,
        evaluations.judge_id,
        evaluations.judge_kind,
        evaluations.evaluation_status,
        evaluations.deck_status,
        evaluations.is_hash_verified,
        thresholds.tau_a,
        thresholds.tau_a_thousandths,
        evaluations.probe_count,
        evaluations.score_count,
        evaluations.n_missing,
        evaluations.n_filled,
        evaluations.n_failed,
        evaluations.n_abstained,
        evaluations.slide_count,
        evaluations.visible_word_count,
        evaluations.injection_suspected_count,
        case when not evaluations.has_weight_gap then coverages.included_probe_count end
            as included_probe_count,
        case when not evaluations.has_weight_gap then coverages.available_utility end
            as available_utility,
        {% for column in [
            'covered_probe_count',
            'recovered_utility',
            'coverage',
            'coverage_unweighted',
            'coverage_low',
            'coverage_high',
        ] -%}
        case when evaluations.is_scored then coverages.{{ column }} end as {{ column }},
        {% endfor -%}
        {% for column in [
            'time_cost_minutes',
            'efficiency_time',
            'efficiency_slide',
            'efficiency_word',
            'efficiency_time_literal',
            'efficiency_word_literal',
        ] -%}
        case when evaluations.is_scored then efficiencies.{{ column }} end as {{ column }},
        {% endfor -%}
        {% for column in [
            'correctness',
            'correctness_low',
            'correctness_high',
            'claim_count',
            'settled_claim_count',
            'contradicted_claim_count',
            'unsupported_claim_count',
            'has_many_unsettled_claims',
        ] -%}
        case when evaluations.is_scored then correctness.{{ column }} end as {{ column }},
        {% endfor -%}
        case
            when evaluations.is_scored
                then efficiencies.efficiency_time * correctness.correctness
        end as safe_efficiency_time
    from evaluations
    cross join thresholds
    left join coverages
        on
            evaluations.evaluation_id = coverages.evaluation_id
            and thresholds.tau_step = coverages.tau_step
    left join efficiencies
        on
            evaluations.evaluation_id = efficiencies.evaluation_id
            and thresholds.tau_step = efficiencies.tau_step
    left join correctness on evaluations.evaluation_id = correctness.evaluation_id

)

select * from joined
