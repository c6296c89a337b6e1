-- Grain: cell_number. Bootstrap intervals of the share of judgments on which two judges agree,
-- by case.
with

bounded as (

    {{ ratio_intervals(
        ref('int_xslides__judge_agreements_listed'), 'agreeing_counts', 'compared_counts'
    ) }}

)

select * from bounded
