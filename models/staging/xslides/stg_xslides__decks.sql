-- Grain: run_id, system_id, condition, deck_audience, case_id, variant, deck_path. One
-- deck file of a run, read by our own readers.
with

source as (

    select * from {{ source('xslides', 'decks') }}

),

selected as (

    select
        run_id,
        system_id,
        condition,
        deck_audience,
        case_id,
        variant,
        deck_path,
        deck_sha256,
        format,
        deck_status,
        slide_count,
        hidden_slide_count,
        visible_word_count,
        parser,
        warnings,
        source_file,
        source_line
    from source

)

select * from selected
