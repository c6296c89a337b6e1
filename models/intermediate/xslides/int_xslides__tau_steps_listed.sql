-- Grain: run_id, weight_scope, step_number. The thresholds at which anything can change: the
-- distinct weights that a run observed, at most 200 of them evenly by rank. Between two
-- steps every threshold includes the same probes.
with

evaluations as (

    select distinct
        run_id,
        weight_scope,
        weight_set_id
    from {{ ref('int_xslides__evaluations_assessed') }}
    where weight_set_id is not null

),

levels as (

    select
        weight_set_id,
        weight_level
    from {{ ref('int_xslides__weight_levels_summed') }}

),

observed as (

    select distinct
        evaluations.run_id,
        evaluations.weight_scope,
        levels.weight_level
    from evaluations
    inner join levels on evaluations.weight_set_id = levels.weight_set_id

),

numbered as (

    select
        *,
        row_number() over (
            partition by run_id, weight_scope
            order by weight_level asc
        ) as level_number,
        count(*) over (partition by run_id, weight_scope) as level_count
    from observed

),

-- The i-th of n levels is kept when it is the first of its 200th part.
kept as (

    select
        run_id,
        weight_scope,
        weight_level,
        level_count
    from numbered
    where
        level_count <= 200
        or level_number = 1
        or {{ integer_quotient('level_number * 200', 'level_count') }}
        > {{ integer_quotient('(level_number - 1) * 200', 'level_count') }}

),

listed as (

    select
        run_id,
        weight_scope,
        row_number() over (
            partition by run_id, weight_scope
            order by weight_level asc
        ) as step_number,
        weight_level as tau_a,
        level_count
    from kept

)

select * from listed
where step_number <= 200
