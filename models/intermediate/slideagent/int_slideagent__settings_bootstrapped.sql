-- Grain: pair_number. Bootstrap intervals and p of oracle minus end to end, by question.
with

bounded as (

    {{ difference_intervals(ref('int_slideagent__settings_listed')) }}

)

select * from bounded
