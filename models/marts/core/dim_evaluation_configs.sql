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
    union all
    select
        'searchgen' as benchmark,
        evaluation_config_id,
        judge_id,
        judge_kind,
        {% for column in [
            'judge_model', 'prompt_sha256', 'claim_judge_id', 'claim_judge_kind',
            'claim_judge_model', 'claim_prompt_sha256', 'judge_input_mode',
        ] -%}
        cast(null as varchar) as {{ column }},
        {% endfor -%}
        judge_settings as settings
    from {{ ref('stg_searchgen__runs') }}
    union all
    select
        'rageval' as benchmark,
        evaluation_config_id,
        judge_id,
        judge_kind,
        cast(null as varchar) as judge_model,
        prompt_sha256,
        {% for column in [
            'claim_judge_id', 'claim_judge_kind', 'claim_judge_model', 'claim_prompt_sha256',
            'judge_input_mode',
        ] -%}
        cast(null as varchar) as {{ column }},
        {% endfor -%}
        metric as settings
    from {{ ref('stg_rageval__judgments') }}
    union all
    -- Answers are scored by rules; what names them is the policy that numbers are read with.
    select
        'slideagent' as benchmark,
        number_policy as evaluation_config_id,
        number_policy as judge_id,
        'heuristic' as judge_kind,
        {% for column in [
            'judge_model', 'prompt_sha256', 'claim_judge_id', 'claim_judge_kind',
            'claim_judge_model', 'claim_prompt_sha256', 'judge_input_mode', 'settings',
        ] -%}
        cast(null as varchar) as {{ column }}{% if not loop.last %},{% endif %}
        {% endfor %}
    from {{ ref('stg_slideagent__questions') }}

),

-- Two runs may share a configuration and land it twice.
unique_configs as (

    select distinct * from configs

)

select * from unique_configs
