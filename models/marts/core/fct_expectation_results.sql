-- Grain: gate, benchmark, expectation. How the expectations ended on the landing state
-- that this build stands on; results of the mart gate are added when it is promoted.
with

results as (

    select * from {{ ref('stg_core__expectation_results') }}

),

landing_state as (

    select landing_state_id from {{ source('core', 'landing_state') }}

),

standing as (

    select
        results.landing_state_id,
        results.gate,
        results.benchmark,
        results.expectation,
        results.relation,
        results.outcome,
        results.finding_count,
        results.detail,
        results.checked_at
    from results
    inner join landing_state
        on results.landing_state_id = landing_state.landing_state_id

)

select * from standing
