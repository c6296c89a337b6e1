-- Grain: benchmark, unit, landing_table, source_file, source_line, reason, subject. One
-- row or file that could not be landed, with the reason and its raw text.
with

source as (

    select * from {{ source('core', 'rejects') }}

),

selected as (

    select
        benchmark,
        dataset_id,
        unit,
        landing_table,
        reason,
        subject,
        message,
        raw,
        source_file,
        source_line
    from source

)

select * from selected
