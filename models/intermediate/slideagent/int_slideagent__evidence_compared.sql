-- Grain: run_id, dataset, question_id, system_id, setting. Pages that an answer names against
-- the gold pages, each page once. A system that names no page in a whole question set and
-- setting is not held to them; one that names pages elsewhere is.
{% set key_columns = ['run_id', 'dataset', 'question_id', 'system_id', 'setting'] %}
with

questions as (

    select
        run_id,
        dataset,
        question_id,
        gold_pages
    from {{ ref('stg_slideagent__questions') }}

),

answers as (

    select * from {{ ref('stg_slideagent__answers') }}

),

said as (

    select distinct
        {{ key_columns | join(',\n        ') }},
        page_number
    from (
        select
            {{ key_columns | join(',\n            ') }},
            {{ exploded_parts('pages') }} as page_number
        from answers
    ) as exploded

),

named as (

    select distinct
        run_id,
        dataset,
        system_id,
        setting
    from said

),

gold as (

    select distinct
        run_id,
        dataset,
        question_id,
        page_number
    from (
        select
            run_id,
            dataset,
            question_id,
            {{ exploded_parts('gold_pages') }} as page_number
        from questions
    ) as exploded

),

gold_counts as (

    select
        run_id,
        dataset,
        question_id,
        count(*) as gold_page_count
    from gold
    group by run_id, dataset, question_id

),

said_counts as (

    select
        said.run_id,
        said.dataset,
        said.question_id,
        said.system_id,
        said.setting,
        count(*) as said_page_count,
        count(gold.page_number) as shared_page_count
    from said
    left join gold
        on
            said.run_id = gold.run_id
            and said.dataset = gold.dataset
            and said.question_id = gold.question_id
            and said.page_number = gold.page_number
    group by said.run_id, said.dataset, said.question_id, said.system_id, said.setting

),

compared as (

    select
        {% for column in key_columns -%}
        answers.{{ column }},
        {% endfor -%}
        {{ ratio(
            '2 * coalesce(said_counts.shared_page_count, 0)',
            'gold_counts.gold_page_count + coalesce(said_counts.said_page_count, 0)'
        ) }} as evidence_f1
    from answers
    inner join named
        on {{ same_values('answers', 'named', ['run_id', 'dataset', 'system_id', 'setting']) }}
    inner join gold_counts
        on {{ same_values('answers', 'gold_counts', ['run_id', 'dataset', 'question_id']) }}
    left join said_counts
        on {{ same_values('answers', 'said_counts', key_columns) }}

)

select * from compared
