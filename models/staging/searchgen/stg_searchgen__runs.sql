-- Grain: run_id. One release of per-prompt results: its judge, its policies, what it promises.
with

source as (

    select * from {{ source('searchgen', 'runs') }}

),

selected as (

    select
        run_id,
        dataset_id,
        release,
        benchmark_name,
        primary_metric,
        published_lane,
        minimum_coverage,
        missing_policy_default,
        missing_policies,
        evaluation_config_id,
        judge_id,
        judge_kind,
        scoring_source,
        judge_settings,
        extractor,
        prompts_file,
        prompts_sha256,
        source_commit,
        whole_slice_name,
        subset_field,
        slices,
        profile,
        source_file,
        source_line
    from source

)

select * from selected
