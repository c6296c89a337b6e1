-- Grain: evaluation_config_id. One way of judging decks: judges, prompts, settings,
-- parser, word rule.
with

source as (

    select * from {{ source('xslides', 'evaluation_configs') }}

),

selected as (

    select
        evaluation_config_id,
        judge_id,
        judge_kind,
        judge_model,
        prompt_sha256,
        claim_judge_id,
        claim_judge_kind,
        claim_judge_model,
        claim_prompt_sha256,
        judge_input_mode,
        settings,
        source_file,
        source_line
    from source

)

select * from selected
