-- Grain: judgment_id. One answer judged once by one judge for one metric.
with

source as (

    select * from {{ source('rageval', 'judgments') }}

),

selected as (

    select
        judgment_id,
        run_id,
        dataset_id,
        system_id,
        question_id,
        metric,
        repeat_number,
        judgment_status,
        status_reason,
        judge_id,
        judge_kind,
        evaluation_config_id,
        prompt_sha256,
        reference_count,
        response_count,
        passage_count,
        call_count,
        input_tokens,
        output_tokens,
        cost_usd,
        source_file,
        source_line
    from source

)

select * from selected
