-- Grain: weight_set_id. One audience's weights over one probe bank.
with

source as (

    select * from {{ source('xslides', 'weight_sets') }}

),

selected as (

    select
        weight_set_id,
        weight_set_key,
        bank_id,
        dataset_id,
        case_id,
        audience,
        judge_id,
        judge_kind,
        k,
        weight_scope,
        weight_count,
        weights_sha256,
        source_file,
        source_line
    from source

)

select * from selected
