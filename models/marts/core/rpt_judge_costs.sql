-- Grain: cost_scope, benchmark, dataset_id, run_id, system_id, condition, case_label, role,
-- task, model_asked. What judging cost: requests, attempts, tokens, dollars, time. cost_scope
-- says what the rows of calls were summed to (run, system or case); columns below it are NULL,
-- and so are those of calls that served none in particular. Scopes repeat each other: never add
-- them up.
-- Dollars are summed in 10^-12, exactly and in any order. cost_usd is NULL while an attempt
-- that may have been charged has no known cost, so that a part never passes for the whole.
{% set scopes = [
    ('run', []),
    ('system', ['system_id', 'condition']),
    ('case', ['system_id', 'condition', 'case_label']),
] %}
{% set key_columns = [
    'cost_scope', 'benchmark', 'dataset_id', 'run_id', 'system_id', 'condition', 'case_label',
    'role', 'task', 'model_asked',
] %}
{% set counts = [
    'n_requests', 'n_attempts', 'n_failed_attempts', 'n_cached', 'n_uncounted', 'n_unpriced',
    'input_token_count', 'cached_input_token_count', 'output_token_count',
] %}
with

calls as (

    select
        *,
        attempt > 0 as is_sent,
        -- A server that answers with an error code charges nothing.
        attempt > 0 and coalesce(http_status, 200) < 400 as is_chargeable,
        cast(round(cost_usd * {{ number('1000000000000') }}) as {{ exact_integer() }})
            as fixed_cost
    from {{ ref('fct_judge_calls') }}

),

scoped as (

    {% for scope, kept in scopes %}
    select
        '{{ scope }}' as cost_scope,
        benchmark,
        dataset_id,
        run_id,
        {% for column in ['system_id', 'condition', 'case_label'] -%}
        {{ column if column in kept else 'cast(null as varchar)' }} as {{ column }},
        {% endfor -%}
        role,
        task,
        model_asked,
        request_key,
        status,
        is_cached,
        is_sent,
        is_chargeable,
        input_token_count,
        cached_input_token_count,
        output_token_count,
        latency_ms,
        fixed_cost
    from calls
    {% if not loop.last %}union all{% endif %}
    {% endfor %}

),

summed as (

    select
        {{ key_columns | join(',\n        ') }},
        count(distinct request_key) as n_requests,
        count_if(is_sent) as n_attempts,
        count_if(is_sent and status <> 'answered') as n_failed_attempts,
        count_if(is_cached) as n_cached,
        count_if(is_chargeable and (input_token_count is null or output_token_count is null))
            as n_uncounted,
        count_if(is_chargeable and fixed_cost is null) as n_unpriced,
        coalesce(sum(input_token_count), 0) as input_token_count,
        coalesce(sum(cached_input_token_count), 0) as cached_input_token_count,
        coalesce(sum(output_token_count), 0) as output_token_count,
        coalesce(sum(fixed_cost), 0) as fixed_cost
    from scoped
    group by all

),

-- Nearest ranks of the attempts that were timed.
timed as (

    select
        {{ key_columns | join(',\n        ') }},
        count(*) as n_timed,
        {{ sorted_list('latency_ms') }} as latencies
    from scoped
    where is_sent and latency_ms is not null
    group by all

),

joined as (

    select
        {% for column in key_columns -%}
        summed.{{ column }},
        {% endfor -%}
        {% for column in counts -%}
        cast(summed.{{ column }} as bigint) as {{ column }},
        {% endfor -%}
        cast(summed.fixed_cost as double) / {{ number('1000000000000') }} as priced_cost_usd,
        case
            when summed.n_unpriced = 0
                then cast(summed.fixed_cost as double) / {{ number('1000000000000') }}
        end as cost_usd,
        {% for name, share in [('median', 50), ('p95', 95)] -%}
        {{ element(
            'timed.latencies', integer_quotient(share ~ ' * timed.n_timed + 99', '100')
        ) }} as latency_{{ name }}_ms{{ ',' if not loop.last }}
        {% endfor %}
    from summed
    left join timed
        on
            {% for column in key_columns -%}
            summed.{{ column }} is not distinct from timed.{{ column }}
            {%- if not loop.last %} and{% endif %}
            {% endfor %}

)

select * from joined
