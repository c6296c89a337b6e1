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
        variant,
        'imported' as evaluation_status
    from {{ ref('stg_xslides__imported_metrics') }}

),

results as (

    select
        releases.run_id,
        releases.dataset_id,
        completed.source_id as system_id,
        completed.sample_id as case_id,
        -- One evaluation a prompt and model, in the lane that boards show.
        case
            when completed.status is null then 'absent'
            when completed.status = 'scored' then 'ok'
            when completed.status in ('missing_generation', 'missing_evaluation') then 'not_run'
            else completed.status
        end as evaluation_status
    from {{ ref('stg_searchgen__runs') }} as releases
    inner join {{ ref('int_searchgen__results_completed') }} as completed
        on releases.run_id = completed.run_id

),

answers as (

    select
        run_id,
        dataset_id,
        system_id,
        question_id as case_id,
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

    {% for benchmark, rows in [
        ('xslides', 'evaluations'), ('xslides', 'imported'), ('searchgen', 'results'),
        ('rageval', 'answers'), ('slideagent', 'scored_answers'),
    ] -%}
    select
        '{{ benchmark }}' as benchmark,
        run_id,
        dataset_id,
        system_id,
        case_id,
        evaluation_status
    from {{ rows }}
    {% if not loop.last %}union all{% endif %}
    {% endfor %}

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
