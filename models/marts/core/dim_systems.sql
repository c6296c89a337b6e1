-- Grain: benchmark, system_id. One system under test and how much it was tested.
with

evaluations as (

    select
        system_id,
        run_id,
        case_id,
        condition
    from {{ ref('int_xslides__evaluations_assessed') }}

),

counted as (

    select
        'xslides' as benchmark,
        system_id,
        count(distinct run_id) as run_count,
        count(distinct case_id) as case_count,
        count(*) as evaluation_count,
        bool_or(condition = 'conditioned') as has_conditioned_decks
    from evaluations
    group by system_id

)

select * from counted
