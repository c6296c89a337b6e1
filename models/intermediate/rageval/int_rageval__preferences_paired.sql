-- Grain: dataset_id, preference_set, aspect, rater_kind, rater, pair_id, annotator. What a
-- rater says of a pair beside what a person says, both positive where the second answer is
-- better. A rater is a metric, whose difference is second minus first and the median of its
-- set where it is undefined, mapped to -2 to 2; or another annotator of the same pair and
-- aspect.
with

preferences as (

    select * from {{ ref('stg_rageval__preferences') }}

),

differences as (

    select
        dataset_id,
        preference_set,
        pair_id,
        metric,
        second_score - first_score as difference
    from {{ ref('stg_rageval__pair_scores') }}

),

medians as (

    select
        dataset_id,
        preference_set,
        metric,
        median(difference) as median_difference
    from differences
    group by dataset_id, preference_set, metric

),

filled as (

    select
        differences.dataset_id,
        differences.preference_set,
        differences.pair_id,
        differences.metric,
        differences.difference is null as is_filled,
        coalesce(differences.difference, medians.median_difference) as difference
    from differences
    inner join medians
        on
            differences.dataset_id = medians.dataset_id
            and differences.preference_set = medians.preference_set
            and differences.metric = medians.metric

),

ends as (

    select
        dataset_id,
        preference_set,
        metric,
        min(difference) as lowest,
        max(difference) as highest
    from filled
    group by dataset_id, preference_set, metric

),

-- A linear map changes no coefficient in theory. In doubles it decides which differences are
-- ties, and with that the last digits of rank coefficients: so it is made as it was published.
mapped as (

    select
        filled.dataset_id,
        filled.preference_set,
        filled.pair_id,
        filled.metric,
        filled.is_filled,
        case
            when ends.lowest = ends.highest then {{ number('0') }}
            else (filled.difference - ends.lowest)
                / nullif(ends.highest - ends.lowest, 0) * {{ number('4') }} - {{ number('2') }}
        end as difference
    from filled
    inner join ends
        on
            filled.dataset_id = ends.dataset_id
            and filled.preference_set = ends.preference_set
            and filled.metric = ends.metric

),

paired as (

    select
        preferences.dataset_id,
        preferences.preference_set,
        preferences.aspect,
        'metric' as rater_kind,
        mapped.metric as rater,
        preferences.pair_id,
        preferences.annotator,
        mapped.is_filled,
        mapped.difference as rating,
        preferences.preference
    from preferences
    inner join mapped
        on
            preferences.dataset_id = mapped.dataset_id
            and preferences.preference_set = mapped.preference_set
            and preferences.pair_id = mapped.pair_id
    where mapped.difference is not null
    union all
    -- Either annotator may stand first: every measure here is symmetric.
    select
        preferences.dataset_id,
        preferences.preference_set,
        preferences.aspect,
        'annotator' as rater_kind,
        others.annotator as rater,
        preferences.pair_id,
        preferences.annotator,
        false as is_filled,
        others.preference as rating,
        preferences.preference
    from preferences
    inner join preferences as others
        on
            preferences.dataset_id = others.dataset_id
            and preferences.preference_set = others.preference_set
            and preferences.aspect = others.aspect
            and preferences.pair_id = others.pair_id
            and preferences.annotator > others.annotator

)

select * from paired
