-- Grain: dataset_id, document_id, page_number. One page or slide: its size, its words, what it
-- says in reading order.
with

source as (

    select * from {{ source('rageval', 'pages') }}

),

selected as (

    select
        dataset_id,
        document_id,
        page_number,
        width,
        height,
        word_count,
        furniture_word_count,
        furniture,
        rule_class,
        slide_class,
        text,
        description_method,
        image_sha256,
        source_file,
        source_line
    from source

)

select * from selected
