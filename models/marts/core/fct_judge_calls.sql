-- Grain: call_id.
-- One request to a judge behind an endpoint.
with

judge_calls as (

    select
        call_id,
        benchmark,
        run_id,
        role,
        model_asked,
        model_served,
        prompt_sha256,
        input_token_count,
        output_token_count,
        status,
        source_file,
        source_line
    from {{ ref('stg_core__judge_calls') }}

)

select * from judge_calls
