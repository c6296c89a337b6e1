-- Grain: judgment_id, side, statement_number. One statement of one side of one judgment.
with

source as (

    select * from {{ source('rageval', 'statements') }}

),

selected as (

    select
        judgment_id,
        dataset_id,
        side,
        statement_number,
        statement,
        source_file,
        source_line
    from source

)

select * from selected
