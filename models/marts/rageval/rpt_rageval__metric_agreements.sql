-- Grain: dataset_id, preference_set, aspect, rater_kind, rater. How a metric, or one annotator,
-- agrees with what people prefer. A pair stands once for each annotator, so that rows are no
-- count of independent pairs. Sums are exact. Kendall's is tau-b. phi is there where both
-- sides take two values, kappa (unweighted) for annotators alone.
{% set group_columns = ['dataset_id', 'preference_set', 'aspect', 'rater_kind', 'rater'] %}
{% set keys = group_columns | join(',\n        ') %}
with

ranked as (

    select * from {{ ref('int_rageval__preferences_ranked') }}

),

ordered as (

    select * from {{ ref('int_rageval__preferences_ordered') }}

),

chances as (

    select * from {{ ref('int_rageval__preference_chances_counted') }}

),

cells as (

    select * from {{ ref('int_rageval__preference_pairs_listed') }}

),

bounds as (

    select * from {{ ref('int_rageval__preference_intervals_bootstrapped') }}

),

intervals as (

    select
        cells.*,
        bounds.percentile_low,
        bounds.percentile_high
    from cells
    inner join bounds on cells.cell_number = bounds.cell_number

),

summed as (

    select
        {{ keys }},
        count(*) as rated_row_count,
        count(distinct pair_id) as preference_pair_count,
        cast(count_if(is_filled) as bigint) as imputed_count,
        count(distinct rating) as rating_value_count,
        count(distinct preference) as preference_value_count,
        {{ from_fixed_point('sum(' ~ fixed_point('rating') ~ ')') }} as sum_x,
        {{ from_fixed_point('sum(' ~ fixed_point('preference') ~ ')') }} as sum_y,
        {{ from_fixed_point('sum(' ~ fixed_point('rating * rating') ~ ')') }} as sum_xx,
        {{ from_fixed_point('sum(' ~ fixed_point('preference * preference') ~ ')') }} as sum_yy,
        {{ from_fixed_point('sum(' ~ fixed_point('rating * preference') ~ ')') }} as sum_xy,
        cast(sum(rating_double_rank) as {{ exact_integer() }}) as rank_x,
        cast(sum(rating_double_rank * rating_double_rank) as {{ exact_integer() }}) as rank_xx,
        cast(sum(preference_double_rank * preference_double_rank) as {{ exact_integer() }})
            as rank_yy,
        cast(sum(rating_double_rank * preference_double_rank) as {{ exact_integer() }})
            as rank_xy,
        cast(count_if(rating = preference) as bigint) as equal_count
    from ranked
    group by {{ group_columns | join(', ') }}

),

-- Both rank sums are n * (n + 1), as ties keep the sum of ranks.
correlated as (

    select
        {% for column in group_columns -%}
        summed.{{ column }},
        {% endfor -%}
        (summed.rated_row_count * summed.sum_xy - summed.sum_x * summed.sum_y)
        / nullif(
            sqrt(summed.rated_row_count * summed.sum_xx - summed.sum_x * summed.sum_x)
            * sqrt(summed.rated_row_count * summed.sum_yy - summed.sum_y * summed.sum_y),
            0
        ) as pearson,
        cast(summed.rated_row_count * summed.rank_xy - summed.rank_x * summed.rank_x as double)
        / nullif(
            sqrt(cast(
                summed.rated_row_count * summed.rank_xx
                - summed.rank_x * summed.rank_x as double
            ))
            * sqrt(cast(
                summed.rated_row_count * summed.rank_yy
                - summed.rank_x * summed.rank_x as double
            )),
            0
        ) as spearman,
        cast(ordered.concordant_count - ordered.discordant_count as double)
        / nullif(
            sqrt(cast(ordered.row_pair_count - ordered.rating_tie_count as double))
            * sqrt(cast(ordered.row_pair_count - ordered.preference_tie_count as double)),
            0
        ) as kendall,
        summed.rating_value_count,
        summed.preference_value_count,
        case
            when summed.rater_kind = 'annotator'
                then {{ ratio(
                    'summed.rated_row_count * summed.equal_count - coalesce(chances.chance_count, 0)',
                    'summed.rated_row_count * summed.rated_row_count - coalesce(chances.chance_count, 0)'
                ) }}
        end as kappa,
        summed.rated_row_count,
        summed.preference_pair_count,
        summed.imputed_count,
        intervals.percentile_low as pearson_low,
        intervals.percentile_high as pearson_high
    from summed
    left join ordered
        on
            {{ same_values('summed', 'ordered', group_columns) }}
    left join chances
        on
            {{ same_values('summed', 'chances', group_columns) }}
    left join intervals
        on
            {{ same_values('summed', 'intervals', group_columns) }}

),

selected as (

    select
        {{ keys }},
        pearson,
        pearson_low,
        pearson_high,
        spearman,
        kendall,
        case when rating_value_count = 2 and preference_value_count = 2 then pearson end as phi,
        kappa,
        rated_row_count,
        preference_pair_count,
        imputed_count
    from correlated

)

select * from selected
