-- Grain: run_id, sample_id, source_id, lane. One prompt's result of one model in one lane:
-- status, and ten components, 0 to 3.
with

source as (

    select * from {{ source('searchgen', 'prompt_scores') }}

),

selected as (

    select
        run_id,
        dataset_id,
        sample_id,
        source_id,
        lane,
        status,
        status_reason,
        checklist,
        rubric_adaptive,
        prompt_faithfulness,
        image_quality,
        text_rendering,
        ai_naturalness,
        composition_and_aesthetics,
        physical_plausibility,
        visual_reference_evaluation,
        text_reference_evaluation,
        stated_overall_9,
        stated_overall_10,
        evaluation_sha256,
        source_file,
        source_line
    from source

)

select * from selected
