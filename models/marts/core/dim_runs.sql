-- Grain: benchmark, run_id. One batch of results, with how much of its grid is there. A run
-- that exists as imported metrics alone is a run too.
with

evaluations as (

    select
        run_id,
        dataset_id,
        system_id,
        case_id,
        evaluation_status
    from {{ ref('int_xslides__evaluations_assessed') }}

),

imported as (

    select distinct
        run_id,
        dataset_id,
        system_id,
        condition,
        audience,
        case_id,
        variant
    from {{ ref('stg_xslides__imported_metrics') }}

),

unioned as (

    select
        run_id,
        dataset_id,
        system_id,
        case_id,
        evaluation_status
    from evaluations
    union all
    select
        run_id,
        dataset_id,
        system_id,
        case_id,
        'imported' as evaluation_status
    from imported

),

counted as (

    select
        'xslides' as benchmark,
        run_id,
        dataset_id,
        count(distinct system_id) as system_count,
        count(distinct case_id) as case_count,
        cast(count_if(evaluation_status <> 'imported') as bigint) as evaluation_count,
        cast(count_if(evaluation_status = 'ok') as bigint) as ok_evaluation_count,
        cast(count_if(evaluation_status = 'deck_failed') as bigint)
            as deck_failed_evaluation_count,
        cast(count_if(evaluation_status = 'not_run') as bigint) as not_run_evaluation_count,
        cast(count_if(evaluation_status = 'imported') as bigint) as imported_evaluation_count
    from unioned
    group by run_id, dataset_id

)

select * from counted
