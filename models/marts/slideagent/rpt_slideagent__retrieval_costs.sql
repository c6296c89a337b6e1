-- Grain: run_id, system_id, dataset, metric, policy. What finding the pages costs a system:
-- its score with the gold pages given minus its score without, on the questions that it has
-- in both settings. The two settings are never averaged.
with

listed as (

    select * from {{ ref('int_slideagent__settings_listed') }}

),

intervals as (

    select * from {{ ref('int_slideagent__settings_bootstrapped') }}

),

joined as (

    select
        listed.run_id,
        listed.system_id,
        listed.dataset,
        listed.metric,
        listed.policy,
        {% for name, column in {
            'oracle_estimate': 'oracle_sum', 'end_to_end_estimate': 'end_to_end_sum',
            'difference': 'difference_sum',
        }.items() -%}
        {{ ratio('listed.' ~ column, 'listed.unit_count') }} / {{ number('1000000000') }}
            as {{ name }},
        {% endfor -%}
        intervals.percentile_low,
        intervals.percentile_high,
        intervals.expanded_low,
        intervals.expanded_high,
        intervals.p_value,
        listed.unit_count as n_pairs
    from listed
    left join intervals on listed.pair_number = intervals.pair_number

)

select * from joined
