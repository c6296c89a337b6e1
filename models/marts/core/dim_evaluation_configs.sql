-- Grain: benchmark, evaluation_config_id. What stands behind a configuration id: judges,
-- prompts, input mode and settings.
with

configs as (

    select
        'xslides' as benchmark,
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
        settings
    from {{ ref('stg_xslides__evaluation_configs') }}

),

-- Two runs may share a configuration and land it twice.
unique_configs as (

    select distinct * from configs

)

select * from unique_configs
