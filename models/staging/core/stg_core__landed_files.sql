-- Grain: benchmark, unit, shard, landing_table, landed_file. One landed Parquet file, as
-- its manifest states it.
with

source as (

    select * from {{ source('core', 'landed_files') }}

),

selected as (

    select
        benchmark,
        unit,
        shard,
        landing_table,
        landed_file,
        row_count,
        file_sha256,
        contract_version,
        input_sha256,
        input_count,
        source_root,
        code_version
    from source

)

select * from selected
