-- Grain: pair_number. Intervals and two-sided p of the mean difference of each planned pair.
with

bounded as (

    {{ difference_intervals(ref('int_metric_pairs_listed'), has_strata=true) }}

)

select * from bounded
