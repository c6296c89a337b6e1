-- Grain: dataset_id, document_id. One document: how it was read, what it was called, which way
-- it went and why.
with

source as (

    select * from {{ source('rageval', 'documents') }}

),

selected as (

    select
        dataset_id,
        document_id,
        document_sha256,
        document_status,
        format,
        page_count,
        title,
        title_method,
        layout_class,
        routing_method,
        routing_reason,
        routing_evidence,
        rule_class,
        true_class,
        deciding_page_count,
        disagreeing_page_count,
        is_mixed,
        word_count,
        furniture_word_count,
        lost_word_count,
        warnings,
        parser,
        layout_parser,
        source_file,
        source_line
    from source

)

select * from selected
