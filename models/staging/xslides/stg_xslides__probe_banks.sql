-- Grain: bank_id. One probe bank of one case; two banks of a case stand side by side.
with

source as (

    select * from {{ source('xslides', 'probe_banks') }}

),

selected as (

    select
        bank_id,
        dataset_id,
        case_id,
        case_label,
        probe_count,
        generator_id,
        source_parser,
        is_source_truncated,
        probes_sha256,
        source_file,
        source_line
    from source

)

select * from selected
