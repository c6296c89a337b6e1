-- Grain: dataset_id, format, true_class, layout_class, routing_method. How many documents went
-- which way, beside what people say; `unlabelled` where nobody says it, `unread` where a
-- document could not be read.
with

documents as (

    select * from {{ ref('stg_rageval__documents') }}

),

counted as (

    select
        dataset_id,
        coalesce(format, 'unknown') as format,
        coalesce(true_class, 'unlabelled') as true_class,
        coalesce(layout_class, 'unread') as layout_class,
        coalesce(routing_method, 'none') as routing_method,
        count(*) as document_count,
        cast(count_if(is_mixed) as bigint) as mixed_document_count,
        cast(sum(lost_word_count) as bigint) as lost_word_count
    from documents
    group by 1, 2, 3, 4, 5

)

select * from counted
