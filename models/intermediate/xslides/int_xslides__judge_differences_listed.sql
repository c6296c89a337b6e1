-- Grain: pair_number, which stands for metric, tau_a_thousandths, both runs, both
-- configurations, system_id, condition, audience, variant. Differences between two judges of
-- the same deck under the same weights, for the metrics that the statistics plan gives an
-- interval, in the order of the case. A metric is compared where a judge that it hangs on
-- differs.
{% set cell_columns = [
    'metric', 'tau_a', 'tau_a_thousandths', 'first_run_id', 'second_run_id',
    'first_evaluation_config_id', 'second_evaluation_config_id', 'system_id', 'condition',
    'audience', 'variant',
] %}
with

plan as (

    {{ planned_cells('has_interval') }}

),

planned as (

    select
        metric,
        tau_a_thousandths,
        metric <> 'correctness' as hangs_on_answers,
        metric in ('correctness', 'safe_efficiency_time') as hangs_on_claims
    from plan
    where
        benchmark = 'xslides'
        and slice_type = 'all'
        and policy = 'exclude_failed'

),

matched as (

    select
        first_evaluation_id,
        second_evaluation_id,
        first_run_id,
        second_run_id,
        first_evaluation_config_id,
        second_evaluation_config_id,
        system_id,
        condition,
        audience,
        variant,
        case_id,
        has_same_weights,
        bool_or(task = 'answerability') as has_other_answers_judge,
        bool_or(task = 'verification') as has_other_claims_judge
    from {{ ref('int_xslides__evaluation_pairs_matched') }}
    group by all

),

metric_values as (

    select
        evaluation_id,
        metric,
        tau_a,
        tau_a_thousandths,
        cast(round(metric_value * {{ number('1000000000') }}) as bigint) as fixed_value
    from {{ ref('int_xslides__metric_values') }}
    where slice_type = 'all' and policy = 'exclude_failed'

),

joined as (

    select
        matched.*,
        planned.metric,
        planned.tau_a_thousandths,
        first_values.tau_a,
        case
            when matched.has_same_weights
                then first_values.fixed_value - second_values.fixed_value
        end as fixed_difference
    from matched
    inner join planned
        on
            (matched.has_other_answers_judge and planned.hangs_on_answers)
            or (matched.has_other_claims_judge and planned.hangs_on_claims)
    {% for side in ['first', 'second'] -%}
    inner join metric_values as {{ side }}_values
        on
            matched.{{ side }}_evaluation_id = {{ side }}_values.evaluation_id
            and planned.metric = {{ side }}_values.metric
            and planned.tau_a_thousandths = {{ side }}_values.tau_a_thousandths
    {% endfor %}

),

counted as (

    select
        {{ cell_columns | join(',\n        ') }},
        count(*) as matched_count,
        cast(count_if(not has_same_weights) as bigint) as other_weights_count,
        count(fixed_difference) as unit_count,
        cast(sum(fixed_difference) as bigint) as difference_sum,
        min(fixed_difference) = max(fixed_difference) as is_degenerate
    from joined
    group by all

),

listed as (

    select
        {{ cell_columns | join(',\n        ') }},
        {{ ordered_list('fixed_difference', 'case_id') }} as unit_values
    from joined
    where fixed_difference is not null
    group by all

),

pairs as (

    select
        counted.*,
        listed.unit_values,
        row_number() over (
            order by
                {% for column in cell_columns -%}
                counted.{{ column }}{{ ',' if not loop.last }}
                {% endfor %}
        ) as pair_number
    from counted
    left join listed
        on
            {% for column in cell_columns -%}
            counted.{{ column }} = listed.{{ column }}
            {%- if not loop.last %} and{% endif %}
            {% endfor %}
    where counted.unit_count <= 20000

)

select * from pairs
