-- Grain: benchmark, run_id, system_id, condition, judge_id, judge_kind,
-- evaluation_config_id, variant, repeat_source. How often a judge agrees with itself on one
-- deck and one probe. Where that would be a tautology (rules, one call for all audiences, a
-- cache) the figures are NULL and `repeatability_status` says why.
-- krippendorff_alpha = 1 - observed / expected disagreement, nominal, in integers until the
-- last division: the disagreement of m ratings of a probe weighs 1 / (m - 1).
with

cells as (

    select
        *,
        rating_count - covered_rating_count as uncovered_rating_count
    from {{ ref('int_xslides__agreements_listed') }}

),

intervals as (

    select * from {{ ref('int_xslides__agreements_bootstrapped') }}

),

metrics as (

    select
        benchmark,
        method_version
    from {{ ref('metrics') }}
    where benchmark = 'xslides' and metric = 'judge_agreement'

),

chances as (

    select
        *,
        720720 * cast(covered_rating_count as {{ exact_integer() }}) * uncovered_rating_count
            as expected_units,
        (rating_count - 1) * disagreement_units as observed_units
    from cells

),

joined as (

    select
        metrics.benchmark,
        chances.run_id,
        chances.system_id,
        chances.condition,
        chances.variant,
        chances.judge_id,
        chances.judge_kind,
        chances.evaluation_config_id,
        chances.repeat_source,
        metrics.method_version,
        case
            when chances.judge_kind = 'heuristic' then 'deterministic_judge'
            when chances.rating_pair_count > 0 and chances.expected_units > 0 then 'measured'
            when chances.rating_pair_count > 0 then 'no_variation'
            when chances.has_shared then 'shared_judgments'
            when chances.has_cached then 'cached_judgments'
            else 'no_repeats'
        end as repeatability_status,
        {{ ratio(
            'chances.rating_pair_count - chances.disagreeing_pair_count',
            'chances.rating_pair_count'
        ) }} as agreement_share,
        {{ ratio(
            'chances.expected_units - chances.observed_units', 'chances.expected_units'
        ) }} as krippendorff_alpha,
        intervals.percentile_low,
        intervals.percentile_high,
        intervals.expanded_low,
        intervals.expanded_high,
        case when intervals.cell_number is null then 'none' else 'bootstrap' end
            as interval_method,
        intervals.resamples,
        intervals.bootstrap_seed,
        chances.unit_count,
        chances.repeated_probe_count as n_repeated_probes,
        chances.unanimous_probe_count as n_unanimous_probes,
        chances.rating_count as n_ratings,
        chances.covered_rating_count as n_covered_ratings,
        chances.rating_pair_count as n_rating_pairs,
        chances.disagreeing_pair_count as n_disagreeing_pairs,
        chances.unit_count < 10 as is_small_sample
    from chances
    cross join metrics
    left join intervals on chances.cell_number = intervals.cell_number

)

select * from joined
