-- Grain: benchmark, system_id. One system under test and how much it was tested, by our own
-- evaluations or by metrics that another tool computed.
with

evaluations as (

    select
        system_id,
        run_id,
        case_id,
        condition,
        false as is_imported
    from {{ ref('int_xslides__evaluations_assessed') }}

),

imported as (

    select distinct
        system_id,
        run_id,
        case_id,
        condition,
        audience,
        variant
    from {{ ref('stg_xslides__imported_metrics') }}

),

results as (

    select
        source_id,
        run_id,
        sample_id
    from {{ ref('int_searchgen__results_completed') }}

),

answers as (

    select
        system_id,
        run_id,
        question_id
    from {{ ref('stg_rageval__answers') }}

),

scored_answers as (

    select
        system_id,
        run_id,
        concat(dataset, '/', question_id) as case_id,
        setting
    from {{ ref('fct_slideagent__answer_scores') }}

),

unioned as (

    select
        'xslides' as benchmark,
        system_id,
        run_id,
        case_id,
        condition,
        is_imported
    from evaluations
    union all
    select
        'xslides' as benchmark,
        system_id,
        run_id,
        case_id,
        condition,
        true as is_imported
    from imported
    union all
    select
        'searchgen' as benchmark,
        source_id as system_id,
        run_id,
        sample_id as case_id,
        'none' as condition,
        false as is_imported
    from results
    union all
    select
        'rageval' as benchmark,
        system_id,
        run_id,
        question_id as case_id,
        'none' as condition,
        false as is_imported
    from answers
    union all
    select
        'slideagent' as benchmark,
        system_id,
        run_id,
        case_id,
        setting as condition,
        false as is_imported
    from scored_answers

),

counted as (

    select
        benchmark,
        system_id,
        count(distinct run_id) as run_count,
        count(distinct case_id) as case_count,
        cast(count_if(not is_imported) as bigint) as evaluation_count,
        cast(count_if(is_imported) as bigint) as imported_evaluation_count,
        bool_or(condition = 'conditioned') as has_conditioned_decks
    from unioned
    group by benchmark, system_id

)

select * from counted
