-- Grain: run_id. The manifest of one published release of aggregates.
with

source as (

    select * from {{ source('searchgen', 'published_releases') }}

),

selected as (

    select
        run_id,
        dataset_id,
        release,
        schema_version,
        shape_fingerprint,
        primary_metric,
        missing_policy_default,
        missing_policy_exceptions,
        scoring_source,
        prompts_file,
        prompts_sha256,
        prompt_count,
        partition,
        whole_slice_name,
        generated_at,
        rounding_decimals,
        manifest,
        source_file,
        source_line
    from source

)

select * from selected
