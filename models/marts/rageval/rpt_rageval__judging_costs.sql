-- Grain: run_id, system_id, judge_id, judge_kind, judged_metric. What judging took, over all
-- judgments; and how it compares with RAGChecker by the same judge, over the answers that
-- both judged once or more often.
with

scores as (

    select * from {{ ref('fct_rageval__judgment_scores') }}
    where judgment_id is not null

),

costs as (

    select
        run_id,
        system_id,
        judge_id,
        judge_kind,
        judged_metric,
        question_id,
        count(*) as judgment_count,
        cast(sum(call_count) as bigint) as call_count,
        cast(sum(input_tokens) as bigint) as input_tokens,
        cast(sum(output_tokens) as bigint) as output_tokens,
        cast(sum(cast(round(cost_usd * {{ number('1000000000') }}) as bigint)) as bigint)
            as cost_nano_usd
    from scores
    group by run_id, system_id, judge_id, judge_kind, judged_metric, question_id

),

ragchecker as (

    select * from costs
    where judged_metric = 'ragchecker'

),

summed as (

    select
        costs.run_id,
        costs.system_id,
        costs.judge_id,
        costs.judge_kind,
        costs.judged_metric,
        cast(sum(costs.judgment_count) as bigint) as judgment_count,
        {% for name in ['call_count', 'input_tokens', 'output_tokens'] -%}
        cast(sum(costs.{{ name }}) as bigint) as {{ name }},
        {% endfor -%}
        cast(sum(costs.cost_nano_usd) as double) / {{ number('1000000000') }} as cost_usd,
        count(ragchecker.question_id) as shared_answer_count,
        {% for name, part in {
            'call_share': 'call_count', 'input_token_share': 'input_tokens',
            'output_token_share': 'output_tokens', 'cost_share': 'cost_nano_usd',
        }.items() -%}
        {{ ratio(
            'sum(case when ragchecker.question_id is not null then costs.' ~ part ~ ' end)',
            'sum(ragchecker.' ~ part ~ ')'
        ) }} as ragchecker_{{ name }}{% if not loop.last %},{% endif %}
        {% endfor %}
    from costs
    left join ragchecker
        on
            costs.run_id = ragchecker.run_id
            and costs.system_id = ragchecker.system_id
            and costs.judge_id = ragchecker.judge_id
            and costs.judge_kind = ragchecker.judge_kind
            and costs.question_id = ragchecker.question_id
    group by
        costs.run_id, costs.system_id, costs.judge_id, costs.judge_kind, costs.judged_metric

)

select * from summed
