-- Grain: dataset_id, question_id. One question, however many files state it, and what it is
-- sliced by. Where files disagree the first by question_set holds, and a gate says so. A
-- class is `mixed` where the gold pages lie in documents of both.
with

questions as (

    select
        *,
        row_number() over (
            partition by dataset_id, question_id
            order by question_set
        ) as position
    from {{ ref('stg_rageval__questions') }}

),

gold_pages as (

    select * from {{ ref('stg_rageval__gold_pages') }}

),

documents as (

    select
        dataset_id,
        document_id,
        layout_class,
        true_class
    from {{ ref('stg_rageval__documents') }}

),

gold as (

    select
        gold_pages.dataset_id,
        gold_pages.question_id,
        count(*) as gold_page_count,
        {% for name, column in {'routed': 'layout_class', 'true': 'true_class'}.items() -%}
        case
            when min(documents.{{ column }}) = max(documents.{{ column }})
                then min(documents.{{ column }})
            when min(documents.{{ column }}) is not null then 'mixed'
        end as {{ name }}_class{% if not loop.last %},{% endif %}
        {% endfor %}
    from gold_pages
    left join documents
        on
            gold_pages.dataset_id = documents.dataset_id
            and gold_pages.document_id = documents.document_id
    group by gold_pages.dataset_id, gold_pages.question_id

),

settled as (

    select
        questions.dataset_id,
        questions.question_id,
        questions.question,
        questions.gold_answers,
        questions.modality,
        questions.question_type,
        coalesce(gold.gold_page_count, 0) as gold_page_count,
        gold.routed_class,
        gold.true_class
    from questions
    left join gold
        on
            questions.dataset_id = gold.dataset_id
            and questions.question_id = gold.question_id
    where questions.position = 1

)

select * from settled
