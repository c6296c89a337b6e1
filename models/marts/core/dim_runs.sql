-- Grain: benchmark, run_id. One batch of results, with how much of its grid is there.
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

counted as (

    select
        'xslides' as benchmark,
        run_id,
        dataset_id,
        count(distinct system_id) as system_count,
        count(distinct case_id) as case_count,
        count(*) as evaluation_count,
        count_if(evaluation_status = 'ok') as ok_evaluation_count,
        count_if(evaluation_status = 'deck_failed') as deck_failed_evaluation_count,
        count_if(evaluation_status = 'not_run') as not_run_evaluation_count
    from evaluations
    group by run_id, dataset_id

)

select * from counted
