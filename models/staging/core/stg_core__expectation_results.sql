-- Grain: landing_state_id, gate, benchmark, expectation. How one expectation of one gate
-- ended on one landing state.
with

source as (

    select * from {{ source('core', 'expectation_results') }}

),

selected as (

    select
        landing_state_id,
        gate,
        benchmark,
        expectation,
        relation,
        outcome,
        finding_count,
        detail,
        checked_at
    from source

)

select * from selected
