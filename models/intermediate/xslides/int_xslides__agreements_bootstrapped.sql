-- Grain: cell_number. Bootstrap intervals of an agreement share, by case: the probes of one
-- deck stand or fall together, so single pairs are no independent draws. The ends are order
-- statistics, as everywhere (decision 0009).
with

bounded as (

    {{ ratio_intervals(
        ref('int_xslides__agreements_listed'), 'agreeing_pairs', 'rating_pairs'
    ) }}

)

select * from bounded
