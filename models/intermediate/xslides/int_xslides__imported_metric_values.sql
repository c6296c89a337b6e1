-- Grain: run_id, system_id, condition, audience, case_id, variant, tau_a_thousandths,
-- metric, slice_type, slice. Imported metrics in the shape of int_xslides__metric_values.
-- Judge and weight scope are `imported`, so no cell pools them with values of our own. The
-- files give no costs, so coverage alone has a micro estimate.
with

imported as (

    select * from {{ ref('stg_xslides__imported_metrics') }}

),

cases as (

    select
        dataset_id,
        case_id,
        scene,
        category,
        topic
    from {{ ref('stg_xslides__cases') }}

),

utilities as (

    select
        run_id,
        system_id,
        condition,
        audience,
        case_id,
        variant,
        tau_a_thousandths,
        max(case when metric = 'recovered_utility' then value end) as recovered_utility,
        max(case when metric = 'available_utility' then value end) as available_utility
    from imported
    group by run_id, system_id, condition, audience, case_id, variant, tau_a_thousandths

),

measured as (

    select
        imported.dataset_id,
        imported.run_id,
        imported.system_id,
        imported.condition,
        imported.audience,
        imported.case_id,
        imported.variant,
        cast(imported.tau_a_thousandths as integer) as tau_a_thousandths,
        cast(imported.tau_a_thousandths as double) / {{ number('1000') }} as tau_a,
        imported.metric,
        imported.value as metric_value,
        imported.metric = 'coverage'
        and imported.value is not null
        and utilities.recovered_utility is not null
        and utilities.available_utility is not null as has_parts,
        utilities.recovered_utility,
        utilities.available_utility
    from imported
    inner join utilities
        on
            imported.run_id = utilities.run_id
            and imported.system_id = utilities.system_id
            and imported.condition = utilities.condition
            and imported.audience = utilities.audience
            and imported.case_id = utilities.case_id
            and imported.variant = utilities.variant
            and imported.tau_a_thousandths = utilities.tau_a_thousandths
    where imported.is_metric

),

sliced as (

    {{ sliced_by_case('measured', 'cases') }}

),

valued as (

    select
        dataset_id,
        run_id,
        system_id,
        condition,
        audience,
        case_id,
        variant,
        tau_a,
        tau_a_thousandths,
        metric,
        slice_type,
        slice,
        'exclude_failed' as policy,
        'imported' as judge_id,
        'imported' as judge_kind,
        cast(null as varchar) as evaluation_config_id,
        'imported' as weight_scope,
        true as is_scored,
        metric_value,
        case when has_parts then recovered_utility end as numerator,
        case when has_parts then available_utility end as denominator
    from sliced

)

select * from valued
