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

releases as (

    select
        run_id,
        dataset_id
    from {{ ref('stg_searchgen__runs') }}

),

-- One evaluation a prompt and model, in the lane that boards show.
results as (

    select
        run_id,
        source_id,
        sample_id,
        case status
            when 'scored' then 'ok'
            when 'missing_generation' then 'not_run'
            when 'missing_evaluation' then 'not_run'
            else status
        end as evaluation_status
    from {{ ref('int_searchgen__results_completed') }}

),

answers as (

    select
        run_id,
        dataset_id,
        system_id,
        question_id,
        case answer_status when 'missing' then 'not_run' else 'ok' end as evaluation_status
    from {{ ref('stg_rageval__answers') }}

),

scored_answers as (

    select
        run_id,
        dataset_id,
        system_id,
        concat(dataset, '/', question_id) as case_id,
        case answer_status when 'missing' then 'not_run' else 'ok' end as evaluation_status
    from {{ ref('fct_slideagent__answer_scores') }}

),

unioned as (

    select
        'xslides' as benchmark,
        run_id,
        dataset_id,
        system_id,
        case_id,
        evaluation_status
    from evaluations
    union all
    select
        'xslides' as benchmark,
        run_id,
        dataset_id,
        system_id,
        case_id,
        'imported' as evaluation_status
    from imported
    union all
    select
        'searchgen' as benchmark,
        releases.run_id,
        releases.dataset_id,
        results.source_id as system_id,
        results.sample_id as case_id,
        coalesce(results.evaluation_status, 'absent') as evaluation_status
    from releases
    inner join results on releases.run_id = results.run_id
    union all
    select
        'rageval' as benchmark,
        run_id,
        dataset_id,
        system_id,
        question_id as case_id,
        evaluation_status
    from answers
    union all
    select
        'slideagent' as benchmark,
        run_id,
        dataset_id,
        system_id,
        case_id,
        evaluation_status
    from scored_answers

),

counted as (

    select
        benchmark,
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
    group by benchmark, run_id, dataset_id

)

select * from counted
