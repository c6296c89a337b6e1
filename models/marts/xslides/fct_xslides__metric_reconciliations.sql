-- Grain: run_id, system_id, condition, audience, case_id, variant, tau_a_thousandths,
-- metric. Each imported value against the one that is recomputed from judgments of the same
-- evaluation. Where the file names neither run nor condition, the only evaluation that it
-- can speak of is taken; with several candidates nothing is compared.
{% set identity = [
    'run_id', 'system_id', 'condition', 'audience', 'case_id', 'variant',
    'tau_a_thousandths',
] %}
with

imported as (

    select * from {{ ref('stg_xslides__imported_metrics') }}

),

scores as (

    select * from {{ ref('fct_xslides__deck_audience_scores') }}

),

files as (

    select distinct
        dataset_id,
        {{ identity | join(',\n        ') }},
        is_run_stated
    from imported

),

matched as (

    select
        {% for column in identity -%}
        files.{{ column }},
        {% endfor -%}
        count(scores.evaluation_id) as candidate_count,
        case when count(scores.evaluation_id) = 1 then min(scores.evaluation_id) end
            as evaluation_id
    from files
    left join scores
        on
            files.dataset_id = scores.dataset_id
            and files.system_id = scores.system_id
            and files.audience = scores.audience
            and files.case_id = scores.case_id
            and files.variant = scores.variant
            and files.tau_a_thousandths = scores.tau_a_thousandths
            and (files.run_id = scores.run_id or not files.is_run_stated)
            and (files.condition = scores.condition or files.condition = 'unstated')
    group by
        {% for column in identity -%}
        files.{{ column }}{{ ',' if not loop.last }}
        {% endfor %}

),

recomputed as (

    {% for metric in [
        'coverage', 'coverage_unweighted', 'efficiency_time', 'efficiency_slide',
        'efficiency_word', 'correctness', 'safe_efficiency_time', 'included_probe_count',
        'available_utility', 'recovered_utility',
    ] %}
    select
        evaluation_id,
        tau_a_thousandths,
        '{{ metric }}' as metric,
        cast({{ metric }} as double) as recomputed_value
    from scores
    where evaluation_status in ('ok', 'incomplete_scores')
    {% if not loop.last %}union all{% endif %}
    {% endfor %}

),

compared as (

    select
        imported.*,
        matched.candidate_count,
        recomputed.evaluation_id,
        recomputed.recomputed_value,
        imported.value - recomputed.recomputed_value as difference,
        case
            when imported.metric = 'included_probe_count' then {{ number('0') }}
            when imported.metric like '%efficiency%'
                then {{ number('0.00005') }} * abs(recomputed.recomputed_value)
            else {{ number('0.00005') }}
        end as tolerance
    from imported
    inner join matched
        on
            {% for column in identity -%}
            imported.{{ column }} = matched.{{ column }}{{ ' and' if not loop.last }}
            {% endfor %}
    left join recomputed
        on
            matched.evaluation_id = recomputed.evaluation_id
            and matched.tau_a_thousandths = recomputed.tau_a_thousandths
            and imported.metric = recomputed.metric

),

judged as (

    select
        dataset_id,
        {% for column in identity[:-1] -%}
        {{ column }},
        {% endfor -%}
        cast(tau_a_thousandths as double) / {{ number('1000') }} as tau_a,
        cast(tau_a_thousandths as integer) as tau_a_thousandths,
        metric,
        value as imported_value,
        recomputed_value,
        difference,
        tolerance,
        case
            when evaluation_id is null then 'not_recomputed'
            when value = recomputed_value then 'equal'
            when value is null and recomputed_value is null then 'equal'
            when value is null or recomputed_value is null then 'differs'
            -- A value rounded at a half lies on the tolerance but for the last float digits.
            when abs(difference) <= tolerance + {{ number('0.000000000001') }}
                then 'within_tolerance'
            else 'differs'
        end as reconciliation_status,
        evaluation_id,
        candidate_count,
        source_file
    from compared

)

select * from judged
