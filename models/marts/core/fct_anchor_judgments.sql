-- Grain: anchor_run_id, item_id. What a judge said to one item of a frozen set, beside what it
-- said in the anchor run before.
with

anchors as (

    select
        anchor_run_id,
        item_id,
        set_sha256,
        set_name,
        kind,
        task,
        judge_kind,
        judge_id,
        prompt_sha256,
        model_served,
        previous_run_id,
        is_latest,
        expected,
        verdict,
        previous_verdict,
        is_correct,
        started_at,
        asked_at,
        source_file,
        source_line
    from {{ ref('int_judge_anchors_paired') }}
    where kind <> 'all'

)

select * from anchors
