-- Grain: evaluation_key, claim_id. One atomic claim of a deck with its verdict.
with

source as (

    select * from {{ source('xslides', 'claims') }}

),

selected as (

    select
        evaluation_key,
        evaluation_id,
        claim_id,
        label,
        text,
        slide,
        confidence,
        snippets,
        source_file,
        source_line
    from source

)

select * from selected
