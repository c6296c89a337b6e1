-- Grain: benchmark, unit, shard, landing_table, landed_file.
-- One landed Parquet file, as its manifest states it.
with

landed_files as (

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
    from {{ ref('stg_core__landed_files') }}

)

select * from landed_files
