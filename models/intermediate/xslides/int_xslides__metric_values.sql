-- Grain: evaluation_id, tau_a_thousandths, metric, slice_type, slice, policy. The facts in
-- long form: one row per value that a summary may hold. numerator and denominator give the
-- micro estimate where one exists. Policy exclude_failed leaves failed decks out;
-- failed_as_zero counts a deck that could not be read as 0 wherever V > 0.
{% set key_columns = [
    'evaluation_id', 'run_id', 'system_id', 'condition', 'audience', 'variant',
    'evaluation_config_id', 'weight_scope', 'judge_id', 'judge_kind', 'tau_a',
    'tau_a_thousandths', 'dataset_id', 'case_id', 'evaluation_status',
] %}
{% set keys = key_columns | join(',\n        ') %}
with

cases as (

    select
        dataset_id,
        case_id,
        scene,
        category,
        topic
    from {{ ref('stg_xslides__cases') }}

),

scores as (

    select * from {{ ref('fct_xslides__deck_audience_scores') }}

),

recoveries as (

    select * from {{ ref('fct_xslides__domain_recoveries') }}

),

measured as (

    {% for metric, numerator, denominator, failed_denominator in [
        ('coverage', 'recovered_utility', 'available_utility', 'available_utility'),
        (
            'coverage_unweighted', 'covered_probe_count', 'included_probe_count',
            'included_probe_count',
        ),
        ('efficiency_time', 'recovered_utility', 'time_cost_minutes', 'null'),
        ('efficiency_slide', 'recovered_utility', 'greatest(slide_count, 1)', 'null'),
        ('efficiency_word', 'recovered_utility', 'greatest(visible_word_count, 1)', 'null'),
        ('correctness', 'correctness * settled_claim_count', 'settled_claim_count', none),
        ('safe_efficiency_time', 'null', 'null', 'null'),
    ] %}
    select
        {{ keys }},
        '{{ metric }}' as metric,
        {{ metric }} as metric_value,
        cast(case when {{ metric }} is not null then {{ numerator }} end as double)
            as numerator,
        cast(case when {{ metric }} is not null then {{ denominator }} end as double)
            as denominator,
        cast({{ failed_denominator or 'null' }} as double) as failed_denominator,
        {{ 'available_utility > 0' if failed_denominator else 'false' }} as counts_when_failed
    from scores
    {% if not loop.last %}union all{% endif %}
    {% endfor %}

),

sliced as (

    {{ sliced_by_case('measured', 'cases') }}

    union all
    select
        {{ keys }},
        'coverage' as metric,
        coverage as metric_value,
        case when coverage is not null then recovered_utility end as numerator,
        case when coverage is not null then available_utility end as denominator,
        available_utility as failed_denominator,
        available_utility > 0 as counts_when_failed,
        'domain' as slice_type,
        domain as slice
    from recoveries

),

policies as (

    select 'exclude_failed' as policy
    union all
    select 'failed_as_zero' as policy

),

counted as (

    select
        sliced.*,
        policies.policy,
        policies.policy = 'failed_as_zero'
        and sliced.evaluation_status = 'deck_failed'
        and coalesce(sliced.counts_when_failed, false) as is_counted_as_zero
    from sliced
    cross join policies

),

-- A failed deck that counts as 0 brings its denominator too, where that does not hang on
-- the deck: else the micro estimate would leave out what the macro estimate counts.
valued as (

    select
        {% for column in key_columns -%}
        {{ column }},
        {% endfor -%}
        metric,
        slice_type,
        slice,
        policy,
        evaluation_status in ('ok', 'incomplete_scores') as is_scored,
        case when is_counted_as_zero then {{ number('0') }} else metric_value end
            as metric_value,
        case when is_counted_as_zero then {{ number('0') }} else numerator end as numerator,
        case when is_counted_as_zero then failed_denominator else denominator end
            as denominator
    from counted

)

select * from valued
