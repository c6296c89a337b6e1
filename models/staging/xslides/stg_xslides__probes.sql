-- Grain: bank_id, probe_id. One source-grounded question of one probe bank.
with

source as (

    select * from {{ source('xslides', 'probes') }}

),

selected as (

    select
        bank_id,
        probe_id,
        probe_ordinal,
        dataset_id,
        case_id,
        question,
        answer,
        evidence,
        level,
        modality,
        theme,
        stated_domain,
        theme_tokens,
        question_tokens,
        answer_tokens,
        modality_tokens,
        metadata,
        source_file,
        source_line
    from source

)

select * from selected
