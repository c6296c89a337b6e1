-- Grain: benchmark, run_id, condition, audience, judge_id, judge_kind, weight_scope, variant,
-- system_id, step_number. Mean coverage and rank of each system at every weight that the run
-- observed, and whether the order of systems differs from the step below: the sweep that
-- cannot miss a change. At most 200 steps.
{% set group_columns = [
    'run_id', 'condition', 'audience', 'judge_id', 'judge_kind', 'weight_scope', 'variant',
] %}
with

evaluations as (

    select
        evaluation_id,
        {{ group_columns | join(',\n        ') }},
        system_id
    from {{ ref('int_xslides__evaluations_assessed') }}

),

steps as (

    select
        run_id,
        weight_scope,
        step_number,
        tau_a,
        level_count
    from {{ ref('int_xslides__tau_steps_listed') }}

),

coverages as (

    select
        evaluation_id,
        step_number,
        fixed_coverage
    from {{ ref('int_xslides__step_coverages_computed') }}

),

averaged as (

    select
        {% for column in group_columns -%}
        evaluations.{{ column }},
        {% endfor -%}
        evaluations.system_id,
        coverages.step_number,
        count(coverages.fixed_coverage) as n_included,
        count(*) - count(coverages.fixed_coverage) as n_undefined,
        {{ ratio('sum(coverages.fixed_coverage)', 'count(coverages.fixed_coverage)') }}
        / {{ number('1000000000') }} as estimate
    from evaluations
    inner join coverages on evaluations.evaluation_id = coverages.evaluation_id
    group by all

),

ranked as (

    select
        *,
        case
            when estimate is not null
                then rank() over (
                    partition by {{ group_columns | join(', ') }}, step_number
                    order by estimate desc nulls last
                )
        end as system_rank
    from averaged

),

compared as (

    select
        *,
        lag(system_rank) over (
            partition by {{ group_columns | join(', ') }}, system_id
            order by step_number asc
        ) as rank_below
    from ranked

),

flagged as (

    select
        'xslides' as benchmark,
        {% for column in group_columns -%}
        compared.{{ column }},
        {% endfor -%}
        compared.system_id,
        compared.step_number,
        steps.tau_a,
        'coverage' as metric,
        compared.estimate,
        compared.n_included,
        compared.n_undefined,
        compared.system_rank,
        compared.system_rank - compared.rank_below as rank_change,
        coalesce(
            bool_or(compared.system_rank <> compared.rank_below) over (
                partition by
                    {% for column in group_columns -%}
                    compared.{{ column }},
                    {% endfor -%}
                    compared.step_number
            ),
            false
        ) as is_order_changed,
        steps.level_count
    from compared
    inner join steps
        on
            compared.run_id = steps.run_id
            and compared.weight_scope = steps.weight_scope
            and compared.step_number = steps.step_number

)

select * from flagged
