-- Grain: call_id.
-- One attempt at a request to a judge behind an endpoint, or one reply from its cache.
with

source as (

    select * from {{ source('core', 'judge_calls') }}

),

selected as (

    select
        call_id,
        request_key,
        benchmark,
        dataset_id,
        run_id,
        case_label,
        system_id,
        condition,
        audience,
        task,
        role,
        base_url,
        model_asked,
        model_served,
        prompt_id,
        prompt_version,
        prompt_sha256,
        sample_index,
        schema_version,
        attempt,
        status,
        is_cached,
        output_mode,
        parse_level,
        http_status,
        finish_reason,
        input_token_count,
        cached_input_token_count,
        output_token_count,
        latency_ms,
        cost_usd,
        price_date,
        message,
        started_at,
        source_file,
        source_line
    from source

)

select * from selected
