-- Grain: set_sha256, task, judge_kind, judge_id, anchor_run_id, kind. An anchor run of a judge
-- against the one before it on the same frozen set: agreement with itself, accuracy and its
-- change. Alarms are rows of the registry judge_drift_alarms and are raised on all items of a
-- task together; single kinds are reported, since so many comparisons would raise false ones.
-- The first run is the baseline and raises none.
with

drifts as (

    select
        *,
        cast(unit_count as {{ exact_integer() }}) * unit_count - chance_units as room_units,
        cast(unit_count as {{ exact_integer() }}) * agreeing_count - chance_units
            as gain_units
    from {{ ref('int_judge_drifts_listed') }}

),

intervals as (

    select * from {{ ref('int_judge_drifts_bootstrapped') }}

),

limits as (

    select
        {% for alarm in ['accuracy_fell', 'agreement_low'] -%}
        max(case when alarm = '{{ alarm }}' then cast(threshold as double) end)
            as {{ alarm }}{{ ',' if not loop.last }}
        {% endfor -%}
    from {{ ref('judge_drift_alarms') }}

),

measured as (

    select
        drifts.set_sha256,
        drifts.set_name,
        drifts.task,
        drifts.judge_kind,
        drifts.judge_id,
        drifts.anchor_run_id,
        drifts.kind,
        drifts.previous_run_id,
        drifts.started_at,
        drifts.is_latest,
        drifts.model_served,
        drifts.model_count as n_models_served,
        drifts.previous_model_served,
        coalesce(drifts.unit_count > 0 and drifts.is_model_changed, false)
            as is_model_changed,
        drifts.is_prompt_changed,
        {{ ratio('drifts.correct_count', 'drifts.item_count') }} as accuracy_share,
        {{ ratio('drifts.previous_correct_count', 'drifts.unit_count') }}
            as previous_accuracy_share,
        {{ ratio(
            'drifts.correct_count - drifts.previous_correct_count', 'drifts.unit_count'
        ) }} as difference,
        intervals.percentile_low,
        intervals.percentile_high,
        intervals.expanded_low,
        intervals.expanded_high,
        {{ ratio('drifts.agreeing_count', 'drifts.unit_count') }} as agreement_share,
        {{ ratio('drifts.gain_units', 'drifts.room_units') }} as cohens_kappa,
        drifts.item_count as n_items,
        drifts.failed_count as n_failed,
        drifts.unit_count - drifts.agreeing_count as n_changed,
        limits.accuracy_fell,
        limits.agreement_low
    from drifts
    cross join limits
    left join intervals on drifts.pair_number = intervals.pair_number

),

judged as (

    select
        *,
        case
            when kind <> 'all' then 'reported'
            when previous_run_id is null then 'baseline'
            when expanded_high < accuracy_fell then 'accuracy_fell'
            when agreement_share < agreement_low then 'agreement_low'
            else 'steady'
        end as drift_status
    from measured

),

reported as (

    select
        set_sha256,
        set_name,
        task,
        judge_kind,
        judge_id,
        anchor_run_id,
        kind,
        previous_run_id,
        started_at,
        is_latest,
        drift_status,
        drift_status in ('accuracy_fell', 'agreement_low') as is_alarm,
        model_served,
        n_models_served,
        previous_model_served,
        is_model_changed,
        is_prompt_changed,
        accuracy_share,
        previous_accuracy_share,
        difference,
        percentile_low,
        percentile_high,
        expanded_low,
        expanded_high,
        agreement_share,
        cohens_kappa,
        n_items,
        n_failed,
        n_changed
    from judged

)

select * from reported
