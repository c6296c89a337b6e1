-- Grain: run_id, system_id, question_id, stage, document_id, page_number. One gold page that a
-- stage found, with the rank of the first chunk that stands on it.
with

hits as (

    select
        run_id,
        dataset_id,
        system_id,
        question_id,
        stage,
        rank as hit_rank,
        chunk_id
    from {{ ref('stg_rageval__hits') }}

),

chunks as (

    select
        dataset_id,
        chunk_id,
        document_id,
        first_page,
        last_page
    from {{ ref('stg_rageval__chunks') }}

),

gold_pages as (

    select distinct
        dataset_id,
        question_id,
        document_id,
        page_number
    from {{ ref('stg_rageval__gold_pages') }}

),

placed as (

    select
        hits.*,
        chunks.document_id,
        chunks.first_page,
        chunks.last_page
    from hits
    inner join chunks
        on hits.dataset_id = chunks.dataset_id and hits.chunk_id = chunks.chunk_id

),

found as (

    select
        placed.run_id,
        placed.system_id,
        placed.question_id,
        placed.stage,
        gold_pages.document_id,
        gold_pages.page_number,
        min(placed.hit_rank) as first_rank
    from placed
    inner join gold_pages
        on
            placed.dataset_id = gold_pages.dataset_id
            and placed.question_id = gold_pages.question_id
            and placed.document_id = gold_pages.document_id
            and gold_pages.page_number between placed.first_page and placed.last_page
    group by
        placed.run_id, placed.system_id, placed.question_id, placed.stage,
        gold_pages.document_id, gold_pages.page_number

)

select * from found
