-- Grain: evaluation_id, step_number. Coverage of every scored evaluation at every observed
-- threshold, as a fixed-point integer of 10^-9; NULL where nothing is included.
with

evaluations as (

    select
        evaluation_id,
        evaluation_key,
        run_id,
        weight_scope,
        weight_set_id
    from {{ ref('int_xslides__evaluations_assessed') }}
    where evaluation_status in ('ok', 'incomplete_scores')

),

steps as (

    select
        run_id,
        weight_scope,
        step_number,
        tau_a
    from {{ ref('int_xslides__tau_steps_listed') }}

),

available as (

    select
        sets.weight_set_id,
        steps.run_id,
        steps.step_number,
        sum(levels.sampled_units) as sampled_units,
        sum(levels.stated_units) as stated_units
    from (
        select distinct
            run_id,
            weight_scope,
            weight_set_id
        from evaluations
    ) as sets
    inner join steps
        on
            sets.run_id = steps.run_id
            and sets.weight_scope = steps.weight_scope
    inner join {{ ref('int_xslides__weight_levels_summed') }} as levels
        on
            sets.weight_set_id = levels.weight_set_id
            and steps.tau_a <= levels.weight_level
    group by sets.weight_set_id, steps.run_id, steps.step_number

),

recovered as (

    select
        evaluations.evaluation_id,
        steps.step_number,
        sum(levels.sampled_units) as sampled_units,
        sum(levels.stated_units) as stated_units
    from evaluations
    inner join steps
        on
            evaluations.run_id = steps.run_id
            and evaluations.weight_scope = steps.weight_scope
    inner join {{ ref('int_xslides__recovered_levels_summed') }} as levels
        on
            evaluations.evaluation_key = levels.evaluation_key
            and steps.tau_a <= levels.weight_level
    group by evaluations.evaluation_id, steps.step_number

),

computed as (

    select
        evaluations.evaluation_id,
        steps.step_number,
        cast(
            round(
                {{ number('1000000000') }} * {{ ratio(
                    utility('coalesce(recovered.sampled_units, 0)', 'coalesce(recovered.stated_units, 0)'),
                    utility('available.sampled_units', 'available.stated_units')
                ) }}
            ) as bigint
        ) as fixed_coverage
    from evaluations
    inner join steps
        on
            evaluations.run_id = steps.run_id
            and evaluations.weight_scope = steps.weight_scope
    left join available
        on
            evaluations.weight_set_id = available.weight_set_id
            and evaluations.run_id = available.run_id
            and steps.step_number = available.step_number
    left join recovered
        on
            evaluations.evaluation_id = recovered.evaluation_id
            and steps.step_number = recovered.step_number

)

select * from computed
