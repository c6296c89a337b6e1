-- Grain: pair_number. Intervals of the change of accuracy between two anchor runs, by item.
with

bounded as (

    {{ difference_intervals(ref('int_judge_drifts_listed')) }}

)

select * from bounded
