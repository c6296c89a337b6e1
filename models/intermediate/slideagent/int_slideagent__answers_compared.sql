-- Grain: run_id, dataset, question_id, system_id, setting. One answer against its gold answers,
-- the best of them where any will do. F1 is 2 * shared / (gold + answer) tokens, as multisets:
-- one division of whole numbers. Where neither side has a word, equal texts make it 1.
{% set key_columns = ['run_id', 'dataset', 'question_id', 'system_id', 'setting'] %}
{% set matches = [
    'num', 'num_any', 'num_qscale', 'num_rounded', 'num_tol1pct', 'is_percent_form_mismatch',
    'is_ambiguous',
] %}
with

comparisons as (

    select
        *,
        dense_rank() over (
            order by {{ key_columns | join(', ') }}, gold_number
        ) as comparison_number
    from {{ ref('stg_slideagent__comparisons') }}

),

words as (

    select
        comparison_number,
        {{ exploded_parts('gold_tokens') }} as word,
        1 as gold_count,
        0 as answer_count
    from comparisons
    union all
    select
        comparison_number,
        {{ exploded_parts('answer_tokens') }} as word,
        0 as gold_count,
        1 as answer_count
    from comparisons

),

counted as (

    select
        comparison_number,
        word,
        sum(gold_count) as gold_count,
        sum(answer_count) as answer_count
    from words
    group by comparison_number, word

),

token_sums as (

    select
        comparison_number,
        cast(sum(gold_count) as bigint) as gold_token_count,
        cast(sum(answer_count) as bigint) as answer_token_count,
        cast(sum(least(gold_count, answer_count)) as bigint) as shared_token_count
    from counted
    group by comparison_number

),

measured as (

    select
        comparisons.*,
        case
            when token_sums.comparison_number is not null
                then {{ ratio(
                    '2 * token_sums.shared_token_count',
                    'token_sums.gold_token_count + token_sums.answer_token_count'
                ) }}
            when comparisons.is_exact then {{ number('1') }}
            else {{ number('0') }}
        end as f1
    from comparisons
    left join token_sums on comparisons.comparison_number = token_sums.comparison_number

),

compared as (

    select
        {{ key_columns | join(',\n        ') }},
        max(f1) as f1,
        bool_or(is_exact) as is_exact,
        {% for flag in matches -%}
        bool_or({{ flag }}) as {{ flag }}{% if not loop.last %},{% endif %}
        {% endfor %}
    from measured
    group by {{ key_columns | join(', ') }}

)

select * from compared
