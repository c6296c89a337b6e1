-- Grain: judgment_id, side, statement_number, premise, passage_number. What a judge says of
-- one statement held against one premise.
with

source as (

    select * from {{ source('rageval', 'verdicts') }}

),

selected as (

    select
        judgment_id,
        dataset_id,
        side,
        statement_number,
        premise,
        passage_number,
        label,
        label_source,
        source_file,
        source_line
    from source

)

select * from selected
