-- Grain: evaluation_key. Counts of the deck of one evaluation, as its deck_stats.json
-- states them.
with

source as (

    select * from {{ source('xslides', 'deck_stats') }}

),

selected as (

    select
        evaluation_key,
        evaluation_id,
        deck_path,
        deck_status,
        slide_count,
        hidden_slide_count,
        visible_word_count,
        parser,
        word_rule,
        text_policy,
        warnings,
        injection_suspected_count,
        unseen_injection_suspected_count,
        source_file,
        source_line
    from source

)

select * from selected
