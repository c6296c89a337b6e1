-- Grain: benchmark, unit, landing_table, source_file, source_line, reason, subject.
-- One row or file that could not be landed, with the reason and its raw text.
with

rejects as (

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
    from {{ ref('stg_core__rejects') }}

)

select * from rejects
