-- Grain: run_id, artifact, slice, view, group_name, model_id. One row of a published board:
-- one model in one group of one view of one slice.
with

source as (

    select * from {{ source('searchgen', 'published_aggregates') }}

),

selected as (

    select
        run_id,
        dataset_id,
        artifact,
        slice,
        view,
        group_name,
        row_position,
        model_id,
        source_id,
        display_name,
        model_type,
        missing_policy,
        n_total,
        n_scored,
        n_included,
        coverage,
        overall_9,
        overall_10,
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
        checklist_count,
        rubric_adaptive_count,
        prompt_faithfulness_count,
        image_quality_count,
        text_rendering_count,
        ai_naturalness_count,
        composition_and_aesthetics_count,
        physical_plausibility_count,
        visual_reference_evaluation_count,
        text_reference_evaluation_count,
        source_file,
        source_line
    from source

)

select * from selected
