-- Grain: evaluation_key, probe_id. One judgment: whether one deck answers one probe.
with

source as (

    select * from {{ source('xslides', 'probe_scores') }}

),

selected as (

    select
        evaluation_key,
        weight_key,
        evaluation_id,
        bank_id,
        probe_id,
        covered,
        verdict,
        judgment_status,
        confidence,
        answer,
        cited_evidence,
        metadata,
        source_file,
        source_line,
        repeat_verdicts
    from source

)

select * from selected
