-- Grain: rank_group_number, system_id. Rank of each system in every replicate on the common
-- cases: equal sums share the best rank, and the chance to be best is shared among equals.
with

ranks as (

    select
        unit_count,
        low_rank,
        high_rank
    from {{ source('statistics', 'bootstrap_ranks') }}
    where resamples = {{ var('bootstrap_resamples') }} and method = 'percentile'

),

sums as (

    select * from {{ ref('int_metric_rank_sums_drawn') }}

),

placed as (

    select
        rank_group_number,
        system_id,
        unit_count,
        replicate,
        replicate_sum,
        rank() over (
            partition by rank_group_number, replicate
            order by replicate_sum desc
        ) as replicate_rank
    from sums

),

shared as (

    select
        *,
        count(*) over (
            partition by rank_group_number, replicate, replicate_rank
        ) as equals
    from placed

),

-- Chances are counted in 2,520ths, so that shares of up to ten equals add up exactly.
summed as (

    select
        rank_group_number,
        system_id,
        unit_count,
        {{ sorted_list('replicate_rank') }} as replicate_ranks,
        cast(
            sum(
                case
                    when replicate_rank = 1
                        then cast(round({{ ratio('2520', 'equals') }}) as bigint)
                    else 0
                end
            ) as bigint
        ) as best_shares
    from shared
    group by rank_group_number, system_id, unit_count

),

bounded as (

    select
        summed.rank_group_number,
        summed.system_id,
        cast({{ element('summed.replicate_ranks', 'ranks.low_rank') }} as bigint) as rank_low,
        cast({{ element('summed.replicate_ranks', 'ranks.high_rank') }} as bigint)
            as rank_high,
        {{ ratio('summed.best_shares', 2520 * (var('bootstrap_resamples') | int)) }}
            as probability_of_best
    from summed
    inner join ranks on summed.unit_count = ranks.unit_count

)

select * from bounded
