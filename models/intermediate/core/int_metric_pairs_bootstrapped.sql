-- Grain: pair_number. Intervals and two-sided p of a mean difference, on the same resampled
-- cases as everything else of that size: p = 2 * min(share <= 0, share >= 0) of the
-- replicates, at least 1 / (B + 1), at most 1.
with

pairs as (

    select
        pair_number,
        unit_count,
        unit_values
    from {{ ref('int_metric_pairs_listed') }}
    where unit_count >= 2

),

draws as (

    select
        unit_count,
        replicate,
        draw_counts
    from {{ ref('int_bootstrap_counts_drawn') }}

),

ranks as (

    {{ interval_ranks() }}

),

sums as (

    select
        pairs.pair_number,
        {{ dot_product('pairs.unit_values', 'draws.draw_counts') }} as replicate_sum
    from pairs
    inner join draws on {{ same_size('pairs', 'draws') }}

),

replicates as (

    select
        pair_number,
        {{ lowest_values('replicate_sum', tail_length()) }} as lowest_sums,
        {{ highest_values('replicate_sum', tail_length()) }} as highest_sums,
        count_if(replicate_sum <= 0) as count_at_most_zero,
        count_if(replicate_sum >= 0) as count_at_least_zero
    from sums
    group by pair_number

),

bounded as (

    select
        pairs.pair_number,
        {{ interval_ends(
            'replicates.lowest_sums', 'replicates.highest_sums', 'pairs.unit_count', 'ranks'
        ) }},
        least(
            {{ number('1') }},
            greatest(
                {{ ratio('1', (var('bootstrap_resamples') | int) + 1) }},
                2 * {{ ratio(
                    'least(replicates.count_at_most_zero, replicates.count_at_least_zero)',
                    var('bootstrap_resamples')
                ) }}
            )
        ) as p_value
    from pairs
    inner join replicates on pairs.pair_number = replicates.pair_number
    inner join ranks on pairs.unit_count = ranks.unit_count

)

select * from bounded
