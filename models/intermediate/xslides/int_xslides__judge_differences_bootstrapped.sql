-- Grain: pair_number. Intervals and two-sided p of the mean difference between two judges.
with

bounded as (

    {{ difference_intervals(ref('int_xslides__judge_differences_listed')) }}

)

select * from bounded
