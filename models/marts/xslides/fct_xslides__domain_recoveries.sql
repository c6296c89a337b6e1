-- Grain: evaluation_id, tau_a_thousandths, domain. Domain-wise utility recovery: the sums
-- of the headline fact split by information domain. A domain without an included probe
-- has count 0 and coverage NULL. Source: pipeline, Stage 7.
with

scores as (

    select
        evaluation_id,
        run_id,
        system_id,
        condition,
        deck_audience,
        audience,
        dataset_id,
        case_id,
        variant,
        evaluation_config_id,
        bank_id,
        weight_set_id,
        weight_scope,
        judge_id,
        judge_kind,
        evaluation_status,
        tau_a,
        tau_a_thousandths,
        available_utility is not null as has_available_utility,
        recovered_utility is not null as has_recovered_utility
    from {{ ref('fct_xslides__deck_audience_scores') }}

),

thresholds as (

    select
        tau_step,
        tau_a_thousandths
    from {{ ref('int_tau_thresholds_listed') }}

),

utilities as (

    select
        evaluation_id,
        tau_step,
        domain,
        included_probe_count,
        covered_probe_count,
        {{ utility('available_sampled_units', 'available_stated_units') }}
            as available_utility,
        {{ utility('covered_sampled_units', 'covered_stated_units') }}
            as recovered_utility
    from {{ ref('int_xslides__utilities_cumulated') }}

),

joined as (

    select
        scores.evaluation_id,
        scores.run_id,
        scores.system_id,
        scores.condition,
        scores.deck_audience,
        scores.audience,
        scores.dataset_id,
        scores.case_id,
        scores.variant,
        scores.evaluation_config_id,
        scores.bank_id,
        scores.weight_set_id,
        scores.weight_scope,
        scores.judge_id,
        scores.judge_kind,
        scores.evaluation_status,
        scores.tau_a,
        scores.tau_a_thousandths,
        utilities.domain,
        case when scores.has_available_utility then utilities.included_probe_count end
            as included_probe_count,
        case when scores.has_recovered_utility then utilities.covered_probe_count end
            as covered_probe_count,
        case when scores.has_available_utility then utilities.available_utility end
            as available_utility,
        case when scores.has_recovered_utility then utilities.recovered_utility end
            as recovered_utility,
        case
            when scores.has_recovered_utility
                then {{ ratio('utilities.recovered_utility', 'utilities.available_utility') }}
        end as coverage
    from scores
    inner join thresholds on scores.tau_a_thousandths = thresholds.tau_a_thousandths
    inner join utilities
        on
            scores.evaluation_id = utilities.evaluation_id
            and thresholds.tau_step = utilities.tau_step

)

select * from joined
