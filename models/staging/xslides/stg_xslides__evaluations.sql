-- Grain: evaluation_id. One deck judged, or to be judged, for one audience: the full
-- expected grid.
with

source as (

    select * from {{ source('xslides', 'evaluations') }}

),

selected as (

    select
        evaluation_id,
        evaluation_key,
        dataset_id,
        run_id,
        system_id,
        condition,
        deck_audience,
        audience,
        case_id,
        case_label,
        variant,
        evaluation_config_id,
        judge_id,
        judge_kind,
        bank_id,
        weight_set_id,
        weight_set_key,
        is_found,
        is_hash_verified,
        hash_mismatch,
        reported_status,
        status_message,
        stated_correctness,
        deck_sha256,
        started_at,
        code_version,
        judgment_origin,
        source_file,
        source_line
    from source

)

select * from selected
