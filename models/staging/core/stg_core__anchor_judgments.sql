-- Grain: anchor_run_id, item_id. What a judge said to one item of a frozen set in one run.
with

source as (

    select * from {{ source('core', 'anchor_judgments') }}

),

selected as (

    select
        anchor_run_id,
        set_name,
        set_sha256,
        item_id,
        kind,
        task,
        expected,
        verdict,
        is_correct,
        judge_kind,
        judge_id,
        prompt_sha256,
        model_served,
        started_at,
        asked_at,
        source_file,
        source_line
    from source

)

select * from selected
