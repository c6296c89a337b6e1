-- Grain: run_id, system_id, condition, audience, case_id, variant, tau_a_thousandths,
-- metric. One value of one metrics.json that another tool wrote.
with

source as (

    select * from {{ source('xslides', 'imported_metrics') }}

),

selected as (

    select
        dataset_id,
        run_id,
        is_run_stated,
        system_id,
        condition,
        audience,
        case_id,
        case_label,
        variant,
        tau_a_thousandths,
        metric,
        is_metric,
        value,
        judge_kind,
        source_file,
        source_line
    from source

)

select * from selected
