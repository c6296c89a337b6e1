-- Grain: run_id. One release of per-prompt results with what it says of itself: judge, lane,
-- policies, slices, primary metric. Each of them changes between releases.
with

runs as (

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
        profile
    from {{ ref('stg_searchgen__runs') }}

)

select * from runs
